package import MessageModel
package import MessageStorage

/// Terms about sessions of assistants, for messages in them and for sessions themselves.
extension QueryCompiler {

  /// The results and notes that begin by reporting a failure; docs/assistants.md lists the forms.
  static let failed = MessagePredicate.and([
    .kind([.result, .system]), .matching(FailureMark.word), .regex(FailureMark.pattern),
  ])

  func sessions(_ sort: SessionWord.Sort, _ term: QueryTerm) throws(StoreError) -> Set<Conversation.ID> {
    let ids = try store.sessionIDs(where: .word(sort, pattern: Self.pattern(sort, term.value)))
    if ids.isEmpty { throw try none(sort, term) }
    return ids
  }

  func models(_ term: QueryTerm) throws(StoreError) -> Set<Sender.ID> {
    let ids = try store.senderIDs(onPlatforms: words(.model, term))
    if ids.isEmpty { throw try none(.model, term) }
    return ids
  }

  /// Returns the tool calls that match a term, and their results.
  func calls(_ term: QueryTerm) throws(StoreError) -> MessagePredicate {
    let names = try words(.tool, term)
    if names.isEmpty { throw try none(.tool, term) }
    var results: Set<Sender.ID> = []
    for name in names { results.formUnion(try store.senderIDs(named: name)) }
    let called = "\\A(\(names.map(NamePattern.escaped).joined(separator: "|")))(\\n|\\z)"
    return .or([
      .and([.kind([.result]), .sender(results)]), .and([.kind([.tool]), .regex(called)]),
    ])
  }

  private func words(_ sort: SessionWord.Sort, _ term: QueryTerm) throws(StoreError) -> [String] {
    let all = try store.sessionWords(sort)
    let wanted = term.value.lowercased()
    if let pattern = NamePattern(term.value) { return all.filter(pattern.matches) }
    if sort == .tool { return all.filter { $0.lowercased() == wanted } }
    return all.filter { $0.lowercased().contains(wanted) }
  }

  private func none(_ sort: SessionWord.Sort, _ term: QueryTerm) throws(StoreError) -> StoreError {
    let near = Nearest.names(to: term.value, among: try store.sessionWords(sort), limit: Self.namedCount)
    let error = StoreError(
      .notFound, "no session has '\(VisibleText.of(term.key.rawValue)):\(VisibleText.of(term.value))'")
    return advice.telling(of: near, in: error, apart: "the nearest are in 'nearest'") { names in
      "did you mean \(names.map { "'\(VisibleText.of($0))'" }.joined(separator: ", "))?"
    }
  }

  /// Returns the regular expression for a value. A value with `*` or `?` must match completely. Any other
  /// value matches the whole name of a tool, a part of a path that begins at a word, or any part of a folder,
  /// branch or model.
  private static func pattern(_ sort: SessionWord.Sort, _ value: String) -> String {
    if NamePattern(value) != nil { return NamePattern.expression(findingFile: value) }
    let text = NamePattern.escaped(value)
    return switch sort {
    case .tool: "(?i)\\A\(text)\\z"
    case .file: "(?i)(?<![\\p{L}\\p{N}])\(text)"
    case .folder, .branch, .model: "(?i)\(text)"
    }
  }

  /// Returns the condition on sessions that a query means.
  ///
  /// - Throws: As ``predicate(_:)``; also `invalidRequest` for a term that does not apply to sessions.
  package mutating func sessions(_ query: MessageQuery) throws(StoreError) -> SessionPredicate {
    try sessions(query.expression)
  }

  private mutating func sessions(_ expression: QueryExpression) throws(StoreError) -> SessionPredicate {
    switch expression {
    case .phrase(let text, let isPrefix): return .title(pattern: Self.title(text, isPrefix: isPrefix))
    case .term(let term): return try sessions(term)
    case .not(let inner): return .not(try sessions(inner))
    case .any(let parts): return .or(try parts.map { part throws(StoreError) in try sessions(part) })
    case .all(let parts): return try allSessions(parts)
    }
  }

  /// Returns the conjunction. Several projects, branches or conversations are alternatives; several models
  /// and tools are not, since a session may have them all.
  private mutating func allSessions(_ parts: [QueryExpression]) throws(StoreError) -> SessionPredicate {
    var conditions: [SessionPredicate] = []
    var alternatives: [QueryTerm.Key: [SessionPredicate]] = [:]
    for part in parts {
      if case .term(let term) = part, [.project, .branch, .in].contains(term.key) {
        alternatives[term.key, default: []].append(try sessions(term))
      } else {
        conditions.append(try sessions(part))
      }
    }
    for key in alternatives.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      let any = alternatives[key] ?? []
      conditions.append(any.count == 1 ? any[0] : .or(any))
    }
    return .all(of: conditions)
  }

  private mutating func sessions(_ term: QueryTerm) throws(StoreError) -> SessionPredicate {
    switch term.key.facts.ofSessions {
    case .word(let sort): return .word(sort, pattern: Self.pattern(sort, term.value))
    case .conversation: return .conversation(try conversations(term.value))
    case .time: return Self.during(try predicate(term))
    case .state:
      if term.value == MessageQuery.failed { return .failed }
      throw Self.unknown("sessions are not", term.value, among: [MessageQuery.failed])
    case nil: throw Self.isOfMessages(term)
    }
  }

  private static func during(_ predicate: MessagePredicate) -> SessionPredicate {
    if case .written(let range) = predicate { return .during(range) }
    return .or([])
  }

  private static func isOfMessages(_ term: QueryTerm) -> StoreError {
    let keys = QueryTerm.Key.ofSessions.map { "\($0.rawValue):" }.joined(separator: " ")
    return StoreError(
      .invalidRequest, "'\(term.key.rawValue):' is a term for messages, not for sessions",
      cause: "sessions have \(keys)", remedy: .words("a search for messages"))
  }

  /// Matches the whole words of a phrase in order; the last may be a prefix.
  private static func title(_ text: String, isPrefix: Bool) -> String {
    let words = text.split { !$0.isLetter && !$0.isNumber }
    guard !words.isEmpty, !ExactText.isWanted(text) else { return "(?i)\(NamePattern.escaped(text))" }
    let joined = words.map { NamePattern.escaped(String($0)) }.joined(separator: "[^\\p{L}\\p{N}]+")
    return "(?i)(?<![\\p{L}\\p{N}])\(joined)\(isPrefix ? "" : "(?![\\p{L}\\p{N}])")"
  }
}
