public import MessageModel

/// A page: neighbouring messages, and how they lie among all that were asked for.
public struct PageAnswer: Codable, Hashable, Sendable {
  /// In the order of the question, without a hole.
  public var messages: [MessageAnswer]
  /// Whether there are older messages than these.
  public var hasOlder: Bool
  /// Whether there are newer messages than these.
  public var hasNewer: Bool
  /// The number of the oldest message of the page, 1 being the oldest of all; `nil` if counts were not wanted, as what
  /// follows.
  public var firstNumber: Int?
  /// The number of messages.
  public var total: Int?
  /// Whether both numbers are exact; they are estimates if not.
  public var exact: Bool?
  /// The place that the one asked for led to.
  public var found: Page.Resolution.Match
  /// The message that the place asked for stands for.
  public var foundID: Message.ID?
  /// The version of these conversations.
  public var version: SourceVersion
  /// The place to go on at, if reading stopped before the limit or an end: few of very many messages pass the filter.
  public var next: PageStart?
}
