import Foundation
import HistoryQueries
import ShellTesting
import TestSupport
import Testing

/// What commands print with `--json`, and what questions are answered, word for word.
@Suite struct JSONGoldenTests {
  private func fixture() throws -> ShellFixture {
    let paths = ["jsonl/canonical.jsonl", "slack", "history/lighthouse.jsonl"].map {
      GoldenFile.root.appending(path: "Fixtures/\($0)").path
    }
    return try ShellFixture(named: "golden JSON") { fixture in
      try fixture.run(["import", "--quiet"] + paths)
      try fixture.run(["filters", "save", "--quiet", "tea", "--matching", "tea"])
      try fixture.run(["senders", "alias", "Ann", "alice"])
      try fixture.run(["people", "link", "Ann", "U1"])
      try fixture.run(["people", "link", "Alma", "mira"])
    }
  }

  /// Takes out what another time, place or machine changes.
  private func stable(_ text: String) -> String {
    text.replacing(/"(bytes\w+|contents\w*)":\d+/) { "\"\($0.1)\":0" }
      .replacing(/"import":1,"time":"[^"]+"/, with: #""import":1,"time":"""#)
      .replacing(/"name":"\/[^"]*"/, with: #""name":"""#).replacing(/"store":"[^"]*"/, with: #""store":"""#)
  }

  private func expectGolden(_ text: String, _ name: String) throws {
    let difference = try GoldenFile(fixture: "json/\(name)").difference(from: stable(text))
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func `commands print the objects of the document`() throws {
    let fixture = try fixture()
    let commands = [
      "conversations --json", "conversations --json --by day -c #harbour -c lighthouse",
      "conversations --json --by month", "senders --json", "senders --json -c tea", "people --json",
      "filters --json",
      "imports --json", "stats --json", "stats --json --sizes", "stats --json -c tea",
      "stats --json --by kind", "links --json", "files --json -c tea",
      "tail --json -n 2 -c lighthouse", "search --json tea", "search --json --context 1 --limit 2 battery",
      "show --json #7022866009247744 7022866009247745", "show --json --platform slack C1/1709164800.000100",
      "export --json -c #harbour",
    ]
    let text = try commands.map { command in
      "$ scrollback \(command)\n" + (try fixture.run(command.split(separator: " ").map(String.init)).output)
    }
    try expectGolden(text.joined(separator: "\n"), "commands.golden")
  }

  @Test(arguments: [
    "conversations", "conversation", "page", "message", "messages", "hits", "best", "shared", "senders",
    "days",
    "groups", "anniversaries", "statistics", "filters", "imports", "people", "threads", "sessions",
    "fileChanges", "failures", "usage", "errors",
  ])
  func `questions are answered by the objects of the document`(name: String) throws {
    let path = GoldenFile.root.appending(path: "Fixtures/json/\(name).questions.jsonl")
    let questions = try String(contentsOf: path, encoding: .utf8)
    let answers = try fixture().run(["query"], input: questions)
    #expect(answers.status == 0 && answers.errors.isEmpty, "\(answers.errors)")
    try expectGolden(answers.output, "\(name).answers.golden")
    let lines = answers.output.split(separator: "\n")
    #expect(lines.count == questions.split(separator: "\n").count)
    for line in lines {
      let answer = try JSONDecoder().decode(AnyHistoryAnswer.self, from: Data(line.utf8))
      #expect(String(decoding: try AnswerEncoder.bytes(of: answer), as: UTF8.self) == line)
      if answer.answer is ErrorAnswer { #expect(name == "errors") }
    }
  }
}
