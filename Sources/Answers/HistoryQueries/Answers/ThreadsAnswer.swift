public import MessageModel
internal import MessageStorage

/// Threads, those with the newest answers first.
public struct ThreadsAnswer: Codable, Hashable, Sendable {
  /// The threads.
  public var threads: [ThreadAnswer]
  /// The message before which to go on; `nil` if there are no others.
  public var next: Message.ID?
}

/// A thread: the message that began it, and its answers counted.
public struct ThreadAnswer: Codable, Hashable, Sendable {
  /// The id of the message that began it.
  public var id: Message.ID
  /// The name of its conversation.
  public var conversation: String
  /// When it was written.
  public var time: Timestamp
  /// The precision of that time; `nil` to the millisecond.
  public var precision: TimePrecision?
  /// The name of who wrote it; `nil` if nobody did.
  public var sender: String?
  /// The first line of its text; `nil` if that is empty.
  public var text: String?
  /// Whether the message that began it is not there (any more); `nil` if it is.
  public var missing: Bool?
  /// The number of answers.
  public var answers: Int
  /// `false` if there are more answers than that; else `nil`.
  public var exact: Bool?
  /// The number of answers that are unread; `nil` for none.
  public var unread: Int?
  /// The id of the newest answer.
  public var newest: Message.ID
  /// When that was written.
  public var newestTime: Timestamp
  /// The precision of that time; `nil` to the millisecond.
  public var newestPrecision: TimePrecision?
  /// The name of who wrote it; `nil` if nobody did.
  public var newestSender: String?

  init(_ thread: ThreadSummary, conversation: String, text: String?) {
    self.init(
      thread.id, first: thread.first, newest: thread.newest, conversation: conversation, text: text,
      AnswerCount(total: thread.answerCount, unread: thread.unreadCount, isMore: !thread.isExact))
  }

  init(
    _ id: Message.ID, first: Message?, newest: Message, conversation: String, text: String?,
    _ count: AnswerCount
  ) {
    self.id = id
    self.conversation = conversation
    time = first?.time ?? id.placeTime
    precision = first?.precision.unlessMillisecond
    sender = first?.sender?.name
    self.text = text
    missing = first == nil ? true : nil
    answers = count.total
    exact = count.isMore ? false : nil
    unread = count.unread > 0 ? count.unread : nil
    self.newest = newest.id
    newestTime = newest.time
    newestPrecision = newest.precision.unlessMillisecond
    newestSender = newest.sender?.name
  }
}
