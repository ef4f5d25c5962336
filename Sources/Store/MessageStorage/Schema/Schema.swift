internal import CEmbeddedFiles
internal import GRDB
internal import MessageModel

/// The form of the file: its application id, its tables, and the steps to the present form.
enum Schema {
  /// "Scrb", as `PRAGMA application_id` returns it (<https://sqlite.org/pragma.html#pragma_application_id>).
  static let applicationID: Int32 = 0x5363_7262

  struct Step: Sendable {
    /// The `PRAGMA user_version` after it.
    let version: Int32
    /// Its name in `grdb_migrations`.
    let name: String
    /// The SQL, frozen once stores of this form are in use: they contain these texts to the byte.
    let sql: String
    /// The SHA-256 of the form, from ``SchemaComparison``.
    let key: String
  }

  /// The steps from an empty file to the present form. The first one is the file `Schema.sql`, the form of
  /// version 1.0.0, which is frozen: each change is another step. Stores of earlier forms are refused.
  static let steps = [
    Step(
      version: 10,
      name: "10: one form",
      sql: String(cString: embedded_schema_sql()),
      key: "f39163c3347e09b1d7041c572324bce58219d74f2702bd406c957242efb6de9a")
  ]

  static let firstVersion = steps[0].version

  static let version = steps[steps.endIndex - 1].version

  static func step(to version: Int32) -> Step? { steps.first { $0.version == version } }

  /// Throws if a form is earlier than the first that this program reads.
  static func refuseEarlier(_ version: Int32, doing: String) throws(StoreError) {
    guard (1..<firstVersion).contains(version) else { return }
    throw StoreError(
      .notAStore, doing,
      cause: "it has form \(version), and this program reads forms from \(firstVersion) on",
      remedy: "export it as JSON Lines with the program that wrote it, and import that with this one")
  }

  /// Applies the missing steps to a store, each in a transaction of its own.
  static func migrator(_ steps: [Step] = steps) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for step in steps {
      migrator.registerMigration(step.name) { db in
        try db.execute(sql: step.sql)
        try db.execute(
          sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(step.version)")
      }
    }
    return migrator
  }

  static func made(by step: Step) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try migrator().migrate(queue, upTo: step.name)
    return queue
  }
}

/// Steps of later programs: a store with one of them is not written to, whatever version it states.
enum LaterStep {
  /// Throws ``StoreError`` of kind `notAStore` if a store has an unknown step.
  static func refuse(in db: Database, path: String) throws {
    guard let name = try name(in: db) else { return }
    throw StoreError(
      .notAStore, "cannot write to '\(path)'",
      cause: "a later program has begun to change its form: '\(VisibleText.of(String(name.prefix(60))))'",
      remedy: "a newer scrollback; until then the store can be read")
  }

  private static func name(in db: Database) throws -> String? {
    let table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'grdb_migrations'"
    guard try RawStatement.number(db, table) != nil else { return nil }
    let names = Schema.steps.map(\.name)
    return try RawStatement(db, "SELECT identifier FROM grdb_migrations ORDER BY rowid").map { $0.text(0) }
      .first { !names.contains($0) }
  }
}
