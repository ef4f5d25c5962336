internal import MessageModel

/// A property of messages by which they are counted: one sender, one kind, one feature.
///
/// Counts per block exist for each facet as for all messages. A facet is stored as value × 8 + aspect; the
/// view `message_facet` lists each message's facets except saved filters. The arithmetic wraps for values
/// that no store assigns; the checker finds them.
struct Facet: Hashable, Comparable, Sendable {
  let rawValue: Int64

  static func < (a: Facet, b: Facet) -> Bool { a.rawValue < b.rawValue }

  /// Numbers in the file's format.
  enum Aspect: Int64 {
    case sender = 1
    case kind = 2
    case feature = 3
    case saved = 4
  }

  private static let factor: Int64 = 8

  private init(_ aspect: Aspect, _ value: Int64) {
    rawValue = value &* Self.factor &+ aspect.rawValue
  }

  init(rawValue: Int64) { self.rawValue = rawValue }

  static func sender(_ id: Int64) -> Facet { Facet(.sender, id) }
  static func kind(_ kind: Message.Kind) -> Facet { Facet(.kind, Int64(kind.rawValue)) }
  static func feature(_ feature: MessagePredicate.Feature) -> Facet {
    Facet(.feature, MessageRow.Feature.bit(of: feature))
  }

  /// Membership in a saved filter, which ``FilterMembers`` counts.
  static func saved(_ filter: Int64) -> Facet { Facet(.saved, filter) }

  var sender: Int64? { rawValue & (Self.factor - 1) == Aspect.sender.rawValue ? rawValue >> 3 : nil }

  static func saved(_ filter: String) -> String { "\(filter) * \(factor) + \(Aspect.saved.rawValue)" }

  static func isSaved(_ column: String) -> String { "\(column) & \(factor - 1) = \(Aspect.saved.rawValue)" }

  static func each(sender: Int64?, kind: Int64, features: Int64, _ body: (Facet) -> Void) {
    if let sender { body(.sender(sender)) }
    body(Facet(.kind, kind))
    guard features != 0 else { return }
    for feature in MessagePredicate.Feature.allCases where features & MessageRow.Feature.bit(of: feature) != 0
    {
      body(.feature(feature))
    }
  }
}
