import MessageModel
import Testing

@Suite struct SelectionTests {
  private func message(
    _ text: String = "tea at four", kind: Message.Kind = .text, room: Int64 = 1, sender: Int64? = 1,
    minute: Int64 = 0
  ) -> Message {
    Message(
      id: Message.ID(time: Timestamp(millisecondsSince1970: minute * 60_000)),
      conversation: Conversation.ID(rawValue: room),
      sender: sender.map { Sender(id: Sender.ID(rawValue: $0), name: "ann") }, kind: kind, text: text)
  }

  @Test func `a selection holds the messages of its conversations for which its predicate holds`() {
    let tea = MessagePredicate.matching("tea")
    #expect(Selection.everything.contains(message()))
    #expect(Selection(Conversation.ID(rawValue: 1), where: tea).contains(message()))
    #expect(!Selection(Conversation.ID(rawValue: 2), where: tea).contains(message()))
    #expect(!Selection(.all, where: tea).contains(message("coffee")))
    #expect(!Selection(.some([])).contains(message()))
  }

  @Test func `each condition holds for what it names, and for nothing else`() {
    #expect(MessagePredicate.sender([Sender.ID(rawValue: 1)]).holds(for: message()))
    #expect(!MessagePredicate.sender([Sender.ID(rawValue: 1)]).holds(for: message(sender: nil)))
    #expect(MessagePredicate.textOnly.holds(for: message(kind: .action)))
    #expect(!MessagePredicate.textOnly.holds(for: message(kind: .notice)))
    #expect(MessagePredicate.matching("FOUR, tea").holds(for: message()))
    #expect(!MessagePredicate.matching("fou").holds(for: message()))
    #expect(MessagePredicate.regex("f.ur$").holds(for: message()))
    #expect(!MessagePredicate.regex("(").holds(for: message("(")))
    #expect(!MessagePredicate.not(.everything).holds(for: message()))
    #expect(MessagePredicate.and([]).holds(for: message()) && !MessagePredicate.or([]).holds(for: message()))
  }

  @Test(arguments: MessagePredicate.Feature.allCases)
  func `a feature is seen in what a page carries`(feature: MessagePredicate.Feature) {
    var one = message(feature == .link ? "see https://host.example" : "see")
    switch feature {
    case .attachment: one.attachments = [Message.Attachment(name: "a.jpg")]
    case .link: break
    case .reply: one.replyTo = .lowest
    case .edit: one.isEdited = true
    case .star: one.starredAt = one.time
    case .forward: one.forward = Message.Forward()
    }
    let holding = MessagePredicate.Feature.allCases.filter { MessagePredicate.has($0).holds(for: one) }
    #expect(holding == [feature])
  }

  @Test func `an interval of time holds its beginning and not its end`() {
    func time(_ minute: Int64) -> Timestamp { Timestamp(millisecondsSince1970: minute * 60_000) }
    let hour = MessagePredicate.time(from: time(0), until: time(60))
    #expect(hour.holds(for: message(minute: 0)) && hour.holds(for: message(minute: 59)))
    #expect(!hour.holds(for: message(minute: 60)) && !hour.holds(for: message(minute: -1)))
    #expect(MessagePredicate.time(from: nil, until: nil) == .written(Timestamp.supported))
    #expect(MessagePredicate.time(from: time(1), until: time(1)) == .or([]))
    #expect(MessagePredicate.time(from: time(2), until: time(1)) == .or([]))
  }

  @Test func `nothing is older than the beginning of time`() {
    #expect(MessagePredicate.time(from: nil, until: Timestamp.supported.lowerBound) == .or([]))
  }
}
