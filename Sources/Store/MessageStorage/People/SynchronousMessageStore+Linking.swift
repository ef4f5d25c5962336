internal import GRDB
public import MessageModel

/// Changes of people. Each is an entry that can be undone, and is whole or not at all.
extension StoreReading {
  /// Returns the last changes of people, the newest first.
  public func peopleEntries(limit: Int = 100) throws(StoreError) -> [PersonEntry] {
    try store.reading("cannot list the changes of people of '\(store.path)'") { db in
      try PersonRows(db, now: store.clock()).entries(limit: limit)
    }
  }

  // MARK: Changing
}

extension StoreWriting {
  /// Makes accounts those of a person, who is made if there is none of that name.
  ///
  /// - Returns: The entry; `nil` if all of them are that person's already.
  /// - Throws: As ``linkAccounts(_:)``.
  @discardableResult
  public func linkAccounts(_ accounts: [SenderAccount], to person: String) throws(StoreError) -> PersonEntry?
  {
    try linkAccounts([PersonLink(accounts, to: person)])
  }

  /// Makes accounts those of people, in one entry.
  ///
  /// - Returns: The entry; `nil` if nothing was to be changed.
  /// - Throws: ``StoreError`` of kind `alreadyExists` with both people named if an account is another's,
  ///   `invalidRequest` if a name is none.
  /// - Complexity: O(people + accounts linked).
  @discardableResult
  public func linkAccounts(_ links: [PersonLink]) throws(StoreError) -> PersonEntry? {
    for link in links { try SynchronousMessageStore.checkName(link.person) }
    return try store.changingPeople("cannot link accounts to people") { db, rows in
      var ids = Dictionary(try rows.names().map { ($0.name.lowercased(), $0.id) }) { first, _ in first }
      for link in links {
        let key = link.person.lowercased()
        let id = try ids[key] ?? rows.make(link.person)
        ids[key] = id
        for account in link.accounts {
          guard let present = try rows.person(of: account) else {
            try rows.setPerson(of: account, to: id)
            continue
          }
          guard present != id else { continue }
          throw StoreError(
            .alreadyExists,
            "cannot link '\(VisibleText.of(account.text))' to '\(VisibleText.of(link.person))'",
            cause: "it is linked to '\(VisibleText.of(try rows.name(of: present) ?? "nobody"))'",
            remedy: "unlink it there first")
        }
      }
    }
  }

  /// Makes accounts nobody's. A person whose last one it was stays.
  ///
  /// - Returns: The entry.
  /// - Throws: ``StoreError`` of kind `notFound` that names an account that is nobody's.
  @discardableResult
  public func unlinkAccounts(_ accounts: [SenderAccount]) throws(StoreError) -> PersonEntry? {
    try store.changingPeople("cannot unlink accounts") { db, rows in
      for account in accounts {
        guard try rows.person(of: account) != nil else {
          throw StoreError(
            .notFound, "cannot unlink '\(VisibleText.of(account.text))'", cause: "it is linked to nobody",
            remedy: .listPeople)
        }
        try rows.setPerson(of: account, to: nil)
      }
    }
  }

  /// Removes a person and all their links. Messages stay as they are.
  ///
  /// - Returns: The entry.
  /// - Throws: ``StoreError`` of kind `notFound`.
  @discardableResult
  public func removePerson(_ person: Person.ID) throws(StoreError) -> PersonEntry? {
    try store.changingPeople("cannot remove a person") { db, rows in
      try SynchronousMessageStore.require(person, rows)
      for (account, _) in try rows.accounts(of: person.rawValue) { try rows.setPerson(of: account, to: nil) }
      try rows.setName(of: person.rawValue, to: nil)
    }
  }

  /// Gives a person another name.
  ///
  /// - Returns: The entry; `nil` if it is their name already.
  /// - Throws: ``StoreError`` of kind `notFound`, `alreadyExists` if another person has the name,
  ///   `invalidRequest` if it is none.
  @discardableResult
  public func renamePerson(_ person: Person.ID, to name: String) throws(StoreError) -> PersonEntry? {
    try SynchronousMessageStore.checkName(name)
    return try store.changingPeople("cannot rename a person to '\(name)'") { db, rows in
      try SynchronousMessageStore.require(person, rows)
      try SynchronousMessageStore.requireFree(name, for: person.rawValue, rows)
      if try rows.name(of: person.rawValue) != name { try rows.setName(of: person.rawValue, to: name) }
    }
  }

