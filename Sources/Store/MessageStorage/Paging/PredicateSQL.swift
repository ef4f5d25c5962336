internal import GRDB
internal import MessageModel

/// A predicate as a condition of SQL over the row of a message. What people type never becomes part of a statement:
/// values are numbers, queries and patterns are bound.
struct PredicateSQL {
  /// The condition over a row that remains beside ``matching``, for rows that are looked at one by one; `nil` if
  /// there is none.
  let test: String?
  /// The same, for looking at all rows at once: full-text queries are answered as sets.
  let setTest: String?
  /// The full-text query that finds all messages which the predicate can hold for, in FTS5's language; `nil` if
  /// there is none.
  let matching: String?
  /// The values bound from ``firstParameter`` on.
  let arguments: [String]
  /// The least range of ids that holds all that the predicate can hold for.
  let ids: ClosedRange<Message.ID>?

  /// The parameter of ``matching``; others follow it.
  static let firstParameter: Int32 = 5

  init(_ predicate: MessagePredicate) throws(StoreError) {
    ids = Self.range(of: predicate)
    var queries: [String] = []
    var rest: [MessagePredicate] = []
    for part in predicate.conjuncts {
      if case .matching(let text) = part, let query = try SearchQuery(text).expression {
        queries.append(query)
      } else {
        rest.append(part)
      }
    }
    matching = queries.isEmpty ? nil : queries.joined(separator: " AND ")
    let first = matching == nil ? 0 : 1
    var writer = PredicateWriter(.oneByOne, firstArgument: first)
    var setWriter = PredicateWriter(.asSets, firstArgument: first)
    test = rest.isEmpty ? nil : try writer.text(.and(rest))
    setTest = rest.isEmpty ? nil : try setWriter.text(.and(rest))
    arguments = (matching.map { [$0] } ?? []) + writer.arguments
  }

  /// Whether it refuses anything.
  var isFilter: Bool { test != nil || matching != nil }

  /// Binds what the conditions refer to.
  func bind(to statement: RawStatement) {
    for (index, argument) in arguments.enumerated() {
      statement.bind(argument, at: Self.firstParameter + Int32(index))
    }
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
