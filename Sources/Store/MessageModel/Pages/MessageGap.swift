/// A gap in a conversation: messages are, or may be, on a server and not here.
///
/// A gap is between two messages, or beyond the last one at an end. A client with the newest hundred messages
/// and a hundred around a hit has a gap between both, and one beyond the oldest message. A gap is a range of
/// ids, which are times, that is not completely known: a store corrects gaps when messages are added, removed
/// or moved. A message within a gap has a gap on either side.
public struct MessageGap: Hashable, Sendable {
  /// A part of the messages missing in a gap.
  public enum Part: Hashable, Sendable {
    /// The newest messages, next to the message after the gap.
    case newest
    /// The oldest messages, next to the message before the gap.
    case oldest
    /// All of it.
    case all
  }

  /// The conversation that has it.
  public var conversation: Conversation.ID
  /// The message before the gap; `nil` if nothing older is here.
  public var after: Message.ID?
  /// The message after the gap; `nil` if nothing newer is here.
  public var before: Message.ID?
  /// The server's token for continuing at the newer end of the gap.
  public var token: String?
  /// The number of missing messages, if known.
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

  /// The ids before and after the gap.
  package var ends: (older: Message.ID, newer: Message.ID) { (after ?? .lowest, before ?? .highest) }

  /// Returns how far into the gap loaded messages surely reach; `nil` if there are none.
  ///
  /// A message written here may have another time on the server. Then that time counts, and its whole
  /// millisecond stays in the gap.
  ///
  /// - Parameter loaded: The messages by their ids here, with their times on the server.
  package static func reach(of loaded: [(id: Message.ID, time: Timestamp?)], _ part: Part) -> Message.ID? {
    let places = loaded.map { message in
      guard let time = message.time, message.id.placeTime != time else { return message.id }
      return Message.ID(time: time, place: part == .newest ? Message.ID.placesPerMillisecond - 1 : 0)
    }
    return part == .newest ? places.min() : places.max()
  }
}

extension [MessageGap] {
  /// Returns the gap between two ids of a conversation, or beyond one, if any.
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
