import Foundation
import Testing

/// What is typed to find messages means the same wherever it is typed.
@Suite(.waiting) struct OneLanguageTests {
  private static let texts = [
    "tea 💡", "plain tea", "c++ it is", "see https://example.org", "OR is a state", "?!",
  ]

  /// The ids that a query finds on the command line, newest first.
  private func typed(_ query: String, _ fixture: ServerFixture) throws -> [String] {
    let lines = try fixture.shell.run([
      "search", "--time-zone", "UTC", "--json", "--limit", "1000", "--", query,
    ])
    return try lines.output.split(separator: "\n").map { line in
      let hit = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(hit?["id"] as? String)
    }
  }

  private func object(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private func ids(_ answer: [String: Any], _ list: String = "hits") throws -> [String] {
    try #require(answer[list] as? [[String: Any]]).compactMap { $0["id"] as? String }
  }

  private func quoted(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  private func escaped(_ text: String) throws -> String {
    try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
  }

  /// What a tool answers an agent.
  private func told(_ tool: String, _ arguments: String, _ fixture: ServerFixture) throws -> [String: Any] {
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    let answer = try object(try fixture.shell.run(["mcp"], input: call + "\n").output)
    let result = try #require(answer["result"] as? [String: Any])
    let content = try #require(result["content"] as? [[String: Any]])
    return try object(try #require(content.first?["text"] as? String))
  }

  @Test(arguments: [
    "person:al", "person:AL message 1*", "-person:al", "person:al OR tea", "message", "message 1*",
    "from:alice", "from:ALICE message", "from:ali* -from:bob",
    "on:2024-05-01 message",
    "since:2024-05-01 01:00 from:bob", "has:link", "in:general tea", "in:gen*", "regex:1[0-9]9$",
    "kind:text tea",
    "💡", "tea 💡", "tea -💡", "?!", "OR", "c++", "\"message 1\" OR tea", "-message",
    "since:may 2024 from:bob tea",
  ])
  func `a query finds the same on the command line, over HTTP, for programs and for agents`(query: String)
    throws
  {
    let fixture = try ServerFixture(count: 120, texts: Self.texts)
    try fixture.shell.run(["people", "link", "Al", "alice"])
    let wanted = try typed(query, fixture)
    let json = try quoted(query)
    let asked = try fixture.shell.run(["query", #"{"question":"hits","words":\#(json),"limit":1000}"#])
    #expect(try ids(object(asked.output)) == wanted, "query")
    let found = try fixture.get("api/hits?words=\(escaped(query))&limit=1000")
    #expect(found.text + "\n" == asked.output, "HTTP")
    let page = try fixture.get("api/page?filter.matching=\(escaped(query))&limit=1000")
    #expect(try ids(object(page.text), "messages") == wanted.reversed(), "a page")
    let told = try told(
      "search_messages", #"{"words":\#(json),"limit":1000,"context":0,"detail":"whole"}"#, fixture)
    let some = try ids(told)
    #expect(
      some == Array(wanted.prefix(some.count)) && (some.count == wanted.count || some.count >= 10), "an agent"
    )
    if let total = told["total"] as? Int { #expect(total == wanted.count) }
    #expect(!wanted.isEmpty, "the test is of something")
  }

  @Test(arguments: [
    ("form:alice", "no term 'form:'", "did you mean 'from:'?"),
    ("from:alcie", "no sender 'alcie'", "'alice'"), ("person:ann", "no person 'ann'", "'Anna'"),
    ("in:genral tea", "no conversation 'genral'", "'general'"),
    ("since:someday", "'someday' is not a time", ""),
    ("say \"hi", "a quote is not closed", ""), ("has:wings", "messages have no 'wings'", ""),
  ])
  func `what is not understood is corrected everywhere`(query: String, summary: String, cause: String) throws
  {
    let fixture = try ServerFixture(count: 3)
    try fixture.shell.run(["people", "link", "Anna", "alice"])
    let typed = try fixture.shell.run(["search", "--", query])
    #expect(
      typed.errors.hasPrefix("scrollback: \(summary)") && (cause.isEmpty || typed.errors.contains(cause)))
    let json = try quoted(query)
    let answers = [
      try object(fixture.get("api/hits?words=\(escaped(query))").text),
      try object(fixture.get("api/page?filter.matching=\(escaped(query))").text),
      try told("search_messages", #"{"words":\#(json)}"#, fixture),
      try told("read_messages", #"{"filter":{"matching":\#(json)}}"#, fixture),
    ]
    for answer in answers {
      #expect(answer["answer"] as? String == "error" && answer["summary"] as? String == summary)
      let near = (answer["nearest"] as? [String] ?? []).map { "'\($0)'" }
      #expect(cause.isEmpty || (answer["cause"] as? String ?? "").contains(cause) || near.contains(cause))
    }
    let asked = try fixture.shell.run(["query", #"{"question":"hits","words":\#(json)}"#])
    #expect(asked.errors.hasPrefix("scrollback: \(summary)"))
  }

  @Test func `names and times in keys are those of the language`() throws {
    let fixture = try ServerFixture(count: 100)
    func total(_ parameters: String) throws -> Int? {
      try object(fixture.get("api/page?limit=0&\(parameters)").text)["total"] as? Int
    }
    #expect(try total("filter.senders=ALI*") == 50)
    #expect(try total("filter.senders=Alice&filter.senders=bob") == 100)
    #expect(try total("conversations=GENERAL") == 100 && total("conversations=gen*") == 100)
    #expect(try total("filter.since=2024-05&filter.until=june+2024") == 100)
    #expect(try total("filter.since=2024-05-01+03:00&timeZone=Europe/Berlin") == 40)
    #expect(try total("filter.since=2024-05-01+01:00") == 40)
    let page = try object(fixture.get("api/page?at=time:may+2024&limit=1&older=0").text)
    #expect(page["firstNumber"] as? Int == 1 && page["total"] as? Int == 100)
    let wrong = try fixture.get("api/page?at=time:someday")
    #expect(wrong.status == 400 && wrong.text.contains("'someday' is not a time; one is 2024-05-01"))
  }

  @Test func `one name is found by a part of it`() throws {
    let fixture = try ServerFixture(count: 4)
    let told = try told("list_senders", #"{"named":"LIC"}"#, fixture)
    #expect((told["senders"] as? [[String: Any]])?.map { $0["name"] as? String } == ["alice"])
    #expect(told["total"] as? Int == 1)
    let rooms = try self.told("list_conversations", #"{"named":"ener","limit":1}"#, fixture)
    #expect((rooms["conversations"] as? [[String: Any]])?.count == 1 && rooms["total"] as? Int == 1)
    #expect(try self.told("list_conversations", #"{"named":"nothing"}"#, fixture)["total"] as? Int == 0)
  }

  @Test func `what depends on the time, on names or on filters is not taken from a cache`() throws {
    let fixture = try ServerFixture(count: 3)
    try fixture.shell.run(["people", "link", "Al", "alice"])
    for (address, isKept) in [
      ("hits?words=message", true), ("hits?words=message+in:general", true),
      ("hits?words=since:yesterday", false),
      ("hits?words=from:alice", false), ("hits?words=person:al", false),
      ("page?filter.matching=on:today", false),
      ("page?filter.since=yesterday", false), ("page?filter.since=2024-05-01T00:00:00Z", true),
      ("page?at=time:yesterday", false), ("page?at=time:2024-05-01T00:00:00Z", true),
    ] {
      let response = try fixture.get("api/\(address)")
      #expect(response.status == 200 && (response["ETag"] != nil) == isKept, "\(address)")
    }
  }

  @Test func `a search that finds nothing says which words are there`() throws {
    let fixture = try ServerFixture(count: 3, texts: ["new batteries", "the charger"])
    let answer = try told("search_messages", #"{"words":"charger battery"}"#, fixture)
    let nothing = try #require(answer["nothing"] as? [String: Any])
    #expect(nothing["missing"] as? [String] == ["battery"] && nothing["present"] as? [String] == ["charger"])
    #expect((nothing["near"] as? [String])?.contains("batteries") == true)
    let apart = try object(fixture.get("api/hits?words=charger+batteries").text)
    #expect((apart["nothing"] as? [String: Any])?["present"] as? [String] == ["charger", "batteries"])
  }
}
