import Foundation
import ShellTesting
import TestSupport
import Testing

/// What docs/operations.md tells people to type.
struct OperationsTests {
  private let fixture: ShellFixture

  init() throws { fixture = try ShellFixture(count: 0) }

  /// The lines of the recipe, as they stand.
  private func recipe() throws -> [String] {
    let page = GoldenFile.root.appending(path: "docs/operations.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let part = try #require(text.firstMatch(of: /(?s)<!-- recipe -->\n(.*?)<!-- end -->/)).1
    return part.split(separator: "\n").map { String($0.drop { $0 == " " }) }
  }

  @discardableResult
  private func run(_ command: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = fixture.folder
    process.environment = fixture.environment.merging([
      "PATH": "\(BuiltProduct.folder.path):/usr/bin:/bin"
    ]) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (
      FileHandle.nullDevice, output, output
    )
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command)\n\(text)")
    return text
  }

  private func id(of text: String, in store: String) throws -> String {
    let all = try fixture.run(["export", "--json", "-s", path(store)]).output
    let line = try #require(all.split(separator: "\n").first { $0.contains("\"text\":\"\(text)\"") })
    return String(try #require(line.firstMatch(of: /"id":"(\d+)"/)).1)
  }

  private func path(_ name: String) -> String { fixture.folder.path + "/" + name }

  /// What two computers have of one person: the same beginnings, and then each its own.
  private func makeStores() throws {
    let common = """
      {"conversation":"family","time":"2024-05-01T08:00:00Z","precision":"minute","sender":"ann","text":"good morning"}
      {"conversation":"family","time":"2024-05-01T08:00:00Z","precision":"minute","sender":"ben","text":"ok"}
      {"conversation":"family","time":"2024-05-01T08:00:00Z","precision":"minute","sender":"ben","text":"ok"}
      {"conversation":"work","time":"2024-05-02T09:00:00Z","text":"report","source":{"platform":"slack","id":"C1/1"}}
      {"conversation":"work","time":"2024-05-02T09:01:00Z","text":"thanks","source":{"platform":"slack","id":"C1/2"}}

      """
    try Data(common.utf8).write(to: URL(fileURLWithPath: path("common.jsonl")))
    try Data("small".utf8).write(to: URL(fileURLWithPath: path("small.txt")))
    try Data(repeating: 7, count: 200_000).write(to: URL(fileURLWithPath: path("large.bin")))
    for store in ["laptop.db", "desktop.db"] { try run("scrollback import -q -s \(store) common.jsonl") }
    try run("scrollback append -s laptop.db -c family 'from the laptop'")
    let own = try id(of: "from the laptop", in: "laptop.db")
    try run("scrollback append -s laptop.db -c family --reply-to \(own) 'and an answer'")
    try run("scrollback attach -s laptop.db \(own) small.txt large.bin")
    try run("scrollback edit -s laptop.db \(try id(of: "report", in: "laptop.db")) 'report, corrected'")
    try run(
      "printf '/react #%s :tada:' \(try id(of: "thanks", in: "laptop.db")) | scrollback -s laptop.db -c work")
    try run("scrollback append -s desktop.db -c family 'from the desktop'")
    try run(
      "printf '/react #%s :heart:' \(try id(of: "thanks", in: "desktop.db")) | scrollback -s desktop.db -c work"
    )
    try run("scrollback delete -s desktop.db \(try id(of: "good morning", in: "desktop.db"))")
  }

  @Test func `two stores of one person are brought together by what the page says`() throws {
    let lines = try recipe()
    #expect(lines.count == 4 && lines.allSatisfy { $0.hasPrefix("scrollback ") })
    try makeStores()
    for line in lines { try run(line) }
    let all = try fixture.run(["export", "--json", "-s", path("desktop.db")]).output
    let texts = all.matches(of: /"text":"([^"]*)"(?:,"replyTo":"\d+")?(?=[,}])/).map { String($0.1) }
    // Two that say the same are two; the text before the change stands behind it; nothing is there twice.
    #expect(
      texts == [
        "ok", "ok", "from the laptop", "and an answer", "from the desktop", "report, corrected", "report",
        "thanks",
      ], "\(all)")
    let own = try id(of: "from the laptop", in: "laptop.db")
    #expect(try id(of: "from the laptop", in: "desktop.db") == own && all.contains("\"replyTo\":\"\(own)\""))
    #expect(all.contains("🎉") && all.contains("❤️"))
    try run(
      "scrollback save -s desktop.db \(own) out && cmp out/large.bin large.bin && cmp out/small.txt small.txt"
    )
    // Again it brings nothing.
    try run("rm -r laptop.jsonl laptop-files desktop-before.db*")
    for line in lines { try run(line) }
    #expect(try fixture.run(["export", "--json", "-s", path("desktop.db")]).output == all)
  }
}
