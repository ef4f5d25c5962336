package import MessageModel

/// A condition on assistants' sessions.
package indirect enum SessionPredicate: Hashable, Sendable {
  /// All sessions.
  case everything
  /// Sessions with a word of a sort that matches a regular expression.
  case word(SessionWord.Sort, pattern: String)
  /// Sessions with a failure.
  case failed
  /// Sessions whose name, first question or program matches a regular expression.
  case title(pattern: String)
  /// Sessions that overlap a range of time.
  case during(ClosedRange<Timestamp>)
  /// Sessions that are one of these conversations.
  case conversation(Set<Conversation.ID>)
  case not(SessionPredicate)
  /// Sessions that match all of these.
  case and([SessionPredicate])
  /// Sessions that match one of these.
  case or([SessionPredicate])

  /// Returns the conjunction in its shortest form.
  package static func all(of parts: [SessionPredicate]) -> SessionPredicate {
    if parts.isEmpty { return .everything }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Whether a session with some words matches.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for an invalid pattern.
  package func holds(for session: AssistantSession, _ words: Set<SessionWord>) throws(StoreError) -> Bool {
    switch self {
    case .everything: return true
    case .word(let sort, let pattern):
      let pattern = try TextPattern(pattern)
      return words.contains { $0.sort == sort && pattern.isIn($0.word) }
    case .failed: return session.failureCount > 0
    case .title(let pattern): return try TextPattern(pattern).isIn(session.searchedText)
    case .during(let range):
      return session.newestWrittenAt ?? session.newest.placeTime >= range.lowerBound
        && session.oldestWrittenAt ?? session.oldest.placeTime <= range.upperBound
    case .conversation(let ids): return ids.contains(session.id)
    case .not(let inner): return try !inner.holds(for: session, words)
    case .and(let all):
      for part in all where try !part.holds(for: session, words) { return false }
      return true
    case .or(let any):
      for part in any where try part.holds(for: session, words) { return true }
      return false
    }
  }
}

extension TextPattern {
  /// Whether it matches anywhere; `false` if that exceeds the limit of work.
  func isIn(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { (try? matches(UnsafeRawBufferPointer($0))) ?? false }
  }
}

/// Writes predicates as SQL conditions on a session `s` and its conversation `c`. Patterns are bound.
struct SessionPredicateSQL {
  private(set) var arguments: [String] = []
  private let firstParameter: Int

  init(firstParameter: Int) { self.firstParameter = firstParameter }

  mutating func text(_ predicate: SessionPredicate) throws(StoreError) -> String {
    switch predicate {
    case .everything: return "1"
    case .word(let sort, let pattern):
      return """
        s.conversation IN (SELECT u.conversation FROM session_word AS w CROSS JOIN session_use AS u ON u.word = w.id \
        WHERE w.sort = \(sort.rawValue) AND \(try matching(pattern, "w.word")))
        """
    case .failed: return "s.failures > 0"
    case .title(let pattern): return try matching(pattern, AssistantSession.searchedColumns)
    case .during(let range):
      // A time is never later than that of its place, which an index finds.
      let (first, last) = (range.lowerBound.millisecondsSince1970, range.upperBound.millisecondsSince1970)
      return """
        s.newest >= \(PredicateWriter.literal(Message.ID(time: range.lowerBound))) AND \
        ifnull((SELECT time FROM written WHERE message = s.newest), s.newest >> 12) >= \(first) AND \
        ifnull((SELECT time FROM written WHERE message = s.oldest), s.oldest >> 12) <= \(last)
        """
    case .conversation(let ids):
      return "s.conversation IN (\(ids.map { "\($0.rawValue)" }.sorted().joined(separator: ",")))"
    case .not(let inner): return "NOT (\(try text(inner)))"
    case .and(let all): return try joined(all, by: " AND ", empty: "1")
    case .or(let any): return try joined(any, by: " OR ", empty: "0")
    }
  }

  private mutating func joined(
    _ parts: [SessionPredicate], by word: String, empty: String
  ) throws(StoreError) -> String {
    var texts: [String] = []
    for part in parts { texts.append("(\(try text(part)))") }
    return texts.isEmpty ? empty : "(\(texts.joined(separator: word)))"
  }

  private mutating func matching(_ pattern: String, _ text: String) throws(StoreError) -> String {
    // An invalid pattern must fail before anything is read.
    _ = try TextPattern(pattern)
    arguments.append(pattern)
    return "\(SearchFunctions.name)(?\(firstParameter + arguments.count - 1), \(text), 0)"
  }
}

/// A word of an assistant's session that can be searched.
package struct SessionWord: Hashable, Sendable {
  /// The sort of a word. Raw values are stored.
  package enum Sort: Int64, Hashable, Sendable, CaseIterable {
    /// The path of the assistant's folder.
    case folder = 0
    /// The git branch.
    case branch = 1
    /// The id of a model.
    case model = 2
    /// The name of a tool that was called.
    case tool = 3
    /// The path of a file that a call names.
    case file = 4

    /// Whether it comes from the notes of the session rather than its messages.
    var isNoted: Bool {
      switch self {
      case .folder, .branch: true
      case .model, .tool, .file: false
      }
    }
  }

  package var sort: Sort
  package var word: String

  package init(_ sort: Sort, _ word: String) {
    self.sort = sort
    self.word = word
  }
}
