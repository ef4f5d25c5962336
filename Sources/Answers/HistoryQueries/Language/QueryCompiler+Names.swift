internal import MessageModel

/// A name is looked up exactly; then as a pattern, if it has `*` or `?`; then without regard to case; and
/// finally as whole words that only one name contains.
extension QueryCompiler {
  static let namedCount = 3

  func saved(_ name: String) throws(StoreError) -> MessagePredicate {
    if let filter = try store.savedPredicate(named: name) { return filter }
    throw unknown(
      "no filter is saved as '\(VisibleText.of(name))'", name, try store.savedFilterNames(),
      list: .listFilters)
  }

  /// Returns the messages of a sender with this name. If there is none, returns those of a person with this
  /// name, which may be shown in place of senders' names.
  func author(_ name: String) throws(StoreError) -> MessagePredicate {
    do throws(StoreError) { return .sender(try senders(name)) } catch {
      guard error.kind == .notFound, let person = try personMeant(by: name) else { throw error }
      return person
    }
  }

  func person(_ name: String) throws(StoreError) -> MessagePredicate {
    do throws(StoreError) { return try store.predicate(ofPersonNamed: name) } catch {
      guard error.kind == .notFound, let person = try personMeant(by: name) else { throw error }
      return person
    }
  }

  private func personMeant(by name: String) throws(StoreError) -> MessagePredicate? {
    let found = NameMeaning(of: name, among: try store.peopleNames())
    if found.isByPart, found.places.count > 1 { throw several("people", name, found) }
    let all = try found.names.map { name throws(StoreError) in try store.predicate(ofPersonNamed: name) }
    return all.isEmpty ? nil : .union(of: all)
  }

  /// Returns all senders with a name, including their aliases.
  ///
  /// - Complexity: O(senders) if a name matches exactly, else O(characters of all names).
  func senders(_ name: String) throws(StoreError) -> Set<Sender.ID> {
    let exact = try store.senderIDs(named: name)
    if !exact.isEmpty { return exact }
    let all = try store.knownSenders()
    let found = NameMeaning(of: name, among: all.map(\.name))
    // A sender with aliases includes all of them.
    let persons = Set(found.places.map { all[$0].aliasOf ?? all[$0].id })
    if persons.isEmpty {
      let names = all.map(\.name)
      throw nobody("sender", name, names, else: ("the most active senders are", names), list: .listSenders)
    }
    if found.isByPart, persons.count > 1 { throw several("senders", name, found) }
    let others = all.filter { $0.aliasOf.map(persons.contains) == true }.map(\.id)
    return persons.union(others)
  }

  /// Returns the conversations with a name; channels match with or without `#`.
  ///
  /// - Complexity: O(conversations) if a name matches exactly, else O(characters of all names).
  func conversations(_ name: String) throws(StoreError) -> Set<Conversation.ID> {
    if let exact = try store.conversationID(named: name) { return [exact] }
    let other = name.hasPrefix("#") ? String(name.dropFirst()) : "#" + name
    if let channel = try store.conversationID(named: other) { return [channel] }
    let names = try store.conversationNames()
    let found = NameMeaning(of: name, among: names)
    if found.isByPart, found.places.count > 1 { throw several("conversations", name, found) }
    var ids: Set<Conversation.ID> = []
    for place in found.places {
      if let id = try store.conversationID(named: names[place]) { ids.insert(id) }
    }
    if ids.isEmpty {
      let newest = advice.isGenerous ? try store.newestConversationNames(limit: advice.count) : []
      throw nobody("conversation", name, names, else: ("the newest are", newest), list: .listConversations)
    }
    return ids
  }

  /// - Parameter others: The names to suggest if none is similar, and what they are.
  private func nobody(
    _ what: String, _ name: String, _ names: [String], else others: (sentence: String, names: [String]),
    list: Remedy
  ) -> StoreError {
    let shown = VisibleText.of(name)
    if NamePattern(name) != nil {
      return StoreError(.notFound, "no \(what) matches '\(shown)'", remedy: list)
    }
    var error = unknown("no \(what) '\(shown)'", name, names, list: list)
    if advice.isGenerous, error.cause == nil {
      error = advice.telling(
        of: Array(others.names.prefix(advice.count)), in: error,
        apart: "no name is similar; \(others.sentence) in 'nearest'"
      ) { "no name is similar; \(others.sentence) \(Self.list($0, "and"))" }
    }
    return error
  }

  private func unknown(
    _ summary: String, _ name: String, _ names: [String], list: Remedy
  ) -> StoreError {
    let near = advice.names(near: name, among: names)
    let error = StoreError(.notFound, summary, remedy: near.isEmpty ? list : nil)
    return advice.telling(of: near, in: error, apart: "the nearest are in 'nearest'") {
      "did you mean \(Self.list($0, "or"))?"
    }
  }

  private func several(_ what: String, _ name: String, _ found: NameMeaning) -> StoreError {
    let shown = VisibleText.of(name)
    let error = StoreError(
      .invalidRequest, "'\(shown)' is in the names of \(found.places.count) \(what)",
      remedy: "a whole name, or '*\(shown)*' for all of them")
    return advice.telling(
      of: Array(found.names.prefix(Self.namedCount)), in: error, apart: "some of them are in 'nearest'"
    ) { Self.list($0, "and") }
  }

  private static func list(_ names: [String], _ joint: String) -> String {
    let quoted = names.map { "'\(VisibleText.of($0))'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return "\(quoted.dropLast().joined(separator: ", ")) \(joint) \(last)"
  }
}

/// The names that a wanted name matches, if none is equal to it.
struct NameMeaning {
  let places: [Int]
  let names: [String]
  /// Whether it matches only a part of a single name.
  let isByPart: Bool

  /// - Complexity: O(characters of all names).
  init(of wanted: String, among all: [String]) {
    let folded = wanted.lowercased()
    if let pattern = NamePattern(wanted) {
      (places, isByPart) = (all.indices.filter { pattern.matches(all[$0]) }, false)
    } else {
      let same = all.indices.filter { all[$0].lowercased() == folded }
      isByPart = same.isEmpty
      places = same.isEmpty ? all.indices.filter { Self.has(folded, in: all[$0].lowercased()) } : same
    }
    names = places.map { all[$0] }
  }

  private static func has(_ words: String, in name: String) -> Bool {
    guard !words.isEmpty else { return false }
    return name.ranges(of: words).contains { range in
      let before = name[..<range.lowerBound].last
      let after = name[range.upperBound...].first
      return before.map(isOfWord) != true && after.map(isOfWord) != true
    }
  }

  private static func isOfWord(_ letter: Character) -> Bool { letter.isLetter || letter.isNumber }
}
