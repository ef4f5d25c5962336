package import MessageMarkup
package import MessageModel
package import MessageStorage

/// A part of a text that its writer wanted to look different, in units of UTF-16: in JSON `[start, end, "bold"]`, behind
/// which stand, where they are not 0, how many units at its beginning and at its end are signs that are not shown, and what it is
/// about.
///
/// Parts are in their order, the outer ones first, and nested or apart.
public struct MarkAnswer: Codable, Hashable, Sendable {
  /// The first unit.
  public var start: Int
  /// The first unit behind it.
  public var end: Int
  /// Its looks: `bold`, `italic`, `underline`, `strike`, `spoiler`, `code`, `block`, `quote`, `item`, `heading`, `link`,
  /// `mention`, `emoji` or `sign`.
  public var style: String
  /// The units at its beginning that are signs.
  public var head: Int
  /// The units at its end that are signs.
  public var tail: Int
  /// Of a link the address, if it is not what stands there; of a block its language; of an emoji or a sign what is shown in
  /// its place.
  public var target: String?

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    (start, end, style) = (try list.decode(Int.self), try list.decode(Int.self), try list.decode(String.self))
    (head, tail) = (0, 0)
    if !list.isAtEnd { (head, tail) = (try list.decode(Int.self), try list.decode(Int.self)) }
    if !list.isAtEnd { target = try list.decode(String.self) }
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: What the encoder throws.
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

  /// The units of UTF-16 before some bytes of a text.
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

/// The manners in which the texts of conversations are marked, each looked up once.
package struct ConversationDialects {
  private let store: SynchronousMessageStore
  private var dialects: [Conversation.ID: MarkupDialect] = [:]
  private var ids: [String: Conversation.ID?] = [:]

  /// More are not kept at once.
  private static let limit = 4_096

  /// Creates dialects that are looked up in a store.
  package init(_ store: SynchronousMessageStore) { self.store = store }

  /// Returns the dialect of a conversation.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  package mutating func dialect(of id: Conversation.ID) throws(StoreError) -> MarkupDialect {
    if let known = dialects[id] { return known }
    let dialect = MarkupDialect(platform: try store.platform(of: id))
    if dialects.count >= Self.limit { dialects.removeAll(keepingCapacity: true) }
    dialects[id] = dialect
    return dialect
  }

  /// Returns the dialect of a message: that of its conversation, unless it is of a kind without marks.
  mutating func dialect(of message: Message) throws(StoreError) -> MarkupDialect {
    message.kind.mayBeMarked ? try dialect(of: message.conversation) : .plain
  }

  /// Returns the dialect of the conversation with a name; that without marks if there is none by now.
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
  /// The most characters of a text that are read for a line of it without the signs that mark it.
  static let readLength = 8_192

  /// Gives messages the marks of their texts, and reactions what is shown for their names.
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
      // Who gets an empty list need not look for links.
      message.marks = MarkAnswer.marks(of: text, as: dialect, isCut: message.textBytes != nil) ?? []
    }
    for index in message.reactions?.indices ?? 0..<0 {
      let name = message.reactions?[index].emoji ?? ""
      let shown = EmojiTable.shown(name)
      if shown != name { message.reactions?[index].shown = shown }
    }
  }
}
