import Foundation
import MessageModel
import Testing

/// Conversations with assistants, beyond what the golden files of their fixtures show.
@Suite struct AssistantTests {
  private static let session = "claude-code/-home-ann-tea/5b1c7a10-0000-4000-8000-000000000001.jsonl"

  private func picture(_ text: String, named name: String) throws -> ImportPicture {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      return try ImportPicture([folder])
    }
  }

  private func record(
    _ id: String, after parent: String?, _ text: String, second: Int, by type: String = "user"
  ) -> String {
    let parent = parent.map { "\"\($0)\"" } ?? "null"
    let time = "2026-03-01T10:00:\(second < 10 ? "0" : "")\(second).000Z"
    return
      #"{"parentUuid":\#(parent),"isSidechain":false,"sessionId":"s1","type":"\#(type)","message":{"role":"\#(type)","#
      + #""content":"\#(text)"},"uuid":"\#(id)","timestamp":"\#(time)"}"# + "\n"
  }

  @Test(arguments: Array(stride(from: 1, to: 60, by: 7)))
  func `a session that is cut anywhere in its last line gives all before it, and no error`(count: Int) throws
  {
    let whole = record("a", after: nil, "one", second: 1) + record("b", after: "a", "two é", second: 2)
    let found = try picture(String(decoding: whole.utf8.dropLast(count), as: UTF8.self), named: "s.jsonl")
    #expect(found.skipped.isEmpty)
    #expect(found.messages.map(\.body) == (count == 1 ? ["one", "two é"] : ["one"]))
  }

  @Test func `what was asked again leaves the first way behind, in an archive too`() throws {
    let text =
      record("a", after: nil, "root", second: 1)
      + record("b", after: "a", "answer", second: 2, by: "assistant")
      + record("c", after: "b", "left", second: 3)
      + record("d", after: "c", "left, too", second: 4, by: "assistant")
      + record("e", after: "b", "taken", second: 5)
    let found = try picture(text, named: "s.jsonl")
    let places = Dictionary(grouping: found.messages, by: \.conversation).mapValues { $0.map(\.body) }
    #expect(places.count == 2 && places.values.contains(["left", "left, too"]))
    #expect(places.values.contains(["root", "answer", "taken"]))
  }

  @Test func `a session that begins anew at its first question leaves that behind`() throws {
    let text =
      record("a", after: nil, "first", second: 1) + record("b", after: "a", "second", second: 2)
      + record("c", after: nil, "anew", second: 3)
    let places = Dictionary(grouping: try picture(text, named: "s.jsonl").messages, by: \.conversation)
    #expect(Set(places.values.map { $0.map(\.body) }) == [["first", "second"], ["anew"]])
  }

  @Test func `where no question names the one before it, all of a session is one way`() throws {
    let text = record("a", after: nil, "first", second: 1) + record("b", after: nil, "second", second: 2)
    #expect(try picture(text, named: "s.jsonl").conversations.count == 1)
  }

  @Test func `records that name each other or nobody end, and lose nothing`() throws {
    let text =
      record("a", after: "b", "one", second: 1) + record("b", after: "a", "two", second: 2)
      + record("a", after: "a", "three", second: 3) + record("c", after: "gone", "four", second: 4)
    #expect(try picture(text, named: "s.jsonl").messages.count == 4)
  }

  @Test func `a result of a megabyte comes in whole, and a picture with its bytes`() throws {
    let long = String(repeating: "word \\n", count: 150_000)
    let text = record("a", after: nil, long, second: 1)
    let found = try picture(text, named: "s.jsonl")
    #expect(found.messages.map { $0.body.utf8.count } == [150_000 * 6])
    let fixture = try ImportPicture([Fixture.path(Self.session)])
    let contents = fixture.messages.compactMap { $0.details?.contents[0] }
    #expect(contents.count == 2 && contents.allSatisfy { $0.starts(with: [0x89, 0x50, 0x4E, 0x47]) })
  }

  @Test func `a block of a later version is kept as it stands, but for what only its maker can read`() throws
  {
    let blocks =
      #"[{"type":"text","text":"hello"},{"type":"telepathy","waves":[1,2]},"#
      + #"{"type":"redacted_thinking","data":"c2VjcmV0"}]"#
    let line = record("a", after: nil, "CONTENT", second: 1, by: "assistant")
      .replacingOccurrences(of: #""CONTENT""#, with: blocks)
    let messages = try picture(line, named: "s.jsonl").messages
    #expect(messages.map(\.kind) == [.text, .unknown])
    #expect(messages.map(\.body) == ["hello", #"{"type":"telepathy","waves":[1,2]}"#])
  }

  @Test func `a call that gave nothing has ended, and a blank answer is no message`() throws {
    let call = record("a", after: nil, "CONTENT", second: 1, by: "assistant").replacingOccurrences(
      of: #""CONTENT""#,
      with:
        #"[{"type":"text","text":"\n\n"},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"true"}}]"#
    )
    let result = record("b", after: "a", "CONTENT", second: 2).replacingOccurrences(
      of: #""CONTENT""#,
      with: #"[{"type":"tool_result","tool_use_id":"t","content":""},{"type":"text","text":"so"}]"#)
    let messages = try picture(call + result, named: "s.jsonl").messages
    #expect(messages.map(\.kind) == [.tool, .result, .text])
    #expect(messages.map(\.body) == ["Bash\ncommand: true", "(no output)", "so"])
    #expect(messages.map(\.sender) == ["Claude", "Bash", "me"])
    // What earlier versions brought keeps its id.
    #expect(messages.map { $0.details?.source?.id } == ["a/2", "b/end-1", "b"])
  }

  @Test(arguments: [
    ("**Why** does `brew()` boil over?", "tea > Why does brew() boil over?"),
    ("# Tea\\n\\nWhy?", "tea > Tea"), ("```swift\\nlet tea = 1\\n```", "tea > let tea = 1"),
    ("what is 2 * 3 * 4 in snake_case_names", "tea > what is 2 * 3 * 4 in snake_case_names"),
    ("[the pot](https://example.org/pot) leaks", "tea > the pot leaks"), ("****", "tea > ****"),
  ])
  func `the title of a session has no signs that mark its text`(question: String, title: String) throws {
    let line = record("a", after: nil, question, second: 1)
      .replacingOccurrences(of: #""sessionId""#, with: #""cwd":"/home/ann/tea","sessionId""#)
    let found = try picture(line, named: "s.jsonl")
    #expect(found.conversations == [title])
  }

  @Test func `a folder keeps its name, whatever signs it has`() throws {
    let line = record("a", after: nil, "Make tea", second: 1)
      .replacingOccurrences(of: #""sessionId""#, with: #""cwd":"/home/ann/__tests__","sessionId""#)
    #expect(try picture(line, named: "s.jsonl").conversations == ["__tests__ > Make tea"])
  }

  @Test func `a session and its branches are called after their first real questions`() throws {
    func command(_ id: String, after parent: String?, _ name: String, second: Int) -> String {
      record(
        id, after: parent, "<command-name>\(name)</command-name><command-args></command-args>", second: second
      )
        + record(
          id + "o", after: id, "<local-command-stdout>done</local-command-stdout>", second: second + 1)
    }
    let text =
      command("a", after: nil, "/clear", second: 1) + record("b", after: "ao", "Make tea", second: 3)
      + record("c", after: "b", "Made", second: 4, by: "assistant")
      + command("d", after: "c", "/model", second: 5) + record("e", after: "do", "Now coffee", second: 7)
      + record("f", after: "e", "No", second: 8, by: "assistant")
      + command("g", after: "c", "/exit", second: 9)
    let named = try picture(text, named: "s.jsonl").conversations
    #expect(named == ["Make tea", "Make tea (left behind: Now coffee)"])
    let review = record(
      "a", after: nil, "<command-name>/review</command-name><command-args>12</command-args>", second: 1)
    let asked =
      review + record("b", after: "a", "Fine", second: 2, by: "assistant")
      + record("c", after: "b", "Thanks", second: 3)
    #expect(try picture(asked, named: "s.jsonl").conversations == ["/review 12"])
  }

  @Test(arguments: [
    "claude-code", "codex", "chatgpt", "claude-ai", "gemini-cli", "llm", "opencode", "cursor", "open-webui",
    "sillytavern", "crush", "lm-studio", "gemini-takeout", "character-ai", "aider", "cline", "copilot",
    "copilot-chat", "pi", "amp", "kimi", "hermes", "grok-build", "kiro", "vibe", "gptme", "specstory",
    "openhands", "droid",
    "librechat", "continue",
    "zed",
    "goose",
    "qwen-code",
    "deepseek",
    "grok",
  ])
  func `all ids of a platform are different, and none is doubtful`(format: String) throws {
    let found = try ImportPicture([Fixture.path(format)])
    let ids = found.messages.compactMap { $0.details?.source?.id }
    #expect(ids.count == found.messages.count)
    #expect(Set(ids).count == ids.count)
    #expect(found.messages.allSatisfy { $0.details?.hasDoubtfulID == false })
  }

  @Test func `a document that is told among the files, too, is attached once`() throws {
    let found = try picture(
      """
      [{"uuid":"x","name":"Tea","chat_messages":[{"uuid":"m","text":"see","sender":"human","created_at":"2026-03-01T00:00:00Z",
      "attachments":[{"file_name":"tea.pdf","extracted_content":"hot"},{"file_name":""},{"file_name":""}],
      "files":[{"file_name":"tea.pdf"},{"file_name":"cup.png"},{"file_name":"cup.png"}]}]}]
      """, named: "conversations.json")
    #expect(
      found.messages.first?.details?.attachments.map(\.name)
        == ["tea.pdf", "pasted.txt", "pasted.txt", "cup.png", "cup.png"])
  }

  @Test(arguments: [
    #"[{"title":"t","mapping":{},"create_time":1}]"#,
    #"[{"title":"t","mapping":[],"create_time":1,"id":"x"}]"#,
    #"[{"id":"x","title":7,"create_time":"y","mapping":{"a":{"id":"a","parent":"a","message":{"content":[]}}}}]"#,
    #"[{"uuid":"x","chat_messages":[7,{"uuid":1,"content":{}},{"text":[],"created_at":"never"}]}]"#,
    #"[{"uuid":"x","chat_messages":[{"uuid":"m","text":"no time","sender":"human"}]}]"#,
    #"[{"id":"x","inserted_at":"never","mapping":[{"fragments":[]}]}]"#,
    #"[{"id":"x","inserted_at":"never","mapping":{"a":7,"b":{"message":[]},"c":{"message":{"fragments":[7]}}}}]"#,
    #"[{"id":"x","mapping":{"a":{"message":{"inserted_at":1,"fragments":[{"type":"REQUEST","content":[]}]}}}}]"#,
    #"{"conversations":[7,{"responses":[]},{"conversation":{"id":"x"}}],"a":{"response":0,"conversation_id":1}}"#,
    #"{"conversations":[{"conversation":{"id":"x"},"responses":[7,{"response":{"conversation_id":"x"}}]}]}"#,
  ])
  func `chats that make no sense are skipped with a reason`(text: String) throws {
    let found = try picture(text, named: "conversations.json")
    #expect(found.messages.isEmpty && !found.skipped.isEmpty)
  }
}
