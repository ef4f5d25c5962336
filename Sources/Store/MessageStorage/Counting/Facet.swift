internal import MessageModel

/// A property of messages by which they are counted: one sender, one kind, one feature.
///
/// The counts per block are kept for each facet as for all messages, so that ordinals and totals under a filter by a
/// facet are as exact and as quick. As a number a facet is a value × 8 + a type; the view `message_facet` gives the
/// facets of each message but its membership in saved filters. Of values that no store gives out the arithmetic wraps:
/// the checker finds them.
struct Facet: Hashable, Comparable, Sendable {
  let rawValue: Int64

  static func < (a: Facet, b: Facet) -> Bool { a.rawValue < b.rawValue }

  /// The kinds of facets, as the numbers that forms of the file give them.
  enum Aspect: Int64 {
    case sender = 1
    case kind = 2
    case feature = 3
    case saved = 4
  }

  /// The number that the value of a facet is multiplied by.
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

  /// The sender whose messages have it; `nil` if it is another property.
  var sender: Int64? { rawValue & (Self.factor - 1) == Aspect.sender.rawValue ? rawValue >> 3 : nil }

  /// The facet in SQL of the members of a saved filter, whose id an expression gives.
  static func saved(_ filter: String) -> String { "\(filter) * \(factor) + \(Aspect.saved.rawValue)" }

  /// The condition in SQL that a facet in a column is membership in a saved filter.
  static func isSaved(_ column: String) -> String { "\(column) & \(factor - 1) = \(Aspect.saved.rawValue)" }

  /// Calls `body` with each facet that a message has by itself.
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
