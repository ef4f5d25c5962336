public import MessageModel
internal import MessageStorage

/// Asks for a message by id, or by its id on a platform.
public struct MessageQuestion: HistoryQuestion, ServedQuestion {
  /// Its word in JSON.
  public static let word = "message"

  /// The id of the message.
  public var id: Message.ID?
  /// The platform, for example `slack`.
  public var platform: String?
  /// Its id on that platform.
  public var platformID: String?
  /// Whether to include ``MessageAnswer/marks``.
  public var marks: Bool?

  /// Asks for a message by its id.
  public init(id: Message.ID) { self.id = id }

  /// Asks for a message by its id on a platform.
  public init(platform: String, platformID: String) {
    self.platform = platform
    self.platformID = platformID
  }
}

extension MessageQuestion {
  /// Returns the message.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> MessageAnswer {
    var message = try found(in: queries)
    if marks == true { try queries.mark(&message) }
    return message
  }

  private func found(in queries: QuestionAnswerer) throws(StoreError) -> MessageAnswer {
    if let id {
      if let message = try queries.message(id) { return message }
      throw QuestionAnswerer.notFound("message", "#\(id)")
    }
    guard let platform, let platformID else {
      throw StoreError(
        .invalidRequest, "it does not say which message is meant", remedy: "id, or platform and platformID")
    }
    let id = try queries.store.messageID(platform: platform, id: platformID)
    if let id, let message = try queries.message(id) { return message }
    throw QuestionAnswerer.notFound("message of \(platform)", platformID)
  }

  package var isOfMessagesAlone: Bool { true }

  package func check() throws(StoreError) {
    let isByPlatform = platform != nil && platformID != nil
    let isByNeither = platform == nil && platformID == nil
    guard id == nil ? isByPlatform : isByNeither else {
      throw StoreError(
        .invalidRequest, "cannot read the question", cause: "it does not say which message is meant",
        remedy: "id, or platform and platformID")
    }
  }
}

extension QuestionAnswerer {
  /// Returns a whole message; `nil` if there is none.
  public func message(_ id: Message.ID) throws(StoreError) -> MessageAnswer? {
    try messages([id]).messages.first
  }
}
