public import HistoryModel
public import MessageInterchange
internal import MessageModel
public import MessageStorage

/// Links between accounts and the entries of an address book, by phone number or address.
///
/// An account belongs to the entry with its number or address. Entries of the same name are different people
/// unless they share a number or an address.
public struct ContactLinks: Sendable {
  /// The links, for ``StoreWriting/linkAccounts(_:)``.
  public private(set) var links: [PersonLink] = []
  /// The number of entries.
  public private(set) var cardCount = 0
  /// The number of entries without an account.
  public private(set) var strangerCount = 0
  /// Broken entries, and those that contradict others or existing links, by line.
  public private(set) var problems: [ContactCardProblem] = []
  /// The number of problems.
  public private(set) var problemCount = 0

  private static let problemLimit = 1_000
  /// The most entries of a file.
  public static let cardLimit = 1_000_000

  /// Reads an address book and matches it with the accounts of a store.
  ///
  /// - Parameters:
  ///   - path: The path of a vCard file.
  ///   - store: The store, which is only read.
  ///   - country: The country of numbers without a country code.
  ///   - isCancelled: Called regularly; whether to stop.
  /// - Throws: ``InterchangeError`` if the file cannot be read or has more than ``cardLimit`` entries,
  ///   ``StoreError`` as ``StoreReading/people()`` does, and of kind `cancelled`.
  /// - Complexity: O(senders + bytes of the file).
  public init(
    ofCardsAt path: String, in store: SynchronousMessageStore, country: CallingCode? = nil,
    isCancelled: () -> Bool = { false }
  ) throws {
    let accounts = try AccountIndex(store, country)
    var reader = try ContactCardReader(path: path)
    var cards: [ContactCard] = []
    reading: while true {
      switch try reader.next() {
      case .end: break reading
      case .problem(let problem):
        cardCount += 1
        note(problem)
      case .card(let card):
        cardCount += 1
        // Entries without a match are dropped: address books are large.
        if accounts.places(of: card).isEmpty { strangerCount += 1 } else { cards.append(card) }
      }
      guard cardCount <= Self.cardLimit else {
        throw InterchangeError(
          .unreadable, "cannot read '\(path)'", cause: "it has more than \(Self.cardLimit) entries")
      }
      if cardCount.isMultiple(of: 1_024), isCancelled() {
        throw StoreError(.cancelled, "did not link", cause: "stopped on request; nothing is linked")
      }
    }
    link(cards, accounts)
    problems.sort { $0.line < $1.line }
  }

  private mutating func note(_ problem: ContactCardProblem) {
    problemCount += 1
    if problems.count < Self.problemLimit { problems.append(problem) }
  }

  private mutating func link(_ cards: [ContactCard], _ accounts: AccountIndex) {
    var names = FreeNames(taken: accounts.people)
    let (claims, contested) = Self.claims(cards, accounts)
    var chosen: [Int: String] = [:]
    for card in cards {
      let places = accounts.places(of: card)
      // An existing link takes precedence over the address book.
      let known = Set(places.compactMap { accounts.owners[$0] })
      guard known.count < 2 else {
        note(card, "its accounts are linked to \(Self.list(known.sorted()))")
        continue
      }
      if let place = places.first(where: contested.contains) {
        let others = (claims[place] ?? []).filter { $0.name != card.name }
        note(
          card,
          "'\(accounts.accounts[place].text)' is that of '\(card.name)' and of "
            + Self.list(others.map(\.name)) + " (line \(others.first?.line ?? 0))")
        continue
      }
      let person = places.lazy.compactMap { chosen[$0] }.first ?? known.first ?? names.take(card.name)
      for place in places { chosen[place] = person }
      let news = places.filter { accounts.owners[$0] == nil }.map { accounts.accounts[$0] }
      if !news.isEmpty { links.append(PersonLink(news, to: person)) }
    }
  }

  private static func claims(_ cards: [ContactCard], _ accounts: AccountIndex) -> (
    [Int: [ContactCard]], Set<Int>
  ) {
    var claims: [Int: [ContactCard]] = [:]
    var contested: Set<Int> = []
    for card in cards {
      for place in accounts.places(of: card) {
        if claims[place]?.contains(where: { $0.name.lowercased() != card.name.lowercased() }) == true {
          contested.insert(place)
        }
        if claims[place, default: []].count < 4 { claims[place, default: []].append(card) }
      }
    }
    return (claims, contested)
  }

  private mutating func note(_ card: ContactCard, _ reason: String) {
    note(ContactCardProblem(line: card.line, reason: reason))
  }

  private static func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: " and ") }
}

private struct AccountIndex {
  private(set) var accounts: [SenderAccount] = []
  private(set) var owners: [Int: String] = [:]
  let people: [String]
  private var places: [ContactKey: [Int]] = [:]
  private let country: CallingCode?

  init(_ store: SynchronousMessageStore, _ country: CallingCode?) throws(StoreError) {
    self.country = country
    let all = try store.people()
    people = all.map(\.name)
    var names: [SenderAccount: String] = [:]
    for person in all { for account in person.accounts { names[account.account] = person.name } }
    var known: [SenderAccount: Int] = [:]
    for sender in try store.allSenders() {
      let account = sender.account
      let place = known[account] ?? accounts.count
      if place == accounts.count {
        known[account] = place
        accounts.append(account)
        owners[place] = names[account]
      }
      for text in [account.text, sender.sender.name] {
        guard let key = ContactKey(text, country: country), places[key]?.contains(place) != true else {
          continue
        }
        places[key, default: []].append(place)
      }
    }
  }

  func places(of card: ContactCard) -> [Int] {
    var found: [Int] = []
    for text in card.contacts {
      guard let key = ContactKey(text, country: country) else { continue }
      for place in places[key] ?? [] where !found.contains(place) { found.append(place) }
    }
    return found.sorted()
  }
}
