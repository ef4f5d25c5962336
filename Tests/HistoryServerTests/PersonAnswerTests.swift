import Foundation
import MessageStorage
import Testing

/// Everything, and everything with a person, as it is asked for by programs, over HTTP and by agents.
@Suite(.waiting) struct PersonAnswerTests {
  private static let lines = (0..<60).map { number in
    let (name, sender) = [("with al", "al"), ("with al", "me"), ("room", "al"), ("room", "bob")][number % 4]
    let time = String(format: "2024-05-01T10:%02d:00Z", number)
    return
      #"{"conversation":"\#(name)","time":"\#(time)","sender":"\#(sender)","text":"words \#(number) https://example.org/\#(number)"}"#
      + "\n"
  }.joined()

  private func fixture() throws -> ServerFixture {
    let fixture = try ServerFixture(count: 0)
    let store = try SynchronousMessageStore(
      path: fixture.shell.store, options: StoreOptions(access: .readWrite))
    _ = try store.makeConversation(named: "with al", isDirect: true)
    store.close()
    try fixture.shell.add(Self.lines)
    try fixture.shell.run(["people", "link", "Al", "al"])
    return fixture
  }

  private func object(_ json: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  /// The ids of what a list of an answer holds.
  private func ids(_ answer: [String: Any], _ list: String) -> [String] {
    (answer[list] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  private func told(_ tool: String, _ arguments: String, _ fixture: ServerFixture) throws -> [String: Any] {
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    let result = try object(try fixture.shell.run(["mcp"], input: call + "\n").output)["result"]
    let content = try #require((result as? [String: Any])?["content"] as? [[String: Any]])
    return try object(try #require(content.first?["text"] as? String))
  }

  @Test(arguments: [
    ("page", "read_messages", "messages", "", 45), ("hits", "search_messages", "hits", "words", 45),
    ("shared", "list_shared", "shared", "", 45),
  ])
  func `the same is answered to programs, over HTTP and to agents, of everything and with a person`(
    question: String, tool: String, list: String, words: String, withAl: Int
  ) throws {
    let fixture = try fixture()
    for (person, count) in [("", 60), ("al", withAl)] {
      var (keys, address) = ([String](), "limit=1000")
      if !words.isEmpty { (keys, address) = ([#""words":"words""#], address + "&words=words") }
      if !person.isEmpty { (keys, address) = (keys + [#""person":"al""#], address + "&person=al") }
      let json = (keys + [#""limit":1000"#]).joined(separator: ",")
      let asked = try fixture.shell.run(["query", #"{"question":"\#(question)",\#(json)}"#]).output
      #expect(try ids(object(asked), list).count == count, "\(person)")
      let response = try fixture.get("api/\(question)?\(address)")
      #expect(response.text + "\n" == asked, "\(person)")
      #expect(response["ETag"] == nil || person.isEmpty, "links between accounts and people are no messages")
      let detail = question == "shared" ? "" : #","detail":"whole""#
      let some = try ids(told(tool, "{\(json)\(detail)}", fixture), list)
      #expect(!some.isEmpty)
      // An agent gets as many as fit.
      let all = try ids(object(asked), list)
      #expect(Array(all.prefix(some.count)) == some || Array(all.suffix(some.count)) == some)
    }
  }

  @Test(arguments: [
    ("days?person=Al", #"{"question":"days","person":"Al"}"#, "list_days", "days"),
    (
      "groups?by=hour&person=Al", #"{"question":"groups","by":"hour","person":"Al"}"#, "count_messages",
      "groups"
    ),
    (
      "anniversaries?day=may%201&person=Al", #"{"question":"anniversaries","day":"may 1","person":"Al"}"#,
      "read_anniversaries", "years"
    ),
    ("days", #"{"question":"days"}"#, "list_days", "days"),
    ("groups", #"{"question":"groups"}"#, "count_messages", "groups"),
  ])
  func `days and counts are answered alike, too`(
    address: String, question: String, tool: String, list: String
  )
    throws
  {
    let fixture = try fixture()
    let asked = try fixture.shell.run(["query", question]).output
    #expect(try fixture.get("api/\(address)").text + "\n" == asked)
    var arguments = try object(question)
    arguments["question"] = nil
    let json = String(decoding: try JSONSerialization.data(withJSONObject: arguments), as: UTF8.self)
    let told = try told(tool, json, fixture)
    #expect((told[list] as? [Any])?.count == (try object(asked)[list] as? [Any])?.count)
    let day = (try object(asked)[list] as? [[String: Any]])?.first
    if list != "years" { #expect(day?["messages"] as? Int == (address.contains("person") ? 45 : 60)) }
  }

  @Test func `a person who is not there is not found, with the nearest name`() throws {
    let fixture = try fixture()
    for question in ["page", "days", "groups", "shared", "anniversaries", "hits"] {
      let response = try fixture.get("api/\(question)?person=Ali\(question == "hits" ? "&words=a" : "")")
      #expect(response.status == 404 && ServerFixture.kind(of: response) == "notFound", "\(question)")
      #expect(response.text.contains("'Al'"))
    }
  }
}
