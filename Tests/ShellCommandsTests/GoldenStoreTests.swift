import Foundation
import ShellTesting
import TestSupport
import Testing

/// Each version reads the stores of all versions before it, from 1.0.0 on (docs/file-format.md).
@Suite struct GoldenStoreTests {
  private static let commands =
    [
      "export --everything", "conversations --json", "conversations --json --by month", "senders --json",
      "people --json", "people log --json", "filters --json", "imports --json", "sources --json",
      "threads --json",
      "sessions --json", "usage --json", "links --json", "files --json", "pictures --json", "stats --json",
      "stats --json --by kind", "search --json --context 1 tea", "search --json 灯台",
      "search --json --regex ^the",
      "tail --json -n 5 -c harbour",
    ].map { $0.split(separator: " ").map(String.init) } + [
      [
        "sql", "--json",
        "SELECT id, time, kind, platform, platform_id, deleted_by, forwarded_from FROM messages ORDER BY id",
      ],
      ["sql", "--json", "SELECT * FROM reactions ORDER BY message_id, place"],
    ]

  private let fixture: ShellFixture

  init() throws { fixture = try ShellFixture(count: 0) }

  private func lines(of store: String) throws -> Set<Substring> {
    Set(try fixture.run(["export", "--everything", "--store", store]).output.split(separator: "\n"))
  }

  @Test(arguments: GoldenStore.forms)
  func `the store of each form is read as it was, and no byte of it changes`(form: Int) throws {
    let store = try GoldenStore.unpack(form, into: fixture.folder)
    let bytes = try Data(contentsOf: URL(filePath: store))
    let shown = try Self.commands.map { command in
      let answer = try fixture.run(command + ["--store", store])
      #expect(answer.status == 0, "\(command): \(answer.errors)")
      return "$ scrollback \(command.joined(separator: " "))\n\(answer.output)"
    }
    let text = shown.joined(separator: "\n")
      .replacing(/"(bytes\w+|contents\w*)":\d+/) { "\"\($0.1)\":0" }
      .replacing(/"store":"[^"]*"/, with: #""store":"""#)
    let difference = try GoldenFile(fixture: "stores/form-\(form).golden").difference(from: text)
    #expect(difference == nil, "\(difference ?? "")")
    #expect(try Data(contentsOf: URL(filePath: store)) == bytes)
  }

  @Test(arguments: GoldenStore.forms)
  func `the store of each form is sound, is written to, and keeps all that it has`(form: Int) throws {
    let store = try GoldenStore.unpack(form, into: fixture.folder)
    let before = try lines(of: store)
    let check = try fixture.run(["check", "--store", store])
    #expect(check.status == 0 && check.errors.contains("no problems"), "\(check.errors)")
    let append = ["append", "--store", store, "-c", "notes", "--from", "dora", "one more"]
    #expect(try fixture.run(append).status == 0)
    let gone = before.subtracting(try lines(of: store))
    #expect(gone.allSatisfy { $0.hasPrefix(#"{"store":"#) }, "\(gone)")
    #expect(try fixture.run(["check", "--store", store]).status == 0)
    #expect(try fixture.run(["search", "--store", store, "wrong"]).output.contains("a word in it was wrong"))
  }
}
