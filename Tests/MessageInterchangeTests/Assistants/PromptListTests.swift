import Foundation
import MessageInterchange
import MessageModel
import Testing

/// Lists of what was typed into assistants, and what waited in a queue.
@Suite struct PromptListTests {
  private func picture(_ files: [String: String]) throws -> ImportPicture {
    try Fixture.withFolder { folder in
      for (name, text) in files { try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)") }
      return try ImportPicture([folder])
    }
  }

  @Test func `lists and sessions of two programs give all that was typed`() throws {
    let picture = try ImportPicture([Fixture.path("prompts")])
    #expect(Set(picture.files.map(\.format)) == ["claude-code", "codex"])
    try expectGolden(picture.text, "prompts.golden")
  }

  @Test func `the ids of prompts of lists and queues differ from each other and from those of sessions`()
    throws
  {
    let messages = try ImportPicture([Fixture.path("prompts")]).messages
    let ids = messages.compactMap { $0.details?.source?.id }
    #expect(ids.count == messages.count && Set(ids).count == ids.count)
    #expect(ids.count { $0.hasPrefix("list/") } == 12 && ids.count { $0.hasPrefix("queue/") } == 2)
  }

  @Test(arguments: [
    ("see [Pasted text #1 +2 lines] there", #"{"1":{"content":"left\nright"}}"#, "see left\nright there"),
    ("[Pasted text #2][Pasted text #1]", #"{"1":{"content":"a"},"2":{"content":"[b]"}}"#, "[b]a"),
    ("[...Truncated text #3 +9 lines...] so", #"{"3":{"content":"x"}}"#, "x so"),
    ("[Pasted text #1 +2 lines]", #"{"1":{"contentHash":"0123"}}"#, "[Pasted text #1 +2 lines]"),
    ("[Pasted text #1] and [2]", #"{}"#, "[Pasted text #1] and [2]"),
    ("look [Image #1]  ", #"{"1":{"type":"image","content":""}}"#, "look [Image #1]"),
    ("[[[[", #"{"1":{"content":"x"}}"#, "[[[["),
  ])
  func `what was pasted stands in its place as far as it is known`(
    display: String, pasted: String, text: String
  ) throws {
    let line =
      #"{"display":"\#(display)","pastedContents":\#(pasted),"timestamp":1772442000000,"project":"/a"}"#
    #expect(try picture(["history.jsonl": line]).messages.map(\.body) == [text])
  }

  @Test func `a line without a text or a time is reported`() throws {
    let found = try picture([
      "history.jsonl": #"""
      {"display":"make tea","pastedContents":{},"timestamp":1772442000000,"project":"/a"}
      {"display":"","pastedContents":{},"timestamp":1772442001000,"project":"/a"}
      {"display":"and coffee","pastedContents":{},"timestamp":"soon","project":"/a"}

      """#
    ])
    #expect(found.messages.map(\.body) == ["make tea"])
    #expect(found.skipped.map(\.reason) == ["it has no text", "it has no text or no time"])
  }

  private static let session = "5b1c7a10-0000-4000-8000-000000000001"

  private func session(_ lines: [String]) throws -> [ImportPicture.Line] {
    try picture(["\(Self.session).jsonl": lines.map { $0 + "\n" }.joined()]).messages
  }

  private static func queue(_ operation: String, _ second: Int, _ content: String? = nil) -> String {
    let content = content.map { #","content":"\#($0)""# } ?? ""
    return
      #"{"type":"queue-operation","operation":"\#(operation)","timestamp":"2026-03-01T10:00:1\#(second).000Z","#
      + #""sessionId":"\#(session)"\#(content)}"#
  }

  private static func record(_ id: String, _ second: Int, _ rest: String) -> String {
    #"{"parentUuid":null,"isSidechain":false,"sessionId":"\#(session)",\#(rest),"uuid":"\#(id)","#
      + #""timestamp":"2026-03-01T10:00:1\#(second).500Z"}"#
  }

  private static func user(_ id: String, _ second: Int, _ text: String) -> String {
    record(id, second, #""type":"user","message":{"role":"user","content":"\#(text)"}"#)
  }

  private static func attached(_ id: String, _ second: Int, _ prompt: String) -> String {
    record(id, second, #""type":"attachment","attachment":{"type":"queued_command","prompt":\#(prompt)}"#)
  }

  @Test(
    arguments: [
      ([queue("enqueue", 1, "tea"), queue("dequeue", 2), user("b", 3, "tea")], ["tea"]),
      ([queue("enqueue", 1, "tea"), queue("remove", 2), attached("b", 3, #""tea""#)], ["tea"]),
      ([queue("enqueue", 1, "tea"), attached("b", 3, #"[{"type":"text","text":"tea"}]"#)], ["tea"]),
      ([queue("enqueue", 1, "tea"), queue("popAll", 2, "tea")], ["tea", "queued"]),
      (
        [queue("enqueue", 1, "tea"), queue("enqueue", 2, "tea"), user("b", 3, "tea")],
        ["tea", "queued", "tea"]
      ),
      ([queue("enqueue", 1, "<task-notification>x</task-notification>")], []),
      ([queue("enqueue", 1, "  "), queue("dequeue", 2)], []), ([queue("mislay", 1, "tea")], [#"{"type"#]),
    ] as [([String], [String])])
  func `a queued prompt is there once, and marked if the session does not have it`(
    lines: [String], bodies: [String]
  ) throws {
    let found = try session([Self.user("a", 0, "cups")] + lines)
    let said = found.filter { $0.details?.source?.id != "a" }
    #expect(said.map { String($0.body.prefix(6)) } == bodies.map { String($0.prefix(6)) })
    #expect(said.allSatisfy { ($0.kind == .text) == ($0.sender == "me") })
  }

  @Test func `what the program says of an interruption is not the words of a person`() throws {
    let found = try session([
      Self.user("a", 0, "cups"), Self.user("b", 1, "[Request interrupted by user for tool use]"),
    ])
    #expect(found.map(\.kind) == [.text, .system] && found.map(\.sender) == ["me", nil])
  }
}
