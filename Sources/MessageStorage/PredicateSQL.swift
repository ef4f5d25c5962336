internal import GRDB
internal import MessageModel

/// A predicate as a condition of SQL over the row of a message. All values are numbers, so nothing that people type
/// becomes part of a statement.
struct PredicateSQL {
  /// The condition, with a leading ` AND `; empty if everything is wanted.
  let condition: String
  /// The least range of ids that holds all that the predicate can hold for.
  let ids: ClosedRange<Message.ID>?

  init(_ predicate: MessagePredicate) throws(StoreError) {
    let range = Self.range(of: predicate)
    ids = range
    let text = try Self.text(predicate)
    condition = text == "1" ? "" : " AND \(text)"
  }

  private static func text(_ predicate: MessagePredicate) throws(StoreError) -> String {
    switch predicate {
    case .everything: "1"
    case .sender(let ids): "sender IN (\(list(ids.map(\.rawValue))))"
    case .kind(let kinds): "kind IN (\(list(kinds.map { Int64($0.rawValue) })))"
    case .ids(let range): "id BETWEEN \(literal(range.lowerBound)) AND \(literal(range.upperBound))"
    case .has(let feature): "features & \(MessageRow.Feature.bit(of: feature)) <> 0"
    case .not(let inner): "NOT ifnull(\(try text(inner)), 0)"
    case .and(let all): try join(all, by: " AND ", empty: "1")
    case .or(let any): try join(any, by: " OR ", empty: "0")
    case .matching, .regex:
      throw StoreError(
        .invalidRequest, "cannot filter by text", cause: "this store has no search index yet")
    }
  }

  private static func join(
    _ parts: [MessagePredicate], by word: String, empty: String
  ) throws(StoreError) -> String {
    var texts: [String] = []
    for part in parts { texts.append(try text(part)) }
    return texts.isEmpty ? empty : "(\(texts.joined(separator: word)))"
  }

  private static func list(_ values: [Int64]) -> String {
    values.sorted().map { String($0) }.joined(separator: ",")
  }

  /// The smallest integer is no literal in SQL: its digits alone would be a real number.
  private static func literal(_ id: Message.ID) -> String {
    id == .lowest ? "(-9223372036854775807 - 1)" : String(id.rawValue)
  }

  private static func range(of predicate: MessagePredicate) -> ClosedRange<Message.ID>? {
    switch predicate {
    case .ids(let range): range
    case .and(let all):
      all.compactMap { range(of: $0) }.reduce(nil) { sum, next in
        guard let sum else { return next }
        return sum.overlaps(next) ? sum.clamped(to: next) : next.lowerBound...next.lowerBound
      }
    default: nil
    }
  }
}
