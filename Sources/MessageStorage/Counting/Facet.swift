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

  static func sender(_ id: Int64) -> Facet { Facet(rawValue: id &* 8 &+ 1) }
  static func kind(_ kind: Message.Kind) -> Facet { Facet(rawValue: Int64(kind.rawValue) * 8 + 2) }

  static func feature(_ feature: MessagePredicate.Feature) -> Facet {
    Facet(rawValue: MessageRow.Feature.bit(of: feature) * 8 + 3)
  }

  /// Membership in a saved filter, which ``FilterMembers`` counts.
  static func saved(_ filter: Int64) -> Facet { Facet(rawValue: filter &* 8 &+ 4) }

  /// Calls `body` with each facet that a message has by itself.
  static func each(sender: Int64?, kind: Int64, features: Int64, _ body: (Facet) -> Void) {
    if let sender { body(.sender(sender)) }
    body(Facet(rawValue: kind &* 8 &+ 2))
    guard features != 0 else { return }
    for feature in MessagePredicate.Feature.allCases where features & MessageRow.Feature.bit(of: feature) != 0
    {
      body(.feature(feature))
    }
  }
}
