internal import MessageModel

/// A selection as SQL: rows of one, several or all conversations, between two ids, under a condition that
/// counts per block may cover.
struct ArchiveScope {
  let numbers: ArchiveNumbers
  /// `nil` for the whole store.
  let conversations: [Int64]?
  let ids: ClosedRange<Message.ID>
  let isEmpty: Bool
  let condition: String?
  /// The facets equivalent to the condition, of which each message has at most one; `nil` if the condition is
  /// no facet.
  let facets: [Int64]?
  let isIndexed: Bool

  /// `haveOwnTimes`: whether any message was written at another time than that of its place. Throws
  /// ``StoreError`` of kind `invalidRequest` for an unsupported condition.
  init(_ selection: Selection, _ numbers: ArchiveNumbers, haveOwnTimes: Bool) throws(StoreError) {
    self.numbers = numbers
    var conversations: Set<Conversation.ID>?
    if case .some(let ids) = selection.conversations { conversations = ids }
    var (lower, upper, rest) = (Message.ID.lowest, Message.ID.highest, [MessagePredicate]())
    for part in selection.predicate.conjuncts {
      switch part {
      case .ids(let range): (lower, upper) = (max(lower, range.lowerBound), min(upper, range.upperBound))
      case .written(let times):
        // A message is never written later than the time of its place.
        let places = Message.ID.places(of: times)
        lower = max(lower, places.lowerBound)
        if haveOwnTimes { rest.append(part) } else { upper = min(upper, places.upperBound) }
      case .conversation(let ids): conversations = conversations?.intersection(ids) ?? ids
      case .everything, .sender, .kind, .has, .file, .forwarded, .thread, .matching, .regex, .not, .and, .or:
        rest.append(part)
      }
    }
    self.conversations = conversations?.map(numbers.number).sorted()
    isEmpty = lower > upper
    ids = ClosedRange(from: lower, to: upper)
    var writer = ArchivePredicate(numbers)
    var conditions: [String] = []
    for part in rest { conditions.append(try writer.sql(part)) }
    condition = conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    facets = rest.count == 1 ? Self.facets(rest[0], numbers) : nil
    isIndexed = rest.contains { part in
      switch part {
      case .sender, .matching, .thread: true
      case .everything, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .regex, .not, .and,
        .or:
        false
      }
    }
  }

  private static func facets(_ predicate: MessagePredicate, _ numbers: ArchiveNumbers) -> [Int64]? {
    switch predicate {
    case .sender(let ids): ids.map { ArchiveFacet.sender(numbers.number(of: $0)) }.sorted()
    case .kind(let kinds): kinds.map { ArchiveFacet.kind($0) }.sorted()
    case .has(let feature): ArchivePredicate.feature(feature).map { [ArchiveFacet.feature($0)] } ?? []
    case .everything, .conversation, .ids, .written, .file, .forwarded, .thread, .matching, .regex, .not,
      .and, .or:
      nil
    }
  }

  var unfiltered: ArchiveScope { ArchiveScope(self) }

  private init(_ other: ArchiveScope) {
    (numbers, conversations, ids, isEmpty) = (other.numbers, other.conversations, other.ids, other.isEmpty)
    (condition, facets, isIndexed) = (nil, nil, false)
  }

  var isCounted: Bool { condition == nil || facets != nil }

  var counted: [Int64] { conversations ?? [numbers.whole] }

  /// Whether there is a single order of time, which an index has.
  var isSingle: Bool { counted.count == 1 }

  func rows(of number: String) -> String {
    conversations == nil ? "m.store = \(numbers.store)" : "m.conversation = \(number)"
  }

  var andCondition: String { condition.map { " AND \($0)" } ?? "" }
}

struct ArchivePredicate {
  let numbers: ArchiveNumbers
  private var folded = FoldedWords()

  init(_ numbers: ArchiveNumbers) { self.numbers = numbers }

