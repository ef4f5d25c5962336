public import MessageModel
internal import MessageStorage

/// Asks for many messages by id.
public struct MessagesQuestion: HistoryQuestion, ServedQuestion {
  /// Its word in JSON.
  public static let word = "messages"

  /// The ids of the messages.
  public var ids: [Message.ID]
  /// Whether to include ``MessageAnswer/marks``.
  public var marks: Bool?

  /// Creates a question.
  public init(ids: [Message.ID]) { self.ids = ids }
}

extension MessagesQuestion {
  /// Returns the messages.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> MessagesAnswer {
    guard ids.count <= QuestionAnswerer.maxLimit else {
      throw StoreError(
        .invalidRequest, "cannot read \(ids.count) messages at once",
        remedy: "at most \(QuestionAnswerer.maxLimit) ids")
    }
    var answer = try queries.messages(ids)
    if marks == true { try queries.mark(&answer.messages) }
    return answer
  }

  package var isOfMessagesAlone: Bool { true }
}

/// Messages by their ids.
public struct MessagesAnswer: HistoryAnswer, ServedAnswer {
  /// The existing ones, whole, in the order asked for.
  public var messages: [MessageAnswer]
  /// The ids without a message.
  public var missing: [Message.ID]?
  /// The ids not reached before the answer had some megabytes, to be asked for next.
  public var rest: [Message.ID]?

  package var count: Int { messages.count }
  package var shortened: MessagesAnswer {
    var short = self
    short.messages = messages.map(\.shortened)
    return short
  }
}

extension QuestionAnswerer {
  /// Returns whole messages in the order of their ids.
  ///
  /// Edits of whole messages are in ``MessageAnswer/edits``, where pages have ``MessageAnswer/edited`` and
  /// ``MessageAnswer/revision``. The answer ends after some megabytes of text, and names the remaining ids.
  ///
  /// - Complexity: O(ids × log *n* + bytes), in one transaction.
  public func messages(_ ids: some Collection<Message.ID>) throws(StoreError) -> MessagesAnswer {
    let ids = Array(ids)
    let (records, rest) = try store.records(of: ids[...], byteLimit: Self.textByteLimit)
    let found = Set(records.map(\.message.id))
    let missing = ids[..<rest.startIndex].filter { !found.contains($0) }
    return MessagesAnswer(
      messages: try whole(records), missing: missing.isEmpty ? nil : missing,
      rest: rest.isEmpty ? nil : Array(rest))
  }
}
