public import MessageModel

/// Messages by their ids.
public struct MessagesAnswer: Codable, Hashable, Sendable {
  /// Those that are there, whole, in the order in which they were asked for.
  public var messages: [MessageAnswer]
  /// The ids of those that are not there.
  public var missing: [Message.ID]?
  /// The ids that were not come to: the answer had grown to some megabytes. To be asked for next.
  public var rest: [Message.ID]?
}