  /// Returns the condition on a row `m`, with values inline so that the planner sees them. Throws
  /// ``StoreError`` of kind `invalidRequest` for a search by words if the archive has none.
  mutating func sql(_ predicate: MessagePredicate) throws(StoreError) -> String {
    switch predicate {
    case .everything: return "true"
    case .sender(let ids): return Self.any("m.sender", ids.map(numbers.number))
    case .conversation(let ids): return Self.any("m.conversation", ids.map(numbers.number))
    case .kind(let kinds): return Self.any("m.kind", kinds.map { Int64($0.rawValue) })
    case .ids(let range):
      return "(m.id >= \(range.lowerBound) AND m.id <= \(range.upperBound))"
    case .written(let times):
      let (first, last) = (times.lowerBound.millisecondsSince1970, times.upperBound.millisecondsSince1970)
      return "\(Self.time(of: "m")) BETWEEN \(first) AND \(last)"
    case .has(let feature): return Self.feature(feature).map { "m.features & \($0) <> 0" } ?? "false"
    case .file(let pattern):
      return """
        EXISTS (SELECT 1 FROM jsonb_array_elements(m.details->'attachments') AS a
          WHERE a->>'name' ~ \(Self.literal(pattern)))
        """
    case .forwarded(let pattern):
      let pattern = Self.literal(pattern)
      return """
        (m.features & \(ArchiveFeature.forward) <> 0 AND (m.details->'forward'->>'author' ~ \(pattern)
          OR m.details->'forward'->>'chat' ~ \(pattern)) IS TRUE)
        """
    case .thread(let id): return thread(id)
    case .matching(let text): return "m.words @@ \(Self.literal(try words(text)))::tsquery"
    case .regex(let pattern):
      return "(CASE WHEN m.rest IS NULL THEN m.text ELSE m.text || m.rest END) ~ \(Self.literal(pattern))"
    // A message without a sender matches a negated sender.
    case .not(let inner): return "((\(try sql(inner))) IS NOT TRUE)"
    case .and(let all): return all.isEmpty ? "true" : "(\(try joined(all, " AND ")))"
    case .or(let any): return any.isEmpty ? "false" : "(\(try joined(any, " OR ")))"
    }
  }

  /// An expression for the time of writing, in milliseconds.
  static func time(of row: String) -> String {
    """
    (CASE WHEN \(row).features & \(ArchiveFeature.writtenAt) <> 0 THEN (\(row).details->>'written')::bigint
      ELSE \(row).id >> 12 END)
    """
  }

  private mutating func joined(_ parts: [MessagePredicate], _ sign: String) throws(StoreError) -> String {
    var texts: [String] = []
    for part in parts { texts.append(try sql(part)) }
    return texts.joined(separator: sign)
  }

  private mutating func words(_ text: String) throws(StoreError) -> String {
    if let expression = try? QueryExpression.reading(text, .words), let query = folded.query(expression) {
      return query
    }
    throw StoreError(
      .invalidRequest, "cannot search for '\(VisibleText.of(String(text.prefix(40))))'",
      cause: "there is no letter or digit in it", remedy: "a regular expression, which finds any sign")
  }

  /// Returns the condition for a thread: messages that name it and, among those that name none, replies to
  /// any of its messages.
  private func thread(_ id: Message.ID) -> String {
    """
    m.id IN (WITH RECURSIVE t(id) AS (
      SELECT \(id)::bigint UNION
      SELECT a.id FROM t JOIN message a ON a.store = \(numbers.store)
        AND (a.thread = \(id) OR a.reply_to = t.id AND a.thread IS NULL)) SELECT id FROM t)
    """
  }

  /// `nil` if the feature is not published.
  static func feature(_ feature: MessagePredicate.Feature) -> Int64? {
    switch feature {
    case .attachment: ArchiveFeature.attachment
    case .link: ArchiveFeature.link
    case .reply: ArchiveFeature.reply
    case .edit: ArchiveFeature.edit
    case .star: nil
    case .forward: ArchiveFeature.forward
    }
  }

  /// `=` for a single number, since an index then returns rows in order, which it does not for an array.
  static func any(_ column: String, _ numbers: [Int64]) -> String {
    if numbers.count == 1 { return "\(column) = \(numbers[0])::bigint" }
    return "\(column) = ANY ('{\(numbers.sorted().map { String($0) }.joined(separator: ","))}'::bigint[])"
  }

  /// The session runs with `standard_conforming_strings`: only quotes are doubled.
  private static func literal(_ text: String) -> String {
    "'" + text.replacing("\0", with: "\u{2400}").replacing("'", with: "''") + "'"
  }
}
