import Foundation
import ShellTesting
import TestSupport
import Testing

/// Stores that programs of earlier forms have made, as commands show them.
@Suite struct StoredFormTests {
  @Test(arguments: [1, 2, 3, 4])
  func `all that a store of an earlier form holds is read as its program read it`(form: Int) throws {
    let copy = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString).db")
    try FileManager.default.copyItem(
      at: GoldenFile.root.appending(path: "Fixtures/stores/schema-\(form).db"), to: copy)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
    defer { try? FileManager.default.removeItem(at: copy) }
    let fixture = try ShellFixture(count: 0, environment: ["SCROLLBACK_STORE": copy.path])
    let commands =
      ["hard-cases", "lighthouse", "long", "own", "telegram"].map {
        ["export", "--format", "jsonl", "-c", $0]
      } + [
        ["tail", "-n", "3", "-c", "blocks"], ["conversations", "--json"], ["senders", "--json"],
        ["filters", "--json"], ["imports", "--json"], ["search", "lamp*", "--json"],
        ["search", "海边", "--json"],
        ["tail", "-c", "lighthouse", "--filter", "lamp"], ["check"],
      ]
    let parts = try commands.map { command -> String in
      let answer = try fixture.run(command)
      return "$ \(command.joined(separator: " "))\n\(answer.output)\(answer.errors)"
    }
    #expect(
      try GoldenFile(fixture: "stores/schema-\(form).golden").difference(from: parts.joined(separator: "\n"))
        == nil)
  }
}
