package import MessageMarkup

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
