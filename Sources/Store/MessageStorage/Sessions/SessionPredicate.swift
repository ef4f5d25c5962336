package import MessageModel

/// A condition on sessions of assistants.
package indirect enum SessionPredicate: Hashable, Sendable {
  /// Holds for each session.
  case everything
  /// Having a word of a sort in which a regular expression finds something.
  case word(SessionWord.Sort, pattern: String)
  /// In which something failed.
  case failed
  /// In whose name, first question or program a regular expression finds something.
  case title(pattern: String)
  /// Which went on within some milliseconds.
  case during(ClosedRange<Timestamp>)
  /// One of these conversations.
  case conversation(Set<Conversation.ID>)
  case not(SessionPredicate)
  /// For which all of these hold.
  case and([SessionPredicate])
  /// For which one of these holds.
  case or([SessionPredicate])

  /// Holds where all of these do, in the shortest form.
  package static func all(of parts: [SessionPredicate]) -> SessionPredicate {
    if parts.isEmpty { return .everything }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Whether it holds for a session with some words.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if a pattern is none.
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
  /// Whether it finds something in a text; where that would take too long it does not.
  func isIn(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { (try? matches(UnsafeRawBufferPointer($0))) ?? false }
  }
}

/// Writes such predicates as conditions of SQL over the row `s` of a session and the row `c` of its conversation. Patterns are
/// bound.
struct SessionPredicateSQL {
  private(set) var arguments: [String] = []
  private let firstParameter: Int

  /// - Parameter firstParameter: The number of the first parameter that is free.
  init(firstParameter: Int) { self.firstParameter = firstParameter }

  /// Returns the condition that `predicate` is.
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
      // No time is later than that of its place, by which an index leads.
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
    // Said now, and not in the middle of reading.
    _ = try TextPattern(pattern)
    arguments.append(pattern)
    return "\(SearchFunctions.name)(?\(firstParameter + arguments.count - 1), \(text), 0)"
  }
}
