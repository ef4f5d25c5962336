internal import GRDB
internal import HistoryModel
internal import MessageModel

/// Reads and changes the rows of people. All changes through one value become one entry of the log.
struct PersonRows {
  let db: Database
  let now: Timestamp
  private(set) var entry: Int64?

  init(_ db: Database, now: Timestamp) { (self.db, self.now) = (db, now) }

  // MARK: Reading

  func names() throws -> [(id: Int64, name: String)] {
    try RawStatement(db, "SELECT id, name FROM person ORDER BY name").map { ($0.int(0), $0.text(1)) }
  }

  func accounts(of person: Int64? = nil) throws -> [(account: SenderAccount, person: Int64)] {
    let statement = try RawStatement(
      db,
      "SELECT external, name, person FROM person_account \(person == nil ? "" : "WHERE person = ?1") ORDER BY 1, 2"
    )
    if let person { statement.bind(person, at: 1) }
    return try statement.map { (SenderAccount(columns: $0.text(0), $0.text(1)), $0.int(2)) }
  }

  func senders(of person: Int64) throws -> Set<Sender.ID> { try OwnSenders.ids(of: person, in: db) }

  func person(of account: SenderAccount) throws -> Int64? {
    let statement = try RawStatement(
      db, "SELECT person FROM person_account WHERE external = ? AND name = ?")
    statement.bind(account.columns.external, account.columns.name)
    return try statement.first { $0.int(0) }
  }

  func wasChanged(_ account: SenderAccount) throws -> Bool {
    let statement = try RawStatement(
      db, "SELECT 1 FROM person_link WHERE external = ? AND name = ? LIMIT 1")
    statement.bind(account.columns.external, account.columns.name)
    return try statement.first { _ in true } ?? false
  }

  func name(of person: Int64) throws -> String? {
    let statement = try RawStatement(db, "SELECT name FROM person WHERE id = ?")
    statement.bind(person)
    return try statement.first { $0.text(0) }
  }

  // MARK: Changing

  mutating func make(_ name: String) throws -> Int64 {
    let last = try RawStatement.number(
      db,
      "SELECT max(ifnull((SELECT max(id) FROM person), 0), ifnull((SELECT max(person) FROM person_name), 0))")
    let id = (last ?? 0) + 1
    try setName(of: id, to: name)
    return id
  }

  /// - Parameter name: `nil` removes the person. The user's name is always ``Person/me``.
  mutating func setName(of person: Int64, to name: String?) throws {
    let name = name?.lowercased() == Person.me ? Person.me : name
    let note = try RawStatement(
      db,
      """
      INSERT INTO person_name VALUES (?1, ?2, ?3, ?4) ON CONFLICT(person, entry) DO UPDATE SET after = excluded.after
      """)
    note.bind(person, try begun(), try self.name(of: person), name)
    try note.run()
    try put(name, of: person)
  }

  /// - Parameter person: `nil` unlinks the account.
  mutating func setPerson(of account: SenderAccount, to person: Int64?) throws {
    let note = try RawStatement(
      db,
      """
      INSERT INTO person_link VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT(external, name, entry) DO UPDATE SET after = excluded.after
      """)
    note.bind(
      account.columns.external, account.columns.name, try begun(), try self.person(of: account), person)
    try note.run()
    try put(person, of: account)
  }

  private mutating func begun() throws -> Int64 {
    if let entry { return entry }
    try RawStatement.run(
      db, "INSERT INTO person_entry(id, time) SELECT ifnull(max(id), 0) + 1, ? FROM person_entry",
      now.millisecondsSince1970)
    let new = try RawStatement.number(db, "SELECT max(id) FROM person_entry") ?? 0
    entry = new
    return new
  }

  private func put(_ name: String?, of person: Int64) throws {
    guard let name else { return try RawStatement.run(db, "DELETE FROM person WHERE id = ?", person) }
    let statement = try RawStatement(
      db, "INSERT INTO person VALUES (?1, ?2) ON CONFLICT(id) DO UPDATE SET name = excluded.name")
    statement.bind(person, name)
    try statement.run()
  }

  private func put(_ person: Int64?, of account: SenderAccount) throws {
    let statement = try RawStatement(
      db,
      person == nil
        ? "DELETE FROM person_account WHERE external = ?1 AND name = ?2"
        : "INSERT OR REPLACE INTO person_account VALUES (?1, ?2, ?3)")
    statement.bind(account.columns.external, account.columns.name)
    if let person { statement.bind(person, at: 3) }
    try statement.run()
  }

  // MARK: Undoing

