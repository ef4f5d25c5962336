import Foundation
import ShellTesting
import Testing

/// `query`, and what others print with `--json`.
@Suite struct QueryCommandTests {
  @Test func `a question is answered, or the command fails as others do`() throws {
    let fixture = try ShellFixture(count: 3)
    let answer = try fixture.run(["query", #"{"question":"page","limit":1}"#])
    #expect(
      answer.status == 0 && answer.output.contains(#""text":"message 3"}],"hasOlder":true,"#), "\(answer)")
    let wrong = try fixture.run(["query", "{}"])
    #expect(wrong.status == 64 && wrong.errors.contains("no 'question' is there") && wrong.output.isEmpty)
    #expect(try fixture.run(["query", #"{"question":"message","id":"1"}"#]).status == 1)
  }

  @Test func `questions line by line are answered line by line, also wrong ones`() throws {
    let fixture = try ShellFixture(count: 3)
    let answers = try fixture.run(
      ["query"],
      input: """
        {"question":"conversations"}

        nonsense
        {"question":"message","id":"1"}
        {"question":"statistics","conversations":["general"]}
        """)
    let sorts = answers.output.matches(of: /(?m)^{"answer":"(\w+)"/).map { String($0.1) }
    #expect(sorts == ["conversations", "error", "error", "selectionStatistics"] && answers.status == 0)
  }

  @Test func `a message is shown by the id of its platform`() throws {
    let fixture = try ShellFixture(
      holding:
        #"{"conversation":"c","time":"2024-05-01T10:00:00Z","text":"tea","source":{"platform":"slack","id":"C1/1.2"}}"#
    )
    let shown = try fixture.run(["show", "--platform", "slack", "C1/1.2"])
    #expect(shown.status == 0 && shown.output.contains("source        slack C1/1.2"), "\(shown)")
    let missing = try fixture.run(["show", "--json", "--platform", "slack", "C1/1.2", "C1/1.3"])
    #expect(missing.status == 1 && missing.output.contains(#""text":"tea""#))
    #expect(missing.errors == "scrollback: there is no message 'C1/1.3' of slack\n")
  }

  @Test func `hits in JSON are messages with what was found, and what is around if that is wanted`() throws {
    let fixture = try ShellFixture(count: 3, texts: ["some tea"])
    let plain = try fixture.run(["search", "--json", "tea"]).output
    let exported = try fixture.run(["export", "--json", "--matching", "tea"]).output
    #expect(plain.hasPrefix(exported.dropLast(2)))
    #expect(
      plain.hasSuffix(
        #","matches":[{"start":5,"end":8}],"snippet":{"text":"some tea","matches":[{"start":5,"end":8}]}}"#
          + "\n"))
    let around = try fixture.run(["search", "--json", "--context", "2", "tea"]).output
    #expect(around.contains(#""text":"message 3"}],"after":[]}"#), "\(around)")
    #expect(around.contains(#""before":[{"#) && around.contains(#""text":"message 2"}"#))
  }
}
