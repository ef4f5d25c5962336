import Foundation
import MessageInterchange
import MessageModel
import Testing

/// Chats of programs that people run themselves: SillyTavern, Open WebUI, Crush, LM Studio, Gemini CLI.
@Suite struct LocalAssistantTests {
  private func picture(_ text: String, named name: String) throws -> ImportPicture {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      return try ImportPicture([folder])
    }
  }

  private func ids(_ found: ImportPicture) -> [String: String] {
    Dictionary(
      found.messages.map { ($0.body, $0.details?.source?.id ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `ids of SillyTavern stay when another answer is chosen, asked for, or a message is deleted`()
    throws
  {
    func chat(_ middle: String, chosen: Int, _ swipes: [String]) -> String {
      let infos = swipes.indices.map { #"{"send_date":"2024-03-01T10:00:0\#($0).000Z"}"# }
      return """
        {"user_name":"Ann","character_name":"Bob","chat_metadata":{}}
        \(middle){"name":"Bob","is_user":false,"send_date":"2024-03-01T10:00:0\(chosen).000Z","mes":"\(swipes[chosen])",\
        "swipe_id":\(chosen),"swipes":["\(swipes.joined(separator: "\",\""))"],"swipe_info":[\(infos.joined(separator: ","))]}

        """
    }
    let question =
      #"{"name":"Ann","is_user":true,"send_date":"2024-03-01T09:59:00.000Z","mes":"tea?"}"# + "\n"
    let before = ids(try picture(chat(question, chosen: 0, ["no", "yes"]), named: "a.jsonl"))
    let after = ids(try picture(chat("", chosen: 1, ["no", "yes", "later"]), named: "a.jsonl"))
    #expect(before.count == 3 && after.count == 3)
    #expect(before["no"] == after["no"] && before["yes"] == after["yes"])
    #expect(Set(after.values).count == 3)
  }

  @Test(arguments: [
    (#""February 29, 2024 12:34pm""#, "2024-2-29 12:34:0 minute"),
    (#""February 9, 2024 12:04am""#, "2024-2-9 0:4:0 minute"),
    (#""2024-2-29@12h34m56s""#, "2024-2-29 12:34:56 second"),
    (#""2024-2-29 @1h 2m 3s 4ms""#, "2024-2-29 1:2:3.4 millisecond"),
    ("1709210200000", "2024-2-29 12:36:40 millisecond"),
  ])
  func `times of SillyTavern are read as it has written them over the years`(time: String, shown: String)
    throws
  {
    let line = #"{"name":"Ann","is_user":true,"send_date":\#(time),"mes":"tea"}"#
    let found = try picture(line + "\n", named: "a.jsonl")
    #expect(found.messages.first?.text.hasPrefix(shown) == true, "\(found.messages.map(\.text))")
  }

  @Test(arguments: [
    "\"soon\"", "\"2024-2@\"", "\"99999-1-1@1h1m1s\"", "\"Smarch 1, 2024 1:00pm\"", "{}", "null",
  ])
  func `a message of SillyTavern without a time is passed over`(time: String) throws {
    let line = #"{"name":"Ann","is_user":true,"send_date":\#(time),"mes":"tea"}"#
    let found = try picture(line + "\n", named: "a.jsonl")
    #expect(found.messages.isEmpty)
    #expect(found.skipped.first?.reason == "it has no time")
  }

  @Test(arguments: [
    "<details type=\"reasoning\" done=\"true\">never closed", "<details type=\"",
    "<details type=\"reasoning\"></details>",
    "<details type=\"tool_calls\" arguments=\"&quot;{\" result=\"&quot;\"></details>",
    "a <details type=\"other\">b</details> c",
  ])
  func `answers of Open WebUI with half of an element lose none of their text`(content: String) throws {
    let escaped = content.replacing("\"", with: "\\\"")
    let found = try picture(
      """
      [{"id":"c","chat":{"history":{"messages":{"a":{"id":"a","childrenIds":[],"role":"assistant","content":"x \(escaped) y",
      "timestamp":1768085964}},"currentId":"a"}}}]
      """, named: "chat.json")
    let text = found.messages.map(\.body).joined(separator: " ")
    #expect(text.contains("x") && text.contains("y"))
    #expect(found.skipped.isEmpty)
  }

  @Test func `each chat of Open WebUI's database is read once, whatever stands in its channels`() throws {
    let found = try ImportPicture([Fixture.path("open-webui/webui.db")])
    #expect(found.messages.count { $0.body == "What is green tea?" } == 1)
    #expect(found.skipped.count == 1)
  }

  @Test func `what was taken back in Gemini CLI is a branch, also where the session was gone on with`() throws
  {
    let found = try picture(
      """
      {"sessionId":"s","projectHash":"p","startTime":"2026-03-01T12:00:00.000Z","kind":"main"}
      {"$set":{"messages":[{"id":"1","timestamp":"2026-03-01T12:00:01.000Z","type":"user","content":"tea"}]}}
      {"id":"2","timestamp":"2026-03-01T12:00:02.000Z","type":"gemini","content":"green"}
      {"id":"3","timestamp":"2026-03-01T12:00:03.000Z","type":"user","content":"black"}
      {"$rewindTo":"2"}
      {"id":"4","timestamp":"2026-03-01T12:00:04.000Z","type":"gemini","content":"white"}
      {"$set":{"summary":"Colours of tea"}}
      """, named: "session-1.jsonl")
    let trunk = found.messages.filter { !$0.conversation.contains("left behind") }
    #expect(trunk.map(\.body) == ["tea", "white"])
    #expect(found.messages.count == 4)
    #expect(found.conversations == ["Colours of tea", "Colours of tea (left behind: green)"])
  }

  @Test func `the folder of a session of Gemini CLI stands beside it`() throws {
    try Fixture.withFolder { folder in
      let session = """
        {"sessionId":"s","projectHash":"p"}
        {"id":"1","timestamp":"2026-03-01T12:00:01.000Z","type":"user","content":"tea"}

        """
      try Fixture.write(Array("/home/ann/tea house\n".utf8), to: folder + "/tea/.project_root")
      try Fixture.write(Array(session.utf8), to: folder + "/tea/chats/session-1.jsonl")
      #expect(try ImportPicture([folder]).conversations == ["tea house > tea"])
    }
  }

  @Test
  func
    `a result of LM Studio without an id is that of the call before it, and a version that is not there is none`()
    throws
  {
    let found = try picture(
      """
      {"name":"Tea","createdAt":1700000000000,"messages":[
      {"versions":[{"role":"user","content":[{"type":"text","text":"tea?"}]}],"currentlySelected":5},
      {"versions":[{"role":"assistant","steps":[
      {"type":"contentBlock","content":[{"type":"toolCallRequest","name":"pour"},{"type":"toolCallResult","content":"hot"}]},
      {"type":"status"}]}],"currentlySelected":0}]}
      """, named: "1700000000000.conversation.json")
    #expect(found.messages.map(\.body) == ["tea?", "pour", "hot"])
    #expect(found.messages.last?.sender == "pour")
    #expect(found.conversations == ["Tea"])
  }
}
