internal import CSQLiteShim
internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Recreates missing objects of a store's form that hold derived data only; ``check(repair:)`` fills them
  /// then. Without them a store is opened for reading only.
  ///
  /// - Returns: The number of tables, indexes, views and triggers created.
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

  /// Identifies the form of new stores: 64 hexadecimal digits.
  package static var formKey: String { SchemaComparison.ownKey }
}

/// Compares the tables, views, indexes and triggers of a file with those that this program creates.
enum SchemaComparison {
  /// The SHA-256 of a new store's objects. Creating one in memory takes 8 ms, reading this value 0.2.
  static var ownKey: String { present.key }

  private static var present: Schema.Step { Schema.steps[Schema.steps.endIndex - 1] }

  /// Returns the first table, view, trigger or index that is missing or differs, if any.
  static func unexpectedObject(in db: Database, version: Int32) throws -> String? {
    let step = Schema.step(to: version) ?? Schema.steps[0]
    let found = try things(in: db)
    if key(of: found).description == step.key { return nil }
    let own = try made(by: step)
    return (found.first { !own.contains($0) } ?? own.first { !found.contains($0) })?.name
  }

  static func differences(in db: Database) throws -> [String] {
    let found = try things(in: db)
    let step = try step(of: db)
    if key(of: found).description == step.key { return [] }
    let own = try made(by: step)
    let names = Set(own.map(\.name))
    let alien = found.filter { !own.contains($0) }.map { thing in
      names.contains(thing.name)
        ? "the \(thing.name) does not match Scrollback's schema"
        : "the \(thing.name) is not one of Scrollback's"
    }
    let known = Set(found.map(\.name))
    return alien + own.filter { !known.contains($0.name) }.map { "the \($0.name) is not there" }
  }

  /// Returns the step to the version that a store states, or to the present one if that is unknown.
  private static func step(of db: Database) throws -> Schema.Step {
    try Int32.fetchOne(db, sql: "PRAGMA user_version").flatMap(Schema.step(to:)) ?? present
  }

  static func madeKey() throws -> String { key(of: try made(by: present)).description }

  private struct Thing: Equatable {
    let name: String
    let sql: String

    var label: String { String(name.drop { $0 != " " }.dropFirst()) }
    var isTable: Bool { name.hasPrefix("table ") }
    var isVirtual: Bool { isTable && sql.hasPrefix("CREATE VIRTUAL") }
    var isDerived: Bool { !isTable || isVirtual || DerivedTables.all.contains(label) }
    /// Tables come first, virtual tables after those that hold their data.
    var rank: Int { isVirtual ? 1 : isTable ? 0 : 2 }
  }

  /// The tables that SQLite creates by itself; a tampered file may have other objects with such names.
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

  /// Returns the name of an object that could make reading endless: a view or virtual table instead of a
  /// table, a computed column, a changed view. `nil` if all that is read are tables, or missing.
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

  /// Recreates missing objects, and returns their number: tables with derived data only, indexes, views and
  /// triggers. Creates nothing if any object differs.
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
      // The tables of its data exist, which creating it would not allow.
      try db.execute(
        sql: "INSERT INTO sqlite_schema VALUES ('table', ?1, ?1, 0, ?2)", arguments: [thing.label, thing.sql])
    }
    return missing.count
  }

  static func key(in db: Database) throws -> String { key(of: try things(in: db)).description }

  private static func key(of things: [Thing]) -> ContentKey {
    var hash = ContentHash()
    for text in things.flatMap({ [$0.name, $0.sql] }) {
      Array("\(text.utf8.count) \(text)".utf8).withUnsafeBytes { hash.add($0) }
    }
    return hash.key()
  }

  private static func made(by step: Schema.Step) throws -> [Thing] {
    guard let things = madeForms[step.version] else { return [] }
    return try things.get()
  }

  private static let madeForms = Dictionary(
    uniqueKeysWithValues: Schema.steps.map { step in
      (step.version, Result { try Schema.made(by: step).read { try things(in: $0) } })
    })
}
