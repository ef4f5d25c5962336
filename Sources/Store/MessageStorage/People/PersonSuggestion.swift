package import HistoryModel
package import MessageModel

extension SynchronousMessageStore {
  /// Returns accounts that seem to belong to one person: they share a telephone number or mail address, or
  /// the name of one is the id of the other. Equal names only add a reason. Accounts of two people are left
  /// out.
  ///
  /// - Parameter country: The country of numbers that name none; without it these are compared by their
  ///   digits.
  /// - Complexity: As for ``people()``, and O(senders).
  package func suggestedPeople(country: CallingCode? = nil) throws(StoreError) -> [PersonSuggestion] {
    var search = SuggestionSearch(try allSenders(), try people())
    search.join(by: country)
    return search.suggestions()
  }
}

private struct SuggestionSearch {
  private let accounts: [Person.Account]
  private let owners: [Person?]
  private let names: Set<String>
  private var parents: [Int]
  private var reasons: [Int: Set<PersonSuggestion.Reason>] = [:]

  init(_ senders: [SenderSummary], _ people: [Person]) {
    var places: [SenderAccount: Int] = [:]
    var found: [Person.Account] = []
    for sender in senders {
      if let place = places[sender.account] {
        found[place].senders.append(sender)
      } else {
        places[sender.account] = found.count
        found.append(Person.Account(account: sender.account, senders: [sender]))
      }
    }
    var owners = [Person?](repeating: nil, count: found.count)
    for person in people {
      for account in person.accounts {
        if let place = places[account.account] { owners[place] = person }
      }
    }
    accounts = found
    self.owners = owners
    names = Set(people.map { $0.name.lowercased() })
    parents = Array(found.indices)
  }

  mutating func join(by country: CallingCode?) {
    var first: [PersonSuggestion.Reason: Int] = [:]
    func note(_ reason: PersonSuggestion.Reason, _ place: Int) -> Int? {
      guard let known = first[reason] else {
        first[reason] = place
        return nil
      }
      return known == place ? nil : known
    }
    for (place, account) in accounts.enumerated() {
      if case .id(let id) = account.account { first[.id(id)] = place }
    }
    for (place, account) in accounts.enumerated() {
      for text in Set([account.account.text] + account.senders.map(\.sender.name)) {
        if let key = ContactKey(text, country: country), let other = note(.contact(key), place) {
          unite(place, other, .contact(key))
        }
      }
      if case .name(let name) = account.account, let other = first[.id(name)] {
        unite(place, other, .id(name))
      }
    }
  }

  private func root(_ place: Int) -> Int {
    var place = place
    while parents[place] != place { place = parents[place] }
    return place
  }

  private mutating func unite(_ one: Int, _ other: Int, _ reason: PersonSuggestion.Reason) {
    let (low, high) = (min(root(one), root(other)), max(root(one), root(other)))
    parents[high] = low
    // Path compression: both point to the root.
    parents[one] = low
    parents[other] = low
    let moved = high == low ? [] : reasons.removeValue(forKey: high) ?? []
    reasons[low, default: []].formUnion(moved.union([reason]))
  }

  func suggestions() -> [PersonSuggestion] {
    let groups = Dictionary(grouping: accounts.indices, by: root).filter { $0.value.count > 1 }
    var names = FreeNames(taken: self.names)
    return groups.sorted { $0.key < $1.key }.compactMap { root, places in
      guard var suggestion = suggestion(of: places, reasons[root] ?? []) else { return nil }
      if !suggestion.isKnown { suggestion.person = names.take(suggestion.person) }
      return suggestion
    }
  }

  private func suggestion(of places: [Int], _ reasons: Set<PersonSuggestion.Reason>) -> PersonSuggestion? {
    let people = Set(places.compactMap { owners[$0] })
    let news = places.filter { owners[$0] == nil }
    guard people.count < 2, !news.isEmpty else { return nil }
    let own = places.map { accounts[$0] }.sorted {
      ($0.messageCount, $1.account.text) > ($1.messageCount, $0.account.text)
    }
    let shared = Dictionary(grouping: own, by: \.name).filter { $0.value.count > 1 && $0.key.contains(" ") }
      .keys
    let isText = { (name: String) in ContactKey(name) == nil }
    let name = people.first?.name ?? own.map(\.name).first(where: isText) ?? own[0].name
    return PersonSuggestion(
      person: name, isKnown: !people.isEmpty, accounts: own, news: news.map { accounts[$0].account },
      reasons: reasons.sorted { "\($0)" < "\($1)" }
        + shared.filter(isText).sorted().map { PersonSuggestion.Reason.name($0) })
  }
}

/// Chooses names for new people: equal names do not make them one person.
package struct FreeNames {
  private var taken: Set<String>

  /// Ignores case.
  package init(taken: some Sequence<String>) { self.taken = Set(taken.map { $0.lowercased() }) }

  /// Returns an unused name made of any text.
  package mutating func take(_ name: String) -> String {
    let words = name.split { $0.isWhitespace || $0.unicodeScalars.contains(where: \.isOfControl) }
    let line = words.joined(separator: " ").drop { $0 == "@" || $0.isWhitespace }.prefix(180)
    let end = line.lastIndex { !$0.isWhitespace }.map { line.index(after: $0) } ?? line.startIndex
    let plain = line.isEmpty ? "somebody" : String(line[..<end])
    var (free, number) = (plain, 1)
    while !taken.insert(free.lowercased()).inserted {
      number += 1
      free = "\(plain) (\(number))"
    }
    return free
  }
}
