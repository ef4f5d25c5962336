import ShellTesting
import Testing

/// `threads`, `show --thread` and `thread:`.
@Suite(.serialized) struct ThreadsTests {
  private func fixture() throws -> ShellFixture {
    try ShellFixture(
      holding: """
        {"id":"1000","conversation":"a","time":"2023-05-01T10:00:00.000Z","sender":"ann","text":"shall we?\\nor not \\u001b[2J"}
        {"id":"2000","conversation":"a","time":"2023-05-01T10:01:00.000Z","sender":"bob","text":"yes","replyTo":"1000"}
        {"id":"3000","conversation":"b","time":"2023-05-01T10:02:00.000Z","sender":"cy","text":"start"}
        {"id":"4000","conversation":"b","time":"2023-05-01T10:03:00.000Z","sender":"ann","text":"in it","thread":"3000"}
        {"id":"5000","conversation":"a","time":"2023-05-01T10:04:00.000Z","sender":"ann","text":"good","replyTo":"2000"}
        {"id":"6000","conversation":"a","time":"2023-05-01T10:05:00.000Z","sender":"bob","text":"none of it"}

        """)
  }

  /// The id of the first message with a text.
  private func id(_ text: String, _ fixture: ShellFixture) throws -> String {
    let found = try fixture.run(["search", "--json", text]).output
    return String(try #require(found.firstMatch(of: /"id":"(\d+)"/)).1)
  }

  @Test func `threads come by their newest answers, and a list goes on where one ended`() throws {
    let fixture = try fixture()
    let all = try fixture.run(["threads", "--time-zone", "UTC"]).output.split(separator: "\n")
      .map { String($0.replacing(#/^#\d+  /#, with: "")) }
    #expect(
      all == ["2023-05-01 10:04  2 replies  ann  a  shall we?", "2023-05-01 10:03    1 reply  cy   b  start"])
    let first = try fixture.run(["threads", "--json", "-n", "1"]).output
    #expect(first.split(separator: "\n").count == 1 && first.contains(#""answers":2"#))
    let newest = try #require(first.firstMatch(of: /"newest":"(\d+)"/)).1
    let rest = try fixture.run(["threads", "--json", "--before", "#\(newest)"]).output
    #expect(rest.split(separator: "\n").count == 1 && rest.contains(#""text":"start""#))
    #expect(try fixture.run(["threads", "-c", "b", "--json"]).output == rest)
    #expect(try fixture.run(["threads", "--before", "x"]).status == 64)
    #expect(try ShellFixture(count: 3).run(["threads"]).status == 1)
  }

  @Test func `a newest answer of which only the day is known has that day in every zone, and no time`() throws
  {
    let fixture = try ShellFixture(
      holding: """
        {"id":"1000","conversation":"a","time":"2023-05-01T10:00:00.000Z","sender":"ann","text":"shall we?"}
        {"id":"2000","conversation":"a","time":"2023-05-02T00:00:00.000Z","precision":"day","text":"yes","replyTo":"1000"}

        """)
    for zone in ["America/New_York", "Asia/Tokyo"] {
      let table = try fixture.run(["threads", "--time-zone", zone]).output
      #expect(table.contains("  2023-05-02  1 reply  ann"), "\(table)")
    }
    #expect(try fixture.run(["threads", "--json"]).output.contains(#""newestPrecision":"day""#))
  }

  @Test func `a whole thread is shown from any of its messages, as text and as JSON`() throws {
    let fixture = try fixture()
    for text in ["shall", "yes", "good"] {
      let shown = try fixture.run(["show", "--thread", try id(text, fixture)])
      let texts = shown.output.matches(of: /\n  (shall we\?|yes|good|none of it)\n/).map { String($0.1) }
      #expect(texts == ["shall we?", "yes", "good"] && shown.status == 0)
      #expect(!shown.output.contains("\u{1B}") && shown.output.contains("reply to"))
    }
    let json = try fixture.run(["show", "--thread", "--json", try id("in it", fixture)]).output
    #expect(json.matches(of: /"text":"([^"]*)"/).map { String($0.1) } == ["start", "in it"])
    let missing = try fixture.run(["show", "--thread", "12345"])
    #expect(missing.status == 1 && missing.errors.contains("no message #12345"))
    #expect(try fixture.run(["show", "--thread", "--context", "2", "1"]).status == 64)
  }

  @Test func `a thread is a term of queries and of questions`() throws {
    let fixture = try fixture()
    let id = try id("yes", fixture)
    func texts(_ arguments: String..., input: String = "") throws -> [String] {
      try fixture.run(arguments, input: input).output.matches(
        of: /"text":"(yes|good|in it|start|none of it|shall)/
      )
      .map { String($0.1) }
    }
    #expect(try texts("tail", "--json", "--all", "--matching", "thread:#\(id)") == ["shall", "yes", "good"])
    let hits = try fixture.run(["search", "--json", "thread:\(id) good"]).output
    #expect(hits.split(separator: "\n").count == 1 && hits.contains("\"text\":\"good\""))
    let others = try texts("export", "--json", "--all", "--matching=-thread:\(id)")
    #expect(others.sorted() == ["in it", "none of it", "start"])
    let question = #"{"question":"page","filter":{"thread":"\#(id)"}}"#
    #expect(try texts("query", input: question) == ["shall", "yes", "good"])
    #expect(try fixture.run(["stats", "--by", "sender", "thread:\(id)"]).output.contains("ann"))
    try fixture.run(["filters", "save", "plan", "thread:\(id)"])
    #expect(try texts("tail", "--json", "--all", "--matching", "filter:plan from:ann") == ["shall", "good"])
    let refused = try fixture.run(["filters", "save", "other", "thread:\(id) OR tea"])
    #expect(refused.status != 0 && refused.errors.contains("thread:ID alone"))
  }
}
