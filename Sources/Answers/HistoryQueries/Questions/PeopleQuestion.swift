public import MessageModel
internal import MessageStorage

/// Asks for the people that the user has created.
public struct PeopleQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "people"

  /// The name after which to begin.
  public var after: String?
  /// The most people; `nil` for the usual limit.
  public var limit: Int?
  /// A part of their names, or a pattern for whole names, such as `ali*`; `nil` for all.
  public var named: String?

  /// Creates a question.
  public init(after: String? = nil, limit: Int? = nil, named: String? = nil) {
    (self.after, self.limit, self.named) = (after, limit, named)
  }
}

extension PeopleQuestion {
  /// Returns the people.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> PeopleAnswer {
    try queries.people(after: after, named: named, limit: QuestionAnswerer.limit(limit))
  }
}

/// People by name.
public struct PeopleAnswer: HistoryAnswer, ServedAnswer {
  /// The people, by name.
  public var people: [PersonAnswer]
  /// The name after which to continue; `nil` at the end.
  public var next: String?

  package var count: Int { people.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .afterName($0) }) }
  package var shortened: PeopleAnswer {
    var short = self
    short.people = people.map(\.shortened)
    return short
  }
}

/// A person: the accounts that the user linked.
public struct PersonAnswer: Codable, Hashable, Sendable {
  /// The name given by the user.
  public var name: String
  /// The number of messages of all accounts.
  public var messages: Int
  /// The number of accounts.
  public var accountCount: Int
  /// The first hundred accounts, those with the most messages first.
  public var accounts: [AccountAnswer]
  /// Its id in the store.
  public var id: Int64

  static let longestList = 100

  package init(_ person: Person) {
    name = person.name
    messages = person.messageCount
    accountCount = person.accounts.count
    accounts = person.accounts.prefix(Self.longestList).map { AccountAnswer($0) }
    id = person.id.rawValue
  }
}

extension PersonAnswer {
  /// The person with a few accounts.
  fileprivate var shortened: PersonAnswer {
    var short = self
    short.accounts = accounts.prefix(20).map { account in
      var account = account
      account.otherNames = account.otherNames.map { Array($0.prefix(20)) }
      return account
    }
    return short
  }
}

/// An account of a person.
public struct AccountAnswer: Codable, Hashable, Sendable {
  /// The name that most of its messages have.
  public var name: String
  /// Its id on its platform; `nil` for an account identified by its name.
  public var senderID: String?
  /// The number of its messages.
  public var messages: Int
  /// The other names of its messages.
  public var otherNames: [String]?

  init(_ account: Person.Account) {
    name = account.name
    if case .id(let id) = account.account { senderID = id }
    messages = account.messageCount
    let others = account.senders.dropFirst().prefix(PersonAnswer.longestList).map(\.sender.name)
    otherNames = others.isEmpty ? nil : others
  }
}

extension QuestionAnswerer {
  /// Returns people by name.
  ///
  /// - Parameters:
  ///   - name: The name after which to begin; `nil` for the first.
  ///   - part: A part of their names, or a pattern for whole names; case does not matter. `nil` for all.
  ///   - limit: The most people.
  /// - Complexity: O(senders + accounts), whatever the limit.
  public func people(
    after name: String? = nil, named part: String? = nil, limit: Int = .max
  ) throws(StoreError) -> PeopleAnswer {
    let pattern = part.map { NamePattern(finding: $0) }
    let all = try store.people().filter { person in
      name.map { $0 < person.name } != false && pattern.map { $0.matches(person.name) } != false
    }.sorted { $0.name < $1.name }
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      all.prefix(limit).map { PersonAnswer($0) }
    }
    return PeopleAnswer(people: Array(portion.shown), next: portion.last?.name)
  }
}

/// Accounts that probably belong to one person.
package struct PersonSuggestionAnswer: Codable, Hashable, Sendable {
  /// The name of the person.
  package var person: String
  /// Whether the person exists already.
  package var known: Bool
  /// The accounts, including those of the existing person.
  package var accounts: [AccountAnswer]
  /// The ids and names of the accounts to link.
  package var new: [String]
  /// The reasons, as sentences.
  package var reasons: [String]

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
  package var change: Int64
  package var time: Timestamp
  package var undone: Bool
  /// The changes, as sentences, at most a hundred.
  package var what: [String]
  /// The number of changes.
  package var count: Int

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
