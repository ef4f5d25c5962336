package import MessageModel
package import MessageStorage

/// Accounts that seem to be one person's.
package struct PersonSuggestionAnswer: Codable, Hashable, Sendable {
  /// The name of the person.
  package var person: String
  /// Whether there is that person already.
  package var known: Bool
  /// The accounts, the person's own among them.
  package var accounts: [AccountAnswer]
  /// The ids and names of the accounts that would be linked.
  package var new: [String]
  /// The reasons, as sentences.
  package var reasons: [String]

  /// Creates the answer that tells a suggestion.
  package init(_ suggestion: PersonSuggestion) {
    person = suggestion.person
    known = suggestion.isKnown
    accounts = suggestion.accounts.prefix(PersonAnswer.longestList).map { AccountAnswer($0) }
    new = suggestion.news.prefix(PersonAnswer.longestList).map(\.text)
    reasons = suggestion.reasons.prefix(PersonAnswer.longestList).map(Self.sentence)
  }

  private static func sentence(_ reason: PersonSuggestion.Reason) -> String {
    switch reason {
    case .contact(.address(let address)): "same address \(address)"
    case .contact(let key): "same number \(key.text)"
    case .id(let id): "same id \(id)"
    case .name(let name): "same name \(name)"
    }
  }
}

/// A change of people.
package struct PeopleChangeAnswer: Codable, Hashable, Sendable {
  /// Its number.
  package var change: Int64
  /// The time at which it was made.
  package var time: Timestamp
  /// Whether it was undone.
  package var undone: Bool
  /// The changes, as sentences; of many the first hundred.
  package var what: [String]
  /// The number of all of them.
  package var count: Int

  /// Creates the answer that tells a change.
  package init(_ entry: PersonEntry) {
    change = entry.id
    time = entry.time
    undone = entry.isUndone
    let limit = PersonAnswer.longestList
    let names = entry.names.prefix(limit).map { Self.sentence($0.before, $0.after) }
    what = names + entry.links.prefix(limit - names.count).map { Self.sentence($0) }
    count = entry.names.count + entry.links.count
  }

  private static func sentence(_ before: String?, _ after: String?) -> String {
    switch (before, after) {
    case (nil, let after?): "made '\(after)'"
    case (let before?, nil): "removed '\(before)'"
    case (let before?, let after?): "renamed '\(before)' to '\(after)'"
    case (nil, nil): "nothing"
    }
  }

  private static func sentence(_ link: PersonEntry.Change<SenderAccount>) -> String {
    switch (link.before, link.after) {
    case (nil, let after?): "linked '\(link.subject.text)' to '\(after)'"
    case (let before?, nil): "unlinked '\(link.subject.text)' from '\(before)'"
    case (let before?, let after?): "moved '\(link.subject.text)' from '\(before)' to '\(after)'"
    case (nil, nil): "nothing"
    }
  }
}
