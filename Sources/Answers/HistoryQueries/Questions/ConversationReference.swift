public import MessageModel

/// A conversation by its name, a string in JSON, or by its id, a number.
public enum ConversationReference: Hashable, Sendable {
  /// The conversation with this name.
  case named(String)
  /// The conversation with this id.
  case id(Conversation.ID)
}

extension ConversationReference: Codable {
  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let id = try? container.decode(Conversation.ID.self) {
      self = .id(id)
    } else {
      self = .named(try container.decode(String.self))
    }
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .named(let name): try container.encode(name)
    case .id(let id): try container.encode(id)
    }
  }
}
