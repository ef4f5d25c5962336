package import MessageMarkup
package import MessageModel
package import MessageStorage

/// A formatted part of a text, in UTF-16 units: in JSON `[start, end, "bold"]`. If they are not 0, the
/// numbers of hidden markup characters at its beginning and end follow, and then the target.
///
/// Parts are in order, outer ones first, and nested or disjoint.
public struct MarkAnswer: Codable, Hashable, Sendable {
  /// The first unit.
  public var start: Int
  /// The unit after the last.
  public var end: Int
  /// The style: `bold`, `italic`, `underline`, `strike`, `spoiler`, `code`, `block`, `quote`, `item`,
  /// `heading`, `link`, `mention`, `emoji` or `sign`.
  public var style: String
  /// The number of markup characters at its beginning.
  public var head: Int
  /// The number of markup characters at its end.
  public var tail: Int
  /// The address of a link, if the text is another; the language of a block; the text to show for an emoji or
  /// a sign.
  public var target: String?

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    (start, end, style) = (try list.decode(Int.self), try list.decode(Int.self), try list.decode(String.self))
    (head, tail) = (0, 0)
    if !list.isAtEnd { (head, tail) = (try list.decode(Int.self), try list.decode(Int.self)) }
    if !list.isAtEnd { target = try list.decode(String.self) }
  }

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(start)
    try list.encode(end)
    try list.encode(style)
    guard head > 0 || tail > 0 || target != nil else { return }
    try list.encode(head)
    try list.encode(tail)
    if let target { try list.encode(target) }
  }

  private init(_ span: MarkupSpan, _ unit: (Int) -> Int) {
    (start, end) = (unit(span.range.lowerBound), unit(span.range.upperBound))
    style = span.style == .quoteSign ? MarkupSpan.Style.sign.rawValue : span.style.rawValue
    (head, tail) = (unit(span.content.lowerBound) - start, end - unit(span.content.upperBound))
    target = span.target
  }

  /// Returns the marks of a text; `nil` if there are none.
  ///
  /// - Complexity: O(bytes).
  package static func marks(of text: String, as dialect: MarkupDialect, isCut: Bool) -> [MarkAnswer]? {
    let spans = Markup(text, as: dialect, isCut: isCut).spans
    guard !spans.isEmpty else { return nil }
    let units = Units(text, spans)
    return spans.map { MarkAnswer($0, units.unit) }
  }

  /// Converts byte offsets of a text to UTF-16 units.
  private struct Units {
    private var units: [Int: Int] = [:]

    init(_ text: String, _ spans: [MarkupSpan]) {
      var places = spans.flatMap {
        [$0.range.lowerBound, $0.content.lowerBound, $0.content.upperBound, $0.range.upperBound]
      }
      places.sort()
      var (byte, unit, next) = (0, 0, 0)
      for scalar in text.unicodeScalars {
        while next < places.count, places[next] <= byte {
          units[places[next]] = unit
          next += 1
        }
        guard next < places.count else { return }
        byte += UTF8.width(scalar)
        unit += UTF16.width(scalar)
      }
      for place in places[next...] { units[place] = unit }
    }

    func unit(_ byte: Int) -> Int { units[byte] ?? 0 }
  }
}

/// The markup dialects of conversations, each looked up once.
package struct ConversationDialects {
  private let store: SynchronousMessageStore
  private var dialects: [Conversation.ID: MarkupDialect] = [:]
  private var ids: [String: Conversation.ID?] = [:]

  /// The most cached at once.
  private static let limit = 4_096

  package init(_ store: SynchronousMessageStore) { self.store = store }

  package mutating func dialect(of id: Conversation.ID) throws(StoreError) -> MarkupDialect {
    if let known = dialects[id] { return known }
    let dialect = MarkupDialect(platform: try store.platform(of: id))
    if dialects.count >= Self.limit { dialects.removeAll(keepingCapacity: true) }
    dialects[id] = dialect
    return dialect
  }

  /// The dialect of a message's conversation, except for kinds without markup.
  mutating func dialect(of message: Message) throws(StoreError) -> MarkupDialect {
    message.kind.mayBeMarked ? try dialect(of: message.conversation) : .plain
  }

  /// Returns the dialect of a conversation by name; the plain one if it no longer exists.
  mutating func dialect(ofNamed name: String) throws(StoreError) -> MarkupDialect {
    let found: Conversation.ID?
    if let known = ids[name] {
      found = known
    } else {
      found = try store.conversation(named: name)?.id
      if ids.count >= Self.limit { ids.removeAll(keepingCapacity: true) }
      ids[name] = .some(found)
    }
    guard let found else { return .plain }
    return try dialect(of: found)
  }
}

extension QuestionAnswerer {
  /// The most characters of a text that are parsed for a line without markup.
  static let readLength = 8_192

  func mark(_ messages: inout [MessageAnswer]) throws(StoreError) {
    var dialects = ConversationDialects(store)
    for index in messages.indices { try Self.mark(&messages[index], &dialects) }
  }

  func mark(_ message: inout MessageAnswer) throws(StoreError) {
    var dialects = ConversationDialects(store)
    try Self.mark(&message, &dialects)
  }

  func mark(_ hits: inout [HitAnswer]) throws(StoreError) {
    var dialects = ConversationDialects(store)
    for index in hits.indices {
      try Self.mark(&hits[index].message, &dialects)
      for key in [\HitAnswer.Found.before, \.after] {
        guard var messages = hits[index].found[keyPath: key] else { continue }
        for place in messages.indices { try Self.mark(&messages[place], &dialects) }
        hits[index].found[keyPath: key] = messages
      }
    }
  }

  private static func mark(
    _ message: inout MessageAnswer, _ dialects: inout ConversationDialects
  ) throws(StoreError) {
    if let text = message.text {
      let dialect = message.kind.mayBeMarked ? try dialects.dialect(ofNamed: message.conversation) : .plain
      // An empty list saves the client from looking for links.
      message.marks = MarkAnswer.marks(of: text, as: dialect, isCut: message.textBytes != nil) ?? []
    }
    for index in message.reactions?.indices ?? 0..<0 {
      let name = message.reactions?[index].emoji ?? ""
      let shown = EmojiTable.shown(name)
      if shown != name { message.reactions?[index].shown = shown }
    }
  }
}
