internal import CSQLiteShim
internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Makes again what the store at a path lacks of its form, where that holds nothing but what is derived from
  /// messages; ``check(repair:)`` fills it then. Without it a store is opened for reading only.
  ///
  /// - Returns: How many tables, indexes, views and triggers were made.
  /// - Throws: ``StoreError`` of kind `notAStore`, `busy`, `damaged`, `inputOutput`.
  @discardableResult
  package static func mendForm(of path: String) throws(StoreError) -> Int {
    guard let header = StoreFile(path: path).header, header.isOfPresentForm, header.usesLog else { return 0 }
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.writeWithoutTransaction { db in
        var count = 0
        try db.inTransaction(.immediate) {
          try LaterStep.refuse(in: db, path: path)
          count = try SchemaComparison.makeMissing(in: db)
          return count > 0 ? .commit : .rollback
        }
        return count
      }
    } catch {
      throw StoreError(error, doing: "cannot repair '\(path)'")
    }
  }

  /// Tells the form of the stores that this program makes from all others: 64 hexadecimal digits.
  package static var formKey: String { SchemaComparison.ownKey }
}

/// Whether a file has the tables, views and triggers that this program makes, and no others.
enum SchemaComparison {
  /// The SHA-256 of what a store made now has. Making one in memory to compare with takes 8 ms, and reading this 0.2.
  static var ownKey: String { present.key }

  private static var present: Schema.Step { Schema.steps[Schema.steps.endIndex - 1] }

  /// Returns the first table, view, trigger or index that is not as this program makes it, or is not there; `nil` if there is
  /// none.
  ///
  /// - Parameter version: The form that the store says it has.
  static func unexpectedObject(in db: Database, version: Int32) throws -> String? {
    let step = Schema.step(to: version) ?? Schema.steps[0]
    let found = try things(in: db)
    if key(of: found).description == step.key { return nil }
    let own = try made(by: step)
    return (found.first { !own.contains($0) } ?? own.first { !found.contains($0) })?.name
  }

  /// Returns a sentence for each thing that this program has not made like that, or that is not there.
  static func differences(in db: Database) throws -> [String] {
    let found = try things(in: db)
    let step = try step(of: db)
    if key(of: found).description == step.key { return [] }
    let own = try made(by: step)
    let names = Set(own.map(\.name))
    let alien = found.filter { !own.contains($0) }.map { thing in
      names.contains(thing.name)
        ? "the \(thing.name) is not as Scrollback makes it" : "the \(thing.name) is not one of Scrollback's"
    }
    let known = Set(found.map(\.name))
    return alien + own.filter { !known.contains($0.name) }.map { "the \($0.name) is not there" }
  }

  /// Returns the step to the form that a store says it has, or to the present one if no step leads there.
  private static func step(of db: Database) throws -> Schema.Step {
    try Int32.fetchOne(db, sql: "PRAGMA user_version").flatMap(Schema.step(to:)) ?? present
  }

  /// Returns the key of a store made now, in the form of ``ownKey``.
  static func madeKey() throws -> String { key(of: try made(by: present)).description }

  /// A table, view, trigger or index, and the text that makes it.
  private struct Thing: Equatable {
    let name: String
    let sql: String

    /// Its name without what it is.
    var label: String { String(name.drop { $0 != " " }.dropFirst()) }
    var isTable: Bool { name.hasPrefix("table ") }
    var isVirtual: Bool { isTable && sql.hasPrefix("CREATE VIRTUAL") }
    var isDerived: Bool { !isTable || isVirtual || DerivedTables.all.contains(label) }
    /// Tables come first, and those that others keep their data in before these.
    var rank: Int { isVirtual ? 1 : isTable ? 0 : 2 }
  }

  /// The tables that SQLite makes by itself. The names of others may begin so, too: triggers in a file that was tampered
  /// with.
  private static let ofSQLite = "'sqlite_sequence', 'sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4'"

  private static func things(in db: Database) throws -> [Thing] {
    try RawStatement(
      db,
      """
      SELECT type || ' ' || name, ifnull(sql, '') FROM sqlite_schema
        WHERE NOT (type = 'index' AND sql IS NULL) AND NOT (type = 'table' AND name IN (\(Self.ofSQLite)))
        ORDER BY 1
      """
    ).map { row in Thing(name: row.text(0), sql: row.text(1)) }
  }

  /// Returns the name of a thing of ours that is something else in a store, so that reading it may never end: a view or a
  /// virtual table in place of a table, a column that is computed, a view that says something else. `nil` if what we
  /// read are tables, or missing.
  static func trap(in db: Database) throws -> String? {
    let own = try made(by: step(of: db))
    let found = try things(in: db)
    for thing in own where thing.isTable && !thing.isVirtual {
      let isTrap = try RawStatement.number(
        db,
        """
        SELECT 1 FROM sqlite_schema WHERE name = '\(thing.label)' COLLATE NOCASE AND (type <> 'table' OR rootpage <= 0)
        UNION ALL SELECT 1 FROM pragma_table_xinfo('\(thing.label)') WHERE hidden <> 0
        """)
      if isTrap != nil { return thing.name }
    }
    for thing in own where thing.isVirtual || thing.name.hasPrefix("view ") {
      let other = found.first { $0.label.lowercased() == thing.label && $0 != thing }
      if let other { return other.name }
    }
    return nil
  }

  /// Makes again what a store lacks of its form, and returns how much that was: tables that hold nothing but what is
  /// derived, indexes, views and triggers. Where anything is not as this program makes it, nothing is made.
  static func makeMissing(in db: Database) throws -> Int {
    let found = try things(in: db)
    let own = try made(by: present)
    let missing = own.filter { !found.contains($0) }
    guard found.allSatisfy(own.contains), missing.allSatisfy(\.isDerived) else { return 0 }
    _ = csqlite_open_shadow_tables(db.sqliteConnection)
    try db.execute(sql: "PRAGMA writable_schema = ON")
    defer { try? db.execute(sql: "PRAGMA writable_schema = RESET") }
    for thing in missing.sorted(by: { $0.rank < $1.rank }) {
      guard thing.isVirtual else {
        try db.execute(sql: thing.sql)
        continue
      }
      // What it keeps its data in is there already, which making it would not allow.
      try db.execute(
        sql: "INSERT INTO sqlite_schema VALUES ('table', ?1, ?1, 0, ?2)", arguments: [thing.label, thing.sql])
    }
    return missing.count
  }

  /// Returns what a store has, in the form of ``ownKey``.
  static func key(in db: Database) throws -> String { key(of: try things(in: db)).description }

  private static func key(of things: [Thing]) -> ContentKey {
    var hash = ContentHash()
    for text in things.flatMap({ [$0.name, $0.sql] }) {
      Array("\(text.utf8.count) \(text)".utf8).withUnsafeBytes { hash.add($0) }
    }
    return hash.key()
  }

  /// Returns the objects of a store of a form.
  private static func made(by step: Schema.Step) throws -> [Thing] {
    guard let things = madeForms[step.version] else { return [] }
    return try things.get()
  }

  private static let madeForms = Dictionary(
    uniqueKeysWithValues: Schema.steps.map { step in
      (step.version, Result { try Schema.made(by: step).read { try things(in: $0) } })
    })
}
