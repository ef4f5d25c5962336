public import MessageModel
internal import MessageStorage

/// Asks for many messages by their ids.
public struct MessagesQuestion: HistoryQuestion, ServedQuestion {
  /// Its word in JSON.
  public static let word = "messages"

  /// The ids of the messages.
  public var ids: [Message.ID]
  /// Whether how parts of texts look is wanted, as ``MessageAnswer/marks``.
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
  /// Those that are there, whole, in the order in which they were asked for.
  public var messages: [MessageAnswer]
  /// The ids of those that are not there.
  public var missing: [Message.ID]?
  /// The ids that were not come to: the answer had grown to some megabytes. To be asked for next.
  public var rest: [Message.ID]?

  package var count: Int { messages.count }
  package var shortened: MessagesAnswer {
    var short = self
    short.messages = messages.map(\.shortened)
    return short
  }
}

extension QuestionAnswerer {
  /// Returns messages by their ids, whole, in the order of the ids.
  ///
  /// Whole messages tell by ``MessageAnswer/edits`` that they were edited, where those of a page have ``MessageAnswer/edited``
  /// and ``MessageAnswer/revision``. Behind some megabytes of text it ends early, and says which ids are left.
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
