import Foundation
import TestSupport
import Testing

/// `import` as scripts meet it: what it prints, leaves and returns.
@Suite(.serialized) struct ImportTests {
  private func write(_ texts: [(String, String)], to folder: URL) throws {
    for (name, text) in texts {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  @Test func `the last line adds up, and what was skipped lies in the file of rejects`() throws {
    let desk = try Desk(count: 1)
    let logs = desk.folder.appendingPathComponent("logs")
    try write(
      [
        (
          "tea/2024-05-01.txt",
          "[10:00] <ann> one\n[10:00] <ann> one\n[10:01]  * ann waves\n=== ben [b@c]  has joined #tea\n"
        ),
        ("table.csv", "time,sender,text\n2024-05-01 10:00,ann,first\nnever,ann,second\n"),
        ("prose.txt", "nothing that is known\n"),
      ], to: logs)
    let rejects = desk.folder.appendingPathComponent("rejects").path
    let first = try desk.run(["import", "--rejects", rejects, logs.path])
    #expect(
      first.errors.split(separator: "\n").last
        == "imported 5 (3 text, 1 action, 1 event) · skipped 2 · of 7 records in 2 files")
    #expect(first.status == 3)
    #expect(first.output.isEmpty)
    let kept = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(
      kept == """
        # \(logs.path)/prose.txt: no format that is known fits its first lines
        nothing that is known
        # \(logs.path)/table.csv:3: its time is none that is understood
        never,ann,second

        """)
    let second = try desk.run(["import", logs.path])
    #expect(
      second.errors.split(separator: "\n").last
        == "imported 0 · already there 5 · skipped 2 · of 7 records in 2 files")
  }

  @Test func `halves that overlap are together the whole, in whatever order they come`() throws {
    let lines = (0..<400).map { "[1\($0 / 60):\(10 + $0 % 50)] <ann> \($0 % 7)\n" }
    let desk = try Desk(count: 1)
    let whole = desk.folder.appendingPathComponent("whole")
    let halves = desk.folder.appendingPathComponent("halves")
    try write([("tea/2024-05-01.txt", lines.sorted().joined())], to: whole)
    try write([("a/tea/2024-05-01.txt", lines.sorted().suffix(250).joined())], to: halves)
    try write([("b/tea/2024-05-01.txt", lines.sorted().prefix(250).joined())], to: halves)
    func exported(_ paths: [String]) throws -> String {
      let store = desk.folder.appendingPathComponent("\(UUID().uuidString).db").path
      for path in paths { #expect(try desk.run(["import", "--store", store, path]).status == 0) }
      return try desk.run(["export", "--store", store]).output
    }
    let expected = try exported([whole.path])
    #expect(expected.split(separator: "\n").count == 400)
    #expect(try exported(["a", "b"].map { halves.appendingPathComponent($0).path }) == expected)
    #expect(try exported(["b", "a", "b"].map { halves.appendingPathComponent($0).path }) == expected)
  }

  @Test func `all histories of the fixtures go into one store, and a second time change nothing`() throws {
    let desk = try Desk(count: 1)
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures").standardizedFileURL.path
    let first = try desk.run(["import", fixtures])
    #expect(first.status == 3)
    let all = try desk.run(["export", "--format", "jsonl"]).output
    let again = try desk.run(["import", fixtures])
    #expect(again.status == 3)
    #expect(again.errors.contains("\nimported 0 · already there "))
    #expect(try desk.run(["export", "--format", "jsonl"]).output == all)
    #expect(try desk.run(["check"]).status == 0)
  }

  @Test func `a message that a file has twice at one moment is one, as it was the last time`() throws {
    let desk = try Desk(count: 0)
    let events = ["helo", "hello"].map { text in
      #"{"type":"message","subtype":"message_changed","channel":"C1","ts":"2.1","event_ts":"2.1","message":"#
        + #"{"type":"message","user":"U1","ts":"1709164800.1","text":"\#(text)"}}"#
    }
    let file = desk.folder.appendingPathComponent("events.jsonl")
    try (events.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
    let answer = try desk.run(["import", file.path])
    #expect(answer.status == 0)
    #expect(answer.errors.contains("imported 1 (1 text) · already there 1"))
    #expect(answer.errors.contains(" of 2 records in 1 file"))
    let kept = try desk.run(["export", "--format", "jsonl"]).output
    #expect(kept.split(separator: "\n").count == 1)
    #expect(kept.contains(#""text":"hello""#))
  }

  @Test func `each way to fail has its exit code`() throws {
    let desk = try Desk(count: 1)
    try write([("prose.txt", "nothing that is known\n"), ("cut.json", "{\"messages\": [")], to: desk.folder)
    func status(_ arguments: String...) throws -> Int32 { try desk.run(["import"] + arguments).status }
    #expect(try status(desk.folder.appendingPathComponent("prose.txt").path) == 65)
    #expect(try status("--format", "telegram", desk.folder.appendingPathComponent("cut.json").path) == 65)
    #expect(try status("/nowhere/at/all") == 66)
    #expect(try status("--format", "telepathy", desk.folder.path) == 64)
    #expect(try status("--map", "mood=x", desk.folder.path) == 64)
    #expect(try status("--encoding", "shift-jis", desk.folder.path) == 64)
    #expect(try status("--rejects", "/nowhere/at/all", desk.folder.path) == 73)
    #expect(try status(desk.folder.appendingPathComponent("history.jsonl").path) == 0)
  }

  @Test func `nothing of an archive is written anywhere but into the store`() throws {
    let desk = try Desk(count: 1)
    let archives = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/archives").standardizedFileURL
    let before = try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path).sorted()
    for name in ["hostile.zip", "links.tar", "deep.zip"] {
      _ = try desk.run(["import", archives.appendingPathComponent(name).path])
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path).sorted()
    #expect(after.filter { !$0.hasPrefix("store.db") } == before.filter { !$0.hasPrefix("store.db") })
  }
}