  func lastEntry() throws -> Int64? {
    try RawStatement.number(db, "SELECT max(id) FROM person_entry WHERE undone IS NULL")
  }

  func isUndone(_ entry: Int64) throws -> Bool? {
    try RawStatement.number(db, "SELECT undone IS NOT NULL FROM person_entry WHERE id = ?", entry).map {
      $0 != 0
    }
  }

  /// Returns a later entry that builds on an entry, which therefore cannot be undone; `nil` if it can.
  /// Nothing else has changed its accounts and names.
  func successor(of entry: Int64) throws -> Int64? {
    try RawStatement.number(
      db,
      """
      WITH touched(entry) AS (
        -- The same account or the same name.
        SELECT later.entry FROM person_link AS own JOIN person_link AS later USING (external, name)
          WHERE own.entry = ?1 AND later.entry > ?1
        UNION ALL SELECT later.entry FROM person_name AS own JOIN person_name AS later USING (person)
          WHERE own.entry = ?1 AND later.entry > ?1
        -- An account of somebody who came with the entry and would go.
        UNION ALL SELECT later.entry FROM person_name AS own JOIN person_account AS account ON account.person = own.person
          JOIN person_link AS later ON later.external = account.external AND later.name = account.name
          WHERE own.entry = ?1 AND own.before IS NULL AND later.entry > ?1
        -- The going of somebody to whom an account would return.
        UNION ALL SELECT later.entry FROM person_link AS own JOIN person_name AS later ON later.person = own.before
          WHERE own.entry = ?1 AND later.entry > ?1 AND later.after IS NULL
      ) SELECT max(touched.entry) FROM touched JOIN person_entry ON person_entry.id = touched.entry
          WHERE undone IS NULL
      """, entry)
  }

  func undo(_ entry: Int64) throws {
    for change in try links(of: entry) { try put(change.before, of: change.account) }
    let names = try RawStatement(db, "SELECT person, before FROM person_name WHERE entry = ?")
    names.bind(entry)
    let changes = try names.map { ($0.int(0), $0.optionalText(1)) }
    // A name must be freed before it is given back.
    for (person, before) in changes where before == nil { try put(before, of: person) }
    for (person, before) in changes where before != nil { try put(before, of: person) }
    try RawStatement.run(
      db, "UPDATE person_entry SET undone = ?2 WHERE id = ?1", entry, now.millisecondsSince1970)
  }

  private func links(of entry: Int64) throws -> [(account: SenderAccount, before: Int64?, after: Int64?)] {
    let statement = try RawStatement(
      db, "SELECT external, name, before, after FROM person_link WHERE entry = ? ORDER BY 1, 2")
    statement.bind(entry)
    return try statement.map {
      (SenderAccount(columns: $0.text(0), $0.text(1)), $0.optionalInt(2), $0.optionalInt(3))
    }
  }

  func entries(_ only: Int64? = nil, limit: Int) throws -> [PersonEntry] {
    let statement = try RawStatement(
      db,
      """
      SELECT id, time, undone IS NOT NULL FROM person_entry \(only == nil ? "" : "WHERE id = ?2")
        ORDER BY id DESC LIMIT ?1
      """)
    statement.bind(limit, at: 1)
    if let only { statement.bind(only, at: 2) }
    let rows = try statement.map { ($0.int(0), $0.int(1), $0.int(2) != 0) }
    return try rows.map { id, time, isUndone in
      PersonEntry(
        id: id, time: Timestamp(millisecondsSince1970: time), isUndone: isUndone,
        links: try links(of: id).map {
          PersonEntry.Change(
            subject: $0.account, before: try lastName(of: $0.before), after: try lastName(of: $0.after))
        }, names: try nameChanges(of: id))
    }
  }

  private func nameChanges(of entry: Int64) throws -> [PersonEntry.Change<Person.ID>] {
    let statement = try RawStatement(
      db, "SELECT person, before, after FROM person_name WHERE entry = ? ORDER BY person")
    statement.bind(entry)
    return try statement.map {
      PersonEntry.Change(
        subject: Person.ID(rawValue: $0.int(0)), before: $0.optionalText(1), after: $0.optionalText(2))
    }
  }

  private func lastName(of person: Int64?) throws -> String? {
    guard let person else { return nil }
    if let name = try name(of: person) { return name }
    let statement = try RawStatement(
      db, "SELECT ifnull(after, before) FROM person_name WHERE person = ? ORDER BY entry DESC LIMIT 1")
    statement.bind(person)
    return try statement.first { $0.text(0) }
  }
}