  /// Undoes a change of people: everything is as it was before it, whatever became of conversations and messages since.
  ///
  /// - Parameter entry: The number of its entry; `nil` for the last one that stands.
  /// - Returns: The entry that was undone.
  /// - Throws: ``StoreError`` of kind `notFound`, `invalidRequest` if it was undone or a later change that
  ///   stands on it is to be undone first, `alreadyExists` if a name that it would give back is another
  ///   person's.
  @discardableResult
  public func undoPeople(_ entry: PersonEntry.ID? = nil) throws(StoreError) -> PersonEntry {
    let doing = "cannot undo a change of people"
    let undone = try store.writing(doing) { db -> PersonEntry? in
      let rows = PersonRows(db, now: store.clock())
      guard let entry = try entry ?? rows.lastEntry(), let isUndone = try rows.isUndone(entry) else {
        throw StoreError(
          .notFound, doing, cause: entry.map { "there is no change \($0)" } ?? "no change is left to undo")
      }
      guard !isUndone else {
        throw StoreError(.invalidRequest, doing, cause: "change \(entry) was undone already")
      }
      if let later = try rows.successor(of: entry) {
        throw StoreError(
          .invalidRequest, doing, cause: "change \(later) came after it and is about the same",
          remedy: "undo change \(later) first")
      }
      let told = try rows.entries(entry, limit: 1).first
      for change in told?.names ?? [] {
        if let name = change.before {
          try SynchronousMessageStore.requireFree(name, for: change.subject.rawValue, rows)
        }
      }
      try rows.undo(entry)
      try SynchronousMessageStore.noteOtherSelections(in: db)
      return told
    }
    guard let undone else { throw StoreError(.damaged, doing) }
    return undone
  }
}

extension SynchronousMessageStore {
  /// Makes the account of the owner of a history the one of ``Person/me``, where one account alone has the name and the
  /// user has never said whose it is.
  package func linkOwner(named name: String) throws(StoreError) {
    let accounts: [SenderAccount]
    do throws(StoreError) { accounts = try self.accounts(called: name) } catch {
      guard [.notFound, .invalidRequest].contains(error.kind) else { throw error }
      return
    }
    _ = try changingPeople("cannot link '\(name)' to '\(Person.me)'") { db, rows in
      let news = try accounts.filter { try !rows.wasChanged($0) }
      guard !news.isEmpty else { return }
      let me = try rows.names().first { $0.name.lowercased() == Person.me }?.id ?? rows.make(Person.me)
      for account in news { try rows.setPerson(of: account, to: me) }
    }
  }

  fileprivate func changingPeople(
    _ doing: String, _ body: (Database, inout PersonRows) throws -> Void
  ) throws(StoreError) -> PersonEntry? {
    try writing(doing) { db in
      var rows = PersonRows(db, now: clock())
      try body(db, &rows)
      guard let entry = rows.entry else { return nil }
      try Self.noteOtherSelections(in: db)
      return try rows.entries(entry, limit: 1).first
    }
  }

  /// Tells readers that what somebody wrote is something else now, wherever that is.
  static func noteOtherSelections(in db: Database) throws {
    // Of sessions of assistants nothing else is known by that: their rows hold on.
    try RawStatement.run(
      db,
      """
      UPDATE session SET changed = changed + 1
        WHERE changed = (SELECT changed FROM tally WHERE scope = session.conversation)
      """)
    try RawStatement.run(db, "UPDATE tally SET changed = changed + 1")
    try ChangeLog(db: db).noteSeveral(in: [0])
  }

  fileprivate static func require(_ person: Person.ID, _ rows: PersonRows) throws {
    guard try rows.name(of: person.rawValue) == nil else { return }
    throw StoreError(.notFound, "there is no such person", remedy: .listPeople)
  }

  fileprivate static func requireFree(_ name: String, for person: Int64, _ rows: PersonRows) throws {
    let wanted = name.lowercased()
    let names = try rows.names()
    guard let other = names.first(where: { $0.id != person && $0.name.lowercased() == wanted }) else {
      return
    }
    throw StoreError(
      .alreadyExists, "cannot name a person '\(VisibleText.of(name))'",
      cause: "there is '\(VisibleText.of(other.name))' already", remedy: "another name")
  }

  /// The most characters of a name.
  private static let longestName = 200

  static func checkName(_ name: String) throws(StoreError) {
    let isPlain = !name.unicodeScalars.contains(where: \.isOfControl)
    guard !name.isEmpty, name.count <= longestName, isPlain, !name.hasPrefix("@"),
      name.first?.isWhitespace != true,
      name.last?.isWhitespace != true
    else {
      throw StoreError(
        .invalidRequest, "'\(VisibleText.of(String(name.prefix(60))))' is not a name for a person",
        remedy: "a line of up to \(longestName) characters that does not begin with @")
    }
  }
}

extension Unicode.Scalar {
  /// Whether it controls a terminal or ends a line.
  var isOfControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
