internal import GRDB
package import HistoryModel
package import MessageModel

/// Changes of people. Each is one entry that can be undone.
extension SynchronousMessageStore {
  /// Returns the latest changes of people, newest first.
  package func peopleEntries(limit: Int = 100) throws(StoreError) -> [PersonEntry] {
    try reading("cannot list the changes of people of '\(path)'") { db in
      try PersonRows(db, now: clock()).entries(limit: limit)
    }
  }

}

extension SynchronousMessageStore {
  /// Links accounts to a person, who is added if necessary.
  ///
  /// - Returns: The entry; `nil` if all are that person's already.
  /// - Throws: As ``linkAccounts(_:)``.
  @discardableResult
  package func linkAccounts(_ accounts: [SenderAccount], to person: String) throws(StoreError) -> PersonEntry?
  {
    try linkAccounts([PersonLink(accounts, to: person)])
  }

  /// Links accounts to people, in one entry.
  ///
  /// - Returns: The entry; `nil` if nothing changed.
  /// - Throws: ``StoreError`` of kind `alreadyExists` that names both people if an account is another
  ///   person's, `invalidRequest` for an invalid name.
  /// - Complexity: O(people + accounts linked).
  @discardableResult
  package func linkAccounts(_ links: [PersonLink]) throws(StoreError) -> PersonEntry? {
    for link in links { try Self.checkName(link.person) }
    return try changingPeople("cannot link accounts to people") { db, rows in
      var ids = Dictionary(try rows.names().map { ($0.name.lowercased(), $0.id) }) { first, _ in first }
      for link in links {
        let key = link.person.lowercased()
        let id = try ids[key] ?? rows.make(link.person)
        ids[key] = id
        for account in link.accounts { try rows.link(account, to: id, named: link.person) }
      }
    }
  }

  /// Unlinks accounts. A person without accounts stays.
  ///
  /// - Returns: The entry.
  /// - Throws: ``StoreError`` of kind `notFound` that names an account without a person.
  @discardableResult
  package func unlinkAccounts(_ accounts: [SenderAccount]) throws(StoreError) -> PersonEntry? {
    try changingPeople("cannot unlink accounts") { db, rows in
      for account in accounts {
        guard try rows.person(of: account) != nil else {
          throw StoreError(
            .notFound, "cannot unlink '\(VisibleText.of(account.text))'",
            cause: "it is not linked to a person",
            remedy: .listPeople)
        }
        try rows.setPerson(of: account, to: nil)
      }
    }
  }

  /// Removes a person and all their links. Messages do not change.
  ///
  /// - Returns: The entry.
  /// - Throws: ``StoreError`` of kind `notFound`.
  @discardableResult
  package func removePerson(_ person: Person.ID) throws(StoreError) -> PersonEntry? {
    try changingPeople("cannot remove a person") { db, rows in
      try Self.require(person, rows)
      for (account, _) in try rows.accounts(of: person.rawValue) { try rows.setPerson(of: account, to: nil) }
      try rows.setName(of: person.rawValue, to: nil)
    }
  }

  /// Renames a person.
  ///
  /// - Returns: The entry; `nil` if the name is the same.
  /// - Throws: ``StoreError`` of kind `notFound`, `alreadyExists` if another person has the name,
  ///   `invalidRequest` for an invalid name.
  @discardableResult
  package func renamePerson(_ person: Person.ID, to name: String) throws(StoreError) -> PersonEntry? {
    try Self.checkName(name)
    return try changingPeople("cannot rename a person to '\(name)'") { db, rows in
      try Self.require(person, rows)
      try Self.requireFree(name, for: person.rawValue, rows)
      if try rows.name(of: person.rawValue) != name { try rows.setName(of: person.rawValue, to: name) }
    }
  }

  /// Undoes a change of people, whatever changed in conversations and messages since.
  ///
  /// - Parameter entry: The number of the entry; `nil` for the latest one not undone.
  /// - Returns: The entry that was undone.
  /// - Throws: ``StoreError`` of kind `notFound`, `invalidRequest` if it was undone already or a later change
  ///   that builds on it must be undone first, `alreadyExists` if another person has a name that it would
  ///   restore.
  @discardableResult
  package func undoPeople(_ entry: PersonEntry.ID? = nil) throws(StoreError) -> PersonEntry {
    let doing = "cannot undo a change of people"
    let undone = try writing(doing) { db -> PersonEntry? in
      let rows = PersonRows(db, now: clock())
      guard let entry = try entry ?? rows.lastEntry(), let isUndone = try rows.isUndone(entry) else {
        throw StoreError(
          .notFound, doing, cause: entry.map { "there is no change \($0)" } ?? "no change is left to undo")
      }
      guard !isUndone else {
        throw StoreError(.invalidRequest, doing, cause: "change \(entry) was undone already")
      }
      if let later = try rows.successor(of: entry) {
        throw StoreError(
          .invalidRequest, doing, cause: "change \(later) builds on it",
          remedy: "undo change \(later) first")
      }
      let told = try rows.entries(entry, limit: 1).first
      for change in told?.names ?? [] {
        if let name = change.before {
          try Self.requireFree(name, for: change.subject.rawValue, rows)
        }
      }
      try rows.undo(entry)
      try Self.noteOtherSelections(in: db)
      return told
    }
    guard let undone else { throw StoreError(.damaged, doing) }
    return undone
  }
}

extension PersonRows {
  /// Throws `alreadyExists` if the account is another person's.
  mutating func link(_ account: SenderAccount, to person: Int64, named name: String) throws {
    guard let present = try self.person(of: account) else {
      return try setPerson(of: account, to: person)
    }
    guard present != person else { return }
    throw StoreError(
      .alreadyExists, "cannot link '\(VisibleText.of(account.text))' to '\(VisibleText.of(name))'",
      cause: "it is linked to '\(VisibleText.of(try self.name(of: present) ?? "nobody"))'",
      remedy: "unlink it there first")
  }
}

extension SynchronousMessageStore {
  /// Links the account of a history's owner to ``Person/me``, if the name is that of a single account, which
  /// the user has never linked or unlinked.
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

  func changingPeople(
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

  /// Makes readers of all selections by person read again.
  static func noteOtherSelections(in db: Database) throws {
    // Sessions of assistants do not depend on people: their rows stay valid.
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

  /// In characters.
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
  /// Whether it is a control character or ends a line.
  var isOfControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
