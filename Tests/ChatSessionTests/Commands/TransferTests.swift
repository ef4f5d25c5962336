import ChatSession
import Foundation
import Testing

struct TransferTests {
  private func path(_ name: String, in fixture: StoreFixture) -> String {
    fixture.folder.appendingPathComponent(name).path
  }

  @Test func `what is shown is exported and imported again`() throws {
    let fixture = try StoreFixture()
    let file = path("some apples.jsonl", in: fixture)
    var screen = try fixture.screen(rows: 8, columns: 200)
    screen.type("/filter from:alice")
    let outcome = screen.type("/export \"\(file)\"")
    #expect(outcome.jobs.map(\.lane) == [.transfer] && screen.status.contains("exporting …"))
    screen.finish(outcome)
    #expect(screen.status == " exported 50 messages to '\(file)'")
    screen.finish(screen.type("/import \"\(file)\""))
    #expect(
      screen.status == " imported 0 · already there 50 · of 50 records in 1 file", "\(screen.status)")
    screen.finish(screen.type("/import \"\(file)\" --into copies"))
    #expect(screen.status.hasPrefix(" imported 50 (50 text)"), "\(screen.status)")
    screen.type("/open copies")
    #expect(screen.status.contains("50 of 50"))
  }

  @Test func `an export leaves out what rules name, into a file and for a command`() throws {
    let fixture = try StoreFixture()
    let (file, rules) = (path("all.jsonl", in: fixture), path("rules.txt", in: fixture))
    try "name alice => A\n".write(toFile: rules, atomically: true, encoding: .utf8)
    var screen = try fixture.screen(rows: 8, columns: 200)
    screen.finish(screen.type("/export --redact \(rules) \(file)"))
    #expect(
      screen.status.hasPrefix(" exported 100 messages to '\(file)' · redacted "), "\(screen.status)")
    let written = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!written.contains("alice") && written.contains(#""sender":"A""#))
    screen.finish(screen.type("/export --format jsonl --redact \(rules) | grep -c alice; true"))
    #expect(screen.lines.contains { $0.hasPrefix("0") }, "\(screen.lines)")
    screen.type("/export --redact /nowhere \(path("b.csv", in: fixture))")
    #expect(screen.status.contains("cannot read the rules in '/nowhere'"), "\(screen.status)")
  }

  @Test func `one transfer is enough, and Ctrl-C stops it`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 120)
    let outcome = screen.type("/export \(path("a.csv", in: fixture))")
    screen.type("/export \(path("b.csv", in: fixture))")
    #expect(screen.status.hasPrefix(" busy: exporting …"))
    #expect(screen.handle(.interrupted).stops.contains(.transfer))
    screen.finish(outcome, isCancelled: true)
    #expect(screen.status == " stopped")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).allSatisfy {
        $0.hasPrefix("store")
      })
  }

  @Test func `an import that was stopped says so, and the same again carries on`() throws {
    let fixture = try StoreFixture()
    let file = path("apples.jsonl", in: fixture)
    var screen = try fixture.screen(rows: 8, columns: 120)
    screen.finish(screen.type("/export \(file)"))
    let outcome = screen.type("/import \(file) --into copies")
    screen.finish(outcome, isCancelled: true)
    #expect(screen.status.hasPrefix(" stopped: imported 0"), "\(screen.status)")
    screen.finish(screen.type("/import \(file) --into copies"))
    #expect(screen.status.hasPrefix(" imported 100 (100 text)"), "\(screen.status)")
  }

  @Test(arguments: [
    ("/import /nowhere/at/all", "/nowhere/at/all"), ("/import -", "'-' is where the commands come from"),
    ("/export /nowhere/x.csv", "cannot make"), ("/export x.odd", "no format for the name 'x.odd'"),
    ("/export a.csv b.csv", "an export is one file"), ("/export", "/export needs a file"),
    ("/import \"open", "a quote is not closed in '\"open'"),
    ("/import x --into", "/import cannot use"),
  ])
  func `a transfer that cannot be says why`(line: String, why: String) throws {
    let answer = try StoreFixture().transcript(line)
    #expect(answer.hasPrefix("! line 1: ") && answer.contains(why), "\(answer)")
  }

  @Test func `a file that is there is not overwritten`() throws {
    let fixture = try StoreFixture()
    let file = path("a.txt", in: fixture)
    #expect(try fixture.transcript("/export \(file)\n/export \(file)").contains("already exists"))
  }

  @Test func `a script imports in line, run again, too`() throws {
    let fixture = try StoreFixture(count: 1)
    var script = ""
    for number in 1...20 {
      let file = path("day\(number).jsonl", in: fixture)
      let lines = (0..<50).map { index in
        """
        {"conversation":"log","time":"2024-06-\(number < 10 ? "0" : "")\(number)T10:\(index + 10):00Z","text":"\(index)"}

        """
      }
      try lines.joined().write(toFile: file, atomically: true, encoding: .utf8)
      script += "/import \(file)\n"
    }
    let half = script.split(separator: "\n").prefix(7).joined(separator: "\n")
    _ = try fixture.transcript(half)
    let answer = try fixture.transcript(script + "/open log\n/filter text\n")
    #expect(answer.hasSuffix("1,000 messages\n"), "\(answer)")
    #expect(answer.contains("already there 50 · of 50 records") && answer.contains("imported 50 (50 text)"))
  }
}
