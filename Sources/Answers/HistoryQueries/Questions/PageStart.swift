public import MessageModel

/// The place at which a page begins: in JSON a word (`"newest"`, `"oldest"`, `"unread"`) or a key with its
/// value (`{"around":"ID"}`).
public struct PageStart: Hashable, Sendable {
  /// The place. A time in words, such as `march 2017`, is resolved when the question is answered; until then
  /// this is the newest end.
  public var anchor: PageAnchor {
    didSet { spokenTime = nil }
  }
  /// A time as people write it, in place of an anchor: `march 2017`.
  package private(set) var spokenTime: String?

  /// Creates a place.
  public init(_ anchor: PageAnchor) { self.anchor = anchor }

  /// Creates the place of the first message at or after a time as people write it (docs/queries.md); `nil`
  /// for an invalid time.
  public init?(time text: String) {
    guard let expression = TimeExpression(text) else { return nil }
    self.init(expression.absolute.map { .time($0) } ?? .newest)
    if expression.absolute == nil { spokenTime = text }
  }
}

extension PageStart: Codable {
  private enum Key: CodingKey, CaseIterable {
    case before, after, around, time, number, percent
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer(), let word = try? container.decode(String.self) {
      guard let anchor = Self.anchor(named: word) else {
        throw DecodingError.told("the words are newest, oldest and unread", at: decoder.codingPath)
      }
      self.init(anchor)
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      let keys = Key.allCases.map(\.stringValue).joined(separator: ", ")
      throw DecodingError.told("it needs exactly one of the keys \(keys)", at: decoder.codingPath)
    }
    switch key {
    case .before: self.init(.before(try container.decode(Message.ID.self, forKey: key)))
    case .after: self.init(.after(try container.decode(Message.ID.self, forKey: key)))
    case .around: self.init(.around(try container.decode(Message.ID.self, forKey: key)))
    case .time:
      let text = try container.decode(String.self, forKey: key)
      guard let start = PageStart(time: text) else {
        throw DecodingError.told(TimeExpression.refusal(of: text), at: container.codingPath + [key])
      }
      self = start
    case .number: self.init(.ordinal(try container.decode(Int.self, forKey: key).adding(-1)))
    case .percent: self.init(.percent(try container.decode(Double.self, forKey: key)))
    }
  }

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    if let spokenTime { return try encode(spokenTime, .time, to: encoder) }
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

extension PageStart? {
  var isOfMessagesAlone: Bool { self?.anchor != .firstUnread && self?.spokenTime == nil }
}
