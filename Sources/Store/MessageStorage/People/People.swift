internal import GRDB
package import HistoryModel
package import MessageModel

extension SynchronousMessageStore {
  /// Returns all people, those with the most messages first.
  ///
  /// - Complexity: As for ``senders()``, and O(accounts).
  package func people() throws(StoreError) -> [Person] {
    try reading("cannot list the people of '\(path)'", archived: { try $0.people() ?? [] }) {
      db in
      let rows = PersonRows(db, now: clock())
      return try assembled(try rows.names(), try rows.accounts(), in: db).sorted {
        ($0.messageCount, $1.name) > ($1.messageCount, $0.name)
      }
    }
  }

  /// Returns the names of all people in alphabetical order.
  package func peopleNames() throws(StoreError) -> [String] {
    try reading(
      "cannot list the people of '\(path)'", archived: { try $0.people()?.map(\.name) ?? [] }
    ) { db in
      try PersonRows(db, now: clock()).names().map(\.name)
    }
  }

  /// Returns the person with a name, ignoring case and a leading `@`.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` with the nearest names.
  /// - Complexity: As for ``people()``, with the accounts of one.
  package func person(named name: String) throws(StoreError) -> Person {
    try reading(
      "cannot look up the person '\(name)'", archived: { try $0.person(named: name) }
    ) { db in
      let rows = PersonRows(db, now: clock())
      let found = try found(name, in: db)
      guard let person = try assembled([found], try rows.accounts(of: found.id), in: db).first else {
        throw Self.noPerson(name, [])
      }
      return person
    }
  }

  /// Returns the predicate for the messages of the person that ``person(named:)`` finds.
  ///
  /// - Throws: As ``person(named:)``.
  /// - Complexity: O(senders × log accounts).
  package func predicate(ofPersonNamed name: String) throws(StoreError) -> MessagePredicate {
    try reading(
      "cannot look up the person '\(name)'", archived: { .person(try $0.person(named: name).senders) }
    ) { db in
      .person(try PersonRows(db, now: clock()).senders(of: try found(name, in: db).id))
    }
  }

  /// Returns the account with an id or typed form (``SenderAccount/typed``), else those of senders with a
  /// name, and their aliases.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` with the nearest names, `invalidRequest` if the name is
  ///   ambiguous.
  /// - Complexity: O(senders).
  package func accounts(called text: String) throws(StoreError) -> [SenderAccount] {
    try accounts(called: [text])
  }
}

extension SynchronousMessageStore {
  /// Returns the accounts of several texts, each as ``accounts(called:)-(String)`` finds them.
  ///
  /// - Throws: As for a single text, for the first one that fails.
  /// - Complexity: O(senders + texts), times the aliases of each.
  package func accounts(called texts: [String]) throws(StoreError) -> [SenderAccount] {
    let names = AccountNames(try allSenders())
    var accounts: [SenderAccount] = []
    for text in texts { accounts += try names.accounts(called: text) }
    return accounts
  }

  /// Returns all senders with the number of their messages, also those without any.
  package func allSenders() throws(StoreError) -> [SenderSummary] {
    try reading("cannot list the senders of '\(path)'") { db in
      try Self.allSenders(in: db, try FacetSums(db: db, scope: 0).counts(of: .sender))
    }
  }

  fileprivate static func person(_ name: String, among people: [Person]) throws(StoreError) -> Person {
    let names = people.map { (id: $0.id.rawValue, name: $0.name) }
    guard let found = match(name, among: names),
      let person = people.first(where: { $0.id.rawValue == found.id })
    else { throw noPerson(name, people.map(\.name)) }
    return person
  }

  fileprivate func assembled(
    _ names: [(id: Int64, name: String)], _ accounts: [(account: SenderAccount, person: Int64)],
    in db: Database
  ) throws -> [Person] {
    let senders = try Self.allSenders(in: db, try FacetSums(db: db, scope: 0).counts(of: .sender))
    let byAccount = Dictionary(grouping: senders, by: \.account)
    let byPerson = Dictionary(grouping: accounts, by: \.person)
    return names.map { id, name in
      let own = byPerson[id, default: []].map {
        Person.Account(account: $0.account, senders: byAccount[$0.account] ?? [])
      }
      return Person(
        id: Person.ID(rawValue: id), name: name,
        accounts: own.sorted { ($0.messageCount, $1.account.text) > ($1.messageCount, $0.account.text) })
    }
  }

  func found(_ name: String, in db: Database) throws -> (id: Int64, name: String) {
    let names = try PersonRows(db, now: clock()).names()
    guard let found = Self.match(name, among: names) else { throw Self.noPerson(name, names.map(\.name)) }
    return found
  }

  private static func match(
    _ name: String, among names: [(id: Int64, name: String)]
  ) -> (id: Int64, name: String)? {
    let wanted = name.lowercased()
    if let found = names.first(where: { $0.name.lowercased() == wanted }) { return found }
    guard wanted.hasPrefix("@") else { return nil }
    return names.first { $0.name.lowercased() == wanted.dropFirst() }
  }

  fileprivate static func noPerson(_ name: String, _ names: [String]) -> StoreError {
    let plain = name.hasPrefix("@") ? String(name.dropFirst()) : name
    let near = Nearest.names(to: plain, among: names, limit: 3).map { "'\(VisibleText.of($0))'" }
    return StoreError(
      .notFound, "no person '\(VisibleText.of(name))'",
      cause: near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?",
      remedy: near.isEmpty ? .listPeople : nil)
  }
}

extension HistoryArchive {
  fileprivate func person(named name: String) throws(StoreError) -> Person {
    guard let people = try people() else { throw unanswered("cannot look up the person '\(name)'") }
    return try SynchronousMessageStore.person(name, among: people)
  }
}
