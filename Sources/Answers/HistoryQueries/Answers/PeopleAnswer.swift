public import MessageModel
package import MessageStorage

/// People by name.
public struct PeopleAnswer: Codable, Hashable, Sendable {
  /// The people, by name.
  public var people: [PersonAnswer]
  /// The name after which to go on; `nil` at the end.
  public var next: String?
}

/// A person: accounts that are one person's, as the user has said.
public struct PersonAnswer: Codable, Hashable, Sendable {
  /// The name that the user gave them.
  public var name: String
  /// The number of messages of all their accounts.
  public var messages: Int
  /// The number of accounts.
  public var accountCount: Int
  /// The first hundred accounts, those with the most messages first.
  public var accounts: [AccountAnswer]
  /// Its number in the store.
  public var id: Int64

  /// The most accounts that are told of one person.
  static let longestList = 100

  /// Creates the answer that tells a person.
  package init(_ person: Person) {
    name = person.name
    messages = person.messageCount
    accountCount = person.accounts.count
    accounts = person.accounts.prefix(Self.longestList).map { AccountAnswer($0) }
    id = person.id.rawValue
  }
}

extension PersonAnswer {
  /// The person with a few of their accounts.
  package var shortened: PersonAnswer {
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
  /// Its id on its platform, by which it is known; `nil` for an account that is known by its name.
  public var senderID: String?
  /// The number of its messages.
  public var messages: Int
  /// The other names that it has had.
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
  ///   - part: A part of their names, or a pattern for all of them; `nil` for any. Case does not matter.
  ///   - limit: The most people.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: As for ``SynchronousMessageStore/people()``, whatever the limit.
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
