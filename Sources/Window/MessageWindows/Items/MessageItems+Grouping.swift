public import MessageModel

extension MessageItems {
  /// Which neighbours of a list are drawn together, under the name of their sender once.
  ///
  /// ```swift
  /// let items = MessageItems(grouping: .bySender(within: .seconds(180)))
  /// let ownRule = MessageItems(
  ///   grouping: MessageItems.Grouping { above, message in
  ///     above.sender?.id == message.sender?.id && message.replyTo == nil
  ///   })
  /// ```
  ///
  /// Whatever it says, a group ends with its day, and at the line of the unread messages.
  public struct Grouping: Sendable {
    let joins: @Sendable (_ above: Message, _ message: Message) -> Bool

    /// Groups by a rule of one's own.
    ///
    /// - Parameter joins: Returns whether a message belongs to the group of the one above it, by these two alone.
    public init(_ joins: @escaping @Sendable (_ above: Message, _ message: Message) -> Bool) {
      self.joins = joins
    }

    /// By sender, within seven minutes.
    public static let standard = bySender(within: .seconds(420))
    /// Each message on its own.
    public static let none = Grouping { _, _ in false }

    /// Groups what one sender said in one conversation and thread with no more than an interval between two messages, and events
    /// (somebody came in, a topic was changed) with events of the same conversation.
    public static func bySender(within interval: Duration) -> Grouping {
      let most = interval.milliseconds
      return Grouping { above, message in
        guard above.conversation == message.conversation, above.kind.isEvent == message.kind.isEvent,
          above.kind.isStep == message.kind.isStep
        else { return false }
        if message.kind.isEvent { return true }
        guard let sender = message.sender, sender.id == above.sender?.id, above.thread == message.thread
        else { return false }
        return message.time.millisecondsSince1970 - above.time.millisecondsSince1970 <= most
      }
    }
  }
}
