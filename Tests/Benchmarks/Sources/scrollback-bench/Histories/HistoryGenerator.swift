import MessageModel
import MessageSourceTesting
import TestSupport

/// Makes up a history of any size, message by message: what people write, how they take turns, the rhythm of their
/// days and weeks. The same options always give the same messages.
///
/// Memory does not grow with the number of messages.
struct HistoryGenerator: Sendable {
  /// The options of a history.
  struct Options: Sendable {
    /// The number of messages.
    var count: Int
    /// Other seeds give other histories.
    var seed: UInt64
    /// The number of conversations, at least 1; the first are the busiest.
    var conversations: Int
    /// The earliest time of the first message.
    var start: Timestamp
    /// The last message comes before: more of them come faster, as many as there is room for at the usual pace do not.
    var end: Timestamp

    /// Creates options; from 2015-01-01 there is room for 11 million messages at the usual pace until 2024-01-01.
    init(
      count: Int, seed: UInt64 = 1, conversations: Int = 12,
      start: Timestamp = Timestamp(utc: CivilTime(year: 2015, month: 1, day: 1)),
      end: Timestamp = Timestamp(utc: CivilTime(year: 2024, month: 1, day: 1))
    ) {
      precondition(
        count >= 0 && conversations > 0, "A history has no fewer than 0 messages and 1 conversation.")
      precondition(start < end, "A history ends after it has begun.")
      self.count = count
      self.seed = seed
      self.conversations = conversations
      (self.start, self.end) = (start, end)
    }
  }

  /// The message made last, without its text: that is ``text``.
  struct Line: Sendable {
    var id: Message.ID
    var kind: Message.Kind = .text
    /// The index of its conversation in ``HistoryGenerator/conversationNames``.
    var conversation = 0
    /// The index of its sender in ``HistoryGenerator/senderNames``.
    var sender = 0
    /// An earlier message of the conversation that it answers.
    var replyTo: Message.ID?
  }

  /// The names of the conversations, all different.
  let conversationNames: [String]
  /// The names of those who write, all different.
  let senderNames: [String]
  /// The message made last.
  private(set) var line: Line
  /// Its text in UTF-8: never a control character but the line feed.
  private(set) var text: [UInt8] = []

  private var left: Int
  private var random: SeededGenerator
  private var writer = MadeUpText()
  private var rhythm: DailyRhythm
  private var newest: [Message.ID?]
  private let octavesOfConversations: Int

  /// Prepares a history with these options.
  init(_ options: Options) {
    left = options.count
    random = SeededGenerator(seed: options.seed)
    rhythm = DailyRhythm(start: options.start, end: options.end, count: options.count)
    line = Line(id: Message.ID(time: options.start).predecessor)
    newest = Array(repeating: nil, count: options.conversations)
    octavesOfConversations = Int.bitWidth - options.conversations.leadingZeroBitCount
    let names = writer.names(count: options.conversations + Self.senderCount)
    conversationNames = Array(names.prefix(options.conversations))
    senderNames = Array(names.dropFirst(options.conversations))
  }

  /// Makes the next message, and returns whether there was one to make.
  mutating func advance() -> Bool {
    guard left > 0 else { return false }
    left -= 1
    let time = rhythm.next(with: &random)
    line.id = max(Message.ID(time: time), line.id.successor)
    if random.oneIn(5) { line.conversation = drawConversation() }
    line.sender = (random.zipf(octaves: Self.octavesOfSenders) + line.conversation * 37) % Self.senderCount
    line.kind = drawKind()
    line.replyTo = line.kind == .text && random.oneIn(16) ? newest[line.conversation] : nil
    writer.write(line.kind, by: line.sender, to: &text, with: &random)
    newest[line.conversation] = line.id
    return true
  }

  private mutating func drawConversation() -> Int {
    random.zipf(octaves: octavesOfConversations) % conversationNames.count
  }

  private mutating func drawKind() -> Message.Kind {
    switch random.below(1_000) {
    case 0..<15: .action
    case 15..<18: .notice
    case 18..<36: .join
    case 36..<46: .part
    case 46..<54: .quit
    case 54..<55: .topic
    default: .text
    }
  }

  private static let octavesOfSenders = 10
  private static let senderCount = 1_200
}
