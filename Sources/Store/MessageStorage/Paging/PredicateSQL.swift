internal import GRDB
package import MessageModel

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

extension MessagePredicate {
  /// Compiles its patterns and queries of words.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if reading by it would fail for what it says.
  package func check() throws(StoreError) { _ = try PredicateSQL(self) }
}

struct PredicateWriter {
  /// How full-text queries are evaluated.
  enum Form {
    /// Row by row, which is cheap for the first few rows.
    case oneByOne
    /// For all rows at once.
    case asSets
    /// For all rows from `?1` to `?2` at once.
    case inRange
  }

  private(set) var arguments: [String] = []
  private let form: Form
  private let firstArgument: Int

  init(_ form: Form, firstArgument: Int) {
    self.form = form
    self.firstArgument = firstArgument
  }

  func bind(to statement: RawStatement) {
    for (index, argument) in arguments.enumerated() {
      statement.bind(argument, at: PredicateSQL.firstParameter + Int32(index))
    }
  }

  /// Returns `1` for a predicate that matches everything.
  mutating func text(_ predicate: MessagePredicate) throws(StoreError) -> String {
    switch predicate {
    case .everything: return "1"
    case .sender(let ids): return "sender IN (\(Self.list(ids.map(\.rawValue))))"
    case .conversation(let ids): return "conversation IN (\(Self.list(ids.map(\.rawValue))))"
    case .thread(let id): return "id IN (\(ThreadTree.members(of: Self.literal(id))))"
    case .kind(let kinds): return "kind IN (\(Self.list(kinds.map { Int64($0.rawValue) })))"
    case .ids(let range):
      return "id BETWEEN \(Self.literal(range.lowerBound)) AND \(Self.literal(range.upperBound))"
    case .written(let times): return MessageTimes.condition(times)
    case .has(let feature): return "features & \(MessageRow.Feature.bit(of: feature)) <> 0"
    case .file(let pattern):
      _ = try TextPattern(pattern)
      return """
        (features & \(MessageRow.Feature.bit(of: .attachment)) <> 0 AND EXISTS (SELECT 1 FROM attachment AS a \
        WHERE a.message = message.id AND \(SearchFunctions.name)(\(parameter(pattern)), a.name, message.id)))
        """
    case .forwarded(let pattern):
      _ = try TextPattern(pattern)
      let (name, parameter) = (SearchFunctions.name, parameter(pattern))
      return """
        (features & \(MessageRow.Feature.bit(of: .forward)) <> 0 AND EXISTS (SELECT 1 FROM forwarded AS f \
        WHERE f.message = message.id AND (\(name)(\(parameter), ifnull(f.author, ''), message.id) OR \
        \(name)(\(parameter), ifnull(f.chat, ''), message.id))))
        """
    case .not(let inner): return "NOT ifnull(\(try text(inner)), 0)"
    case .and(let all): return try join(all, by: " AND ", empty: "1")
    case .or(let any): return try join(any, by: " OR ", empty: "0")
    case .matching(let query): return try text(SearchQuery(query))
    case .regex(let pattern):
      // An invalid pattern must fail before anything is read.
      _ = try TextPattern(pattern)
      return "\(SearchFunctions.name)(\(parameter(pattern)), \(Self.wholeText), message.id)"
    }
  }

  private mutating func text(_ query: SearchQuery) -> String {
    if let expression = query.expression { return isIndexed(parameter(expression)) }
    switch query {
    case .not(let inner): return "NOT \(text(inner))"
    case .all(let parts): return "(\(parts.map { text($0) }.joined(separator: " AND ")))"
    case .any(let parts): return "(\(parts.map { text($0) }.joined(separator: " OR ")))"
    case .phrase, .term: return "0"
    }
  }

  private func isIndexed(_ parameter: String) -> String {
    let tables = SearchTable.allCases.map(\.name)
    switch form {
    case .oneByOne:
      let parts = tables.map { "EXISTS (SELECT 1 FROM \($0)(\(parameter)) AS s WHERE s.rowid = message.id)" }
      return "(\(parts.joined(separator: " OR ")))"
    case .asSets:
      let parts = tables.map { "SELECT rowid FROM \($0)(\(parameter))" }
      return "id IN (\(parts.joined(separator: " UNION ALL ")))"
    case .inRange:
      let parts = tables.map { "SELECT rowid FROM \($0)(\(parameter)) WHERE rowid BETWEEN ?1 AND ?2" }
      return "id IN (\(parts.joined(separator: " UNION ALL ")))"
    }
  }

  private mutating func join(
    _ parts: [MessagePredicate], by word: String, empty: String
  ) throws(StoreError) -> String {
    var texts: [String] = []
    for part in parts { texts.append(try text(part)) }
    if texts.count == 1 { return texts[0] }
    return texts.isEmpty ? empty : "(\(texts.joined(separator: word)))"
  }

  private mutating func parameter(_ argument: String) -> String {
    arguments.append(argument)
    return "?\(Int(PredicateSQL.firstParameter) + firstArgument + arguments.count - 1)"
  }

  static let wholeText = """
    iif(bytes IS NULL, text, text || ifnull((SELECT b.text FROM body AS b WHERE b.id = message.id), ''))
    """

  private static func list(_ values: [Int64]) -> String {
    values.sorted().map { String($0) }.joined(separator: ",")
  }

  /// The digits of the least integer alone would be a real number in SQL.
  static func literal(_ id: Message.ID) -> String {
    id == .lowest ? "(-9223372036854775807 - 1)" : String(id.rawValue)
  }
}
