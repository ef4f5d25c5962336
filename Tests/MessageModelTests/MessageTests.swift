import MessageModel
import Testing

@Suite struct MessageTests {
  private func message(_ text: String, byteCount: Int? = nil) -> Message {
    Message(
      id: Message.ID(time: Timestamp(millisecondsSince1970: 61_001), place: 9),
      conversation: Conversation.ID(rawValue: 1), precision: .minute, text: text, textByteCount: byteCount)
  }

  @Test func `a message is as old as its id says, as exactly as it is known`() {
    #expect(message("a").time.millisecondsSince1970 == 60_000)
  }

  @Test func `a text is cut if the whole of it is longer`() {
    #expect(message("äöü").textByteCount == 6 && !message("äöü").isTextCut)
    #expect(message("äöü", byteCount: 9).isTextCut)
  }

  @Test func `what a message weighs grows with all that it carries`() {
    var one = message("tea")
    let plain = one.byteCost
    one.text += "12345"
    #expect(one.byteCost == plain + 5)
    one.sender = Sender(id: Sender.ID(rawValue: 1), name: "ann")
    one.reactions = [Message.Reaction(emoji: "👍", senders: ["ann", "ben"])]
    one.attachments = [Message.Attachment(name: "a.jpg")]
    #expect(one.byteCost == plain + 5 + 3 + 128 + 192)
  }

  @Test func `the state of small pictures has a word, by which it is found`() {
    let states = [PictureState.pending, .made] + PictureRefusal.allCases.map { .refused($0) }
    #expect(
      states.map(\.word) == ["pending", "made", "unknown format", "damaged", "too large", "unreadable"])
    #expect(states.map { PictureState(word: $0.word) } == states)
    #expect(PictureState(word: "") == nil)
  }
}
