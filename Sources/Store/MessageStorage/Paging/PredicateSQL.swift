internal import GRDB
internal import MessageModel

/// A predicate as an SQL condition on a message's row. Typed text never becomes part of a statement: numbers
/// are literal, queries and patterns are bound.
struct PredicateSQL {
  /// The condition besides ``matching``, for testing rows one by one.
  let test: String?
  /// The same for all rows at once: full-text queries are evaluated as sets.
  let setTest: String?
  /// An FTS5 query that finds all messages the predicate may match, if there is one.
  let matching: String?
  let arguments: [String]
  /// A range of ids that contains all matches.
  let ids: ClosedRange<Message.ID>?

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

  var isFilter: Bool { test != nil || matching != nil }

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
