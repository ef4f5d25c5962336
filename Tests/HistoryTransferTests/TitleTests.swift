import MessageModel
import MessageStorage
import Testing

/// A session that is followed is called as one that is imported at once.
@Suite struct TitleTests {
  private static let id = "5b1c7a10-0000-4000-8000-000000000001"

  /// Appends pieces to a file that is followed, and follows a copy of all of it.
  private func names(_ file: String, _ pieces: [String]) throws -> (followed: [String], atOnce: [String]) {
    let (followed, whole) = (try Followed(), try Followed())
    for piece in pieces {
      try followed.append(file, piece)
      try followed.settle(for: 60)
    }
    try whole.write(file, pieces.joined())
    try whole.settle(for: 60)
    return (try followed.store.conversations().map(\.name), try whole.store.conversations().map(\.name))
  }

  private static func claude(_ uuid: String, _ rest: String) -> String {
    #"{"parentUuid":null,"sessionId":"\#(id)","cwd":"/home/ann/tea","isSidechain":false,\#(rest),"uuid":"\#(uuid)","timestamp":"2026-05-01T10:00:0\#(uuid.count).000Z"}"#
      + "\n"
  }

  private static func codex(_ type: String, _ payload: String) -> String {
    #"{"timestamp":"2026-05-01T10:00:00.000Z","type":"\#(type)","payload":{\#(payload)}}"# + "\n"
  }

  private static let question =
    claude("u1", #""type":"user","message":{"role":"user","content":"make tea please"}"#)

  @Test(arguments: [
    (
      "tea/.aider.chat.history.md",
      [
        "\n# aider chat started at 2026-05-01 10:00:00\n\n> Aider v0.86.2  \n",
        "\n#### make tea please  \n\nSure.\n\n> Tokens: 1k sent, 10 received.  \n",
      ], "tea > make tea please"
    ),
    (
      "p/\(id).jsonl",
      [claude("u", #""type":"user","isMeta":true,"message":{"role":"user","content":"Caveat"}"#), question],
      "tea > make tea please"
    ),
    (
      "p/\(id).jsonl",
      [
        question, #"{"type":"ai-title","aiTitle":"Making tea","sessionId":"\#(id)"}"# + "\n",
        #"{"type":"custom-title","customTitle":"Five o clock","sessionId":"\#(id)"}"# + "\n",
      ], "tea > Five o clock"
    ),
    (
      "c/rollout-2026-05-01T10-00-00-\(id).jsonl",
      [
        codex("session_meta", #""id":"\#(id)","timestamp":"2026-05-01T10:00:00.000Z","cwd":"/home/ann/tea""#),
        codex(
          "response_item",
          #""type":"message","role":"user","content":[{"type":"input_text","text":"make coffee"}]"#),
      ], "tea > make coffee"
    ),
    (
      "c/rollout-2026-05-01T10-00-00-\(id).jsonl",
      [
        codex("session_meta", #""id":"\#(id)","timestamp":"2026-05-01T10:00:00.000Z","cwd":"/home/ann/tea""#),
        codex("event_msg", #""type":"thread_name_updated","thread_name":"Coffee""#),
      ], "tea > Coffee"
    ),
  ])
  func `a title that comes later is its name`(file: String, pieces: [String], name: String) throws {
    let found = try names(file, pieces)
    #expect(found.followed == [name] && found.atOnce == [name])
  }

  @Test func `questions and replies that were read in halves are whole, and were not edited`() throws {
    let followed = try Followed()
    let file = "tea/.aider.chat.history.md"
    try followed.write(file, "\n# aider chat started at 2026-05-01 10:00:00\n\n#### hello  \n\nhi\n")
    try followed.settle(for: 60)
    try followed.append(file, "\n#### first line  \n#### second line  \n")
    try followed.settle(for: 60)
    #expect(try followed.texts().suffix(1) == ["first line\nsecond line"])
    try followed.append(file, "#### third line  \n#### fourth line  \n\nanswer\n")
    try followed.settle(for: 60)
    var whole = ["hello", "hi", "first line\nsecond line\nthird line\nfourth line", "answer"]
    #expect(try followed.texts() == whole)
    try followed.append(file, "\nand its end\n\n> Applied edit to cup.py  \n")
    try followed.settle(for: 60)
    whole[3] = "answer\n\nand its end"
    whole.append("Applied edit to cup.py")
    #expect(try followed.texts() == whole)
    let page = try followed.store.page(PageRequest(Selection.everything, anchor: .newest, fetchLimit: 100))
    #expect(page.messages.allSatisfy { !$0.isEdited })
    #expect(try followed.restarted().texts() == whole)
  }
}
