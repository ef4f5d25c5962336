public import MessageModel

/// Where a page begins: in JSON a word (`"newest"`, `"oldest"`, `"unread"`) or one key with its value (`{"around":"ID"}`).
public struct PageStart: Hashable, Sendable {
  /// The place.
  public var anchor: PageAnchor

  /// Creates a place.
  public init(_ anchor: PageAnchor) { self.anchor = anchor }
}

extension PageStart: Codable {
  private enum Key: CodingKey, CaseIterable {
    case before, after, around, time, number, percent
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(), let word = try? container.decode(String.self) {
      guard let anchor = Self.anchor(named: word) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "the words are newest, oldest and unread")
      }
      self.init(anchor)
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      let keys = Key.allCases.map(\.stringValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "it has one key of: \(keys)"))
    }
    switch key {
    case .before: self.init(.before(try container.decode(Message.ID.self, forKey: key)))
    case .after: self.init(.after(try container.decode(Message.ID.self, forKey: key)))
    case .around: self.init(.around(try container.decode(Message.ID.self, forKey: key)))
    case .time: self.init(.time(try container.decode(Timestamp.self, forKey: key)))
    case .number: self.init(.ordinal(try container.decode(Int.self, forKey: key).adding(-1)))
    case .percent: self.init(.percent(try container.decode(Double.self, forKey: key)))
    }
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    switch anchor {
    case .newest, .oldest, .firstUnread:
      var container = encoder.singleValueContainer()
      try container.encode(word)
    case .before(let id): try encode(id, .before, to: encoder)
    case .after(let id): try encode(id, .after, to: encoder)
    case .around(let id): try encode(id, .around, to: encoder)
    case .time(let time): try encode(time, .time, to: encoder)
    case .ordinal(let ordinal): try encode(ordinal.adding(1), .number, to: encoder)
    case .percent(let percent): try encode(percent, .percent, to: encoder)
    }
  }

  private func encode(_ value: some Encodable, _ key: Key, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(value, forKey: key)
  }

  /// The word for an anchor that needs nothing else.
  private var word: String {
    switch anchor {
    case .oldest: "oldest"
    case .firstUnread: "unread"
    case .newest, .before, .after, .around, .time, .ordinal, .percent: "newest"
    }
  }

  private static func anchor(named word: String) -> PageAnchor? {
    switch word {
    case "newest": .newest
    case "oldest": .oldest
    case "unread": .firstUnread
    default: nil
    }
  }
}
