/// A gap in a conversation: something of it, or perhaps something, is elsewhere (on a server) and not here.
///
/// It lies between two messages, or beyond the last one there is at an end. A client that has the newest hundred messages and a
/// hundred around a hit has one between them, and one beyond the oldest. Whoever keeps gaps (a store does) has them stay true
/// whatever comes, goes or moves: a gap is a stretch of ids, which are times, of which not all is known. A message within it is
/// known itself, and has a gap on either side.
public struct MessageGap: Hashable, Sendable {
  /// Some of what is missing in a gap.
  public enum Part: Hashable, Sendable {
    /// The newest messages of it: next to the message that it lies before.
    case newest
    /// The oldest messages of it: next to the message that it lies after.
    case oldest
    /// All of it.
    case all
  }

  /// The conversation that has it.
  public var conversation: Conversation.ID
  /// The message after which it lies; `nil` if nothing older is here.
  public var after: Message.ID?
  /// The message before which it lies; `nil` if nothing newer is here.
  public var before: Message.ID?
  /// The token of the server from which to go on, at the newer end of the gap.
  public var token: String?
  /// The number of messages that are missing, if it is known.
  public var size: Int?

  /// Creates a gap.
  public init(
    in conversation: Conversation.ID, after: Message.ID? = nil, before: Message.ID? = nil,
    token: String? = nil,
    size: Int? = nil
  ) {
    self.conversation = conversation
    self.after = after
    self.before = before
    self.token = token
    self.size = size
  }

  /// The ids between which not all is known, these two not among them.
  package var ends: (older: Message.ID, newer: Message.ID) { (after ?? .lowest, before ?? .highest) }

  /// Returns where what was loaded ends within the gap: as far from the known side as it surely reaches, `nil` if it brought
  /// nothing.
  ///
  /// Ids may say otherwise than the server's times, where a message was written here and got its time later: the time counts
  /// then, and the whole millisecond is left in doubt.
  ///
  /// - Parameter loaded: The messages, by their ids here, and their times there.
  package static func reach(of loaded: [(id: Message.ID, time: Timestamp?)], _ part: Part) -> Message.ID? {
    let places = loaded.map { message in
      guard let time = message.time, message.id.placeTime != time else { return message.id }
      return Message.ID(time: time, place: part == .newest ? Message.ID.placesPerMillisecond - 1 : 0)
    }
    return part == .newest ? places.min() : places.max()
  }
}

extension [MessageGap] {
  /// Returns the gap between two ids of a conversation, or beyond one; `nil` if all between them is known.
  ///
  /// - Complexity: O(*gaps*).
  package func gap(in conversation: Conversation.ID, from lower: Message.ID?, to upper: Message.ID?)
    -> MessageGap?
  {
    let (start, end) = (lower ?? .lowest, upper ?? .highest)
    let between = filter { $0.conversation == conversation && $0.ends.older < end && $0.ends.newer > start }
    guard let newest = between.max(by: { $0.ends.newer < $1.ends.newer }) else { return nil }
    let isWhole = between.count == 1 && newest.ends.older >= start && newest.ends.newer <= end
    return MessageGap(
      in: conversation, after: lower, before: upper, token: newest.ends.newer <= end ? newest.token : nil,
      size: isWhole ? newest.size : nil)
  }
}
