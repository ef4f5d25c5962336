import Foundation
import HistoryQueries
import MessageInterchange
import MessageModel
import MessageSourceTesting
import MessageStorage
import ShellTesting
import TestSupport
import Testing

/// Exports write their bytes by hand, since they write millions; answers are written by the encoder.
@Suite struct ExportEqualityTests {
  @Test(arguments: UInt64(0)..<(isLong ? 40 : 8))
  func `a whole message is written by the encoder as an export writes it, whatever it has`(seed: UInt64)
    throws
  {
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let record = Self.record(using: &dice)
      let conversation = Self.text(using: &dice)
      var (exported, answered): ([UInt8], [UInt8]) = ([], [])
      var format = JSONLinesExport()
      format.write(ExportRecord(record, conversation: conversation), to: &exported)
      let answer = MessageAnswer(record, conversation: conversation)
      try AnswerEncoder.write(answer, to: &answered)
      #expect(String(decoding: answered, as: UTF8.self) == String(decoding: exported, as: UTF8.self))
      #expect(try JSONDecoder().decode(MessageAnswer.self, from: Data(answered)) == answer)
    }
  }

  @Test func `an export of histories of many formats is what the encoder writes of the same messages`() throws
  {
    let fixture = try ShellFixture(count: 50)
    let folders = ["jsonl/canonical.jsonl", "history", "slack", "telegram", "discord", "matrix", "signal"]
    let paths = folders.map { GoldenFile.root.appending(path: "Fixtures/\($0)").path }
    try fixture.run(["import", "--quiet", "--keep-original"] + paths)
    let exported = try fixture.run(["export", "--json"]).output
    let ids = exported.matches(of: /(?m)^{"id":"(-?\d+)"/).compactMap { Message.ID(String($0.1)) }
    let store = try SynchronousMessageStore(path: fixture.store, options: .readOnly)
    defer { store.close() }
    var bytes: [UInt8] = []
    var rest = ids
    while !rest.isEmpty {
      let answer = try QuestionAnswerer(store).messages(rest)
      #expect(answer.missing == nil)
      for message in answer.messages { try AnswerEncoder.write(message, to: &bytes) }
      rest = answer.rest ?? []
    }
    #expect(ids.count > 400)
    #expect(String(decoding: bytes, as: UTF8.self) == exported)
    #expect(try fixture.run(["tail", "--all", "--json", "-n", "100000"]).output.count == exported.count)
  }

  @Test
  func `what apps keep with messages goes out and comes in again to the byte, and comes to what is there`()
    throws
  {
    let fixture = try ShellFixture(count: 3)
    let store = try SynchronousMessageStore(path: fixture.store)
    let room = try #require(try store.conversations().first).id
    let ids = try store.append(
      [
        NewMessage("plain"), NewMessage("x", payload: [0, 1, 255], sendingState: .failed),
        NewMessage("y", source: Message.Source(platform: "matrix", id: "$1"), sendingState: .read),
        NewMessage("z", payload: []),
      ], to: room)
    store.close()
    let exported = try fixture.run(["export", "--json"]).output
    #expect(exported.contains(#""kind":"text","text":"x","sendingState":"failed","payload":"AAH/"}"#))
    #expect(exported.contains(#""text":"z","payload":""}"#))
    let other = try ShellFixture(count: 0)
    let path = fixture.store + ".jsonl"
    try Data(exported.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try other.run(["import", "--quiet", path])
    #expect(try other.run(["export", "--json"]).output == exported)
    let again = try SynchronousMessageStore(path: other.store)
    #expect(try again.messages(in: .failed, limit: 9) == [ids[1]])
    #expect(try again.check().problems == [])
    // An import fills in what is missing, and leaves alone what the app has written since.
    try again.setPayload([7], of: ids[1])
    try again.setSendingState(nil, of: ids[2])
    again.close()
    try other.run(["import", "--quiet", path])
    let last = try SynchronousMessageStore(path: other.store)
    #expect(try last.payload(of: ids[1]) == [7] && last.messages(in: .failed, limit: 9) == [ids[1]])
    #expect(try last.messages(in: .read, limit: 9) == [ids[2]])
    last.close()
  }

  private static func record(using dice: inout SeededGenerator) -> MessageRecord {
    func some<Value>(_ value: Value) -> Value? { Bool.random(using: &dice) ? value : nil }
    func list<Value>(_ make: () -> Value) -> [Value] {
      (0..<Int.random(in: 0...2, using: &dice)).map { _ in make() }
    }
    let raw = Int64.random(in: .min ... .max, using: &dice)
    let id = Message.ID(rawValue: raw >> Int64.random(in: 0...40, using: &dice))
    let time = Timestamp(millisecondsSince1970: id.rawValue / 3)
    let edits = list { Message.Edit(time: time, text: text(using: &dice)) }
    let editedAt = some(time)
    let message = Message(
      id: id, conversation: Conversation.ID(rawValue: 1),
      sender: some(Sender(id: Sender.ID(rawValue: 1), name: text(using: &dice))),
      kind: Message.Kind.allCases.randomElement(using: &dice) ?? .text,
      precision: TimePrecision.allCases.randomElement(using: &dice) ?? .day, text: text(using: &dice),
      replyTo: some(id), thread: some(id), revision: Int.random(in: 0...3, using: &dice),
      isEdited: !edits.isEmpty || editedAt != nil || Bool.random(using: &dice),
      reactions: list { Message.Reaction(emoji: text(using: &dice), senders: list { text(using: &dice) }) },
      attachments: list {
        Message.Attachment(
          name: text(using: &dice), mediaType: some(text(using: &dice)), byteCount: some(Int(raw >> 20)),
          sha256: some("9f86"), path: some(text(using: &dice)),
          pixelSize: some(PixelSize(width: 1, height: 2)),
          duration: some(.milliseconds(3)), isStored: Bool.random(using: &dice), pictures: some(.made))
      }, sendingState: Message.SendingState.allCases.randomElement(using: &dice).flatMap { some($0) })
    var record = MessageRecord(
      message: message, senderID: some(text(using: &dice)), edits: edits, editedAt: editedAt,
      source: some(
        Message.Source(
          platform: text(using: &dice), id: some(text(using: &dice)), original: some(text(using: &dice)))),
      payload: some(list { UInt8.random(in: .min ... .max, using: &dice) }))
    record.conversationIdentity = ConversationIdentity(platform: text(using: &dice), key: text(using: &dice))
    return record
  }

  private static func text(using dice: inout SeededGenerator) -> String {
    let pieces = [
      "tea", "\"", "\\", "\n", "\u{0}", "\u{1B}[2J", "\u{7F}", "\u{85}", "👍🏽", "\u{202E}", "\u{2028}", "é",
    ]
    return (0..<Int.random(in: 0...4, using: &dice)).map { _ in pieces.randomElement(using: &dice) ?? "" }
      .joined()
  }
}
