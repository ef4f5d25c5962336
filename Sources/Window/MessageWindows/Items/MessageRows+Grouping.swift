public import MessageModel

extension MessageRows {
  /// Decides which adjacent messages are drawn together, with the sender's name shown once.
  ///
  /// ```swift
  /// let items = MessageRows(grouping: .bySender(within: .seconds(180)))
  /// let ownRule = MessageRows(
  ///   grouping: MessageRows.Grouping { above, message in
  ///     above.sender?.id == message.sender?.id && message.replyTo == nil
  ///   })
  /// ```
  ///
  /// A group always ends with its day, and at the line of unread messages.
  public struct Grouping: Sendable {
    let joins: @Sendable (_ above: Message, _ message: Message) -> Bool

    /// Creates a rule.
    ///
    /// - Parameter joins: Returns whether a message belongs to the group of the one above it, considering
    ///   only these two.
    public init(_ joins: @escaping @Sendable (_ above: Message, _ message: Message) -> Bool) {
      self.joins = joins
    }

    /// By sender, within seven minutes.
    public static let standard = bySender(within: .seconds(420))
    /// Each message on its own.
    public static let none = Grouping { _, _ in false }

    /// Groups messages of one sender in one conversation and thread that are at most an interval apart, and
    /// events (joins, changed topics) of the same conversation.
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
