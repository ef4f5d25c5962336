internal import CEmbeddedFiles
internal import GRDB
internal import MessageModel

/// The form of the file: the program that it belongs to, its tables, and how an earlier form becomes the present one.
enum Schema {
  /// "Scrb": what `PRAGMA application_id` says of a store (<https://sqlite.org/pragma.html#pragma_application_id>).
  static let applicationID: Int32 = 0x5363_7262

  /// A step from one form to the next.
  struct Step: Sendable {
    /// The form that a store has after it, as `PRAGMA user_version` says it.
    let version: Int32
    /// Its name in `grdb_migrations`.
    let name: String
    /// What makes it, frozen once stores of it are in use: they hold these texts to the byte.
    let sql: String
    /// The SHA-256 of the form, as ``SchemaComparison`` takes it.
    let key: String
  }

  /// The steps from an empty file to the present form.
  ///
  /// The first one is the file `Schema.sql`. Until 1.0 there is no other: each change of that file raises the number of its
  /// form, and stores of the number before are refused. From then on the file is frozen, and a change is one more step.
  static let steps = [
    Step(
      version: 8,
      name: "8: one form",
      sql: String(cString: embedded_schema_sql()),
      key: "cf6c5328cb65cf1bcc647583c973c2a81cdf9ee2e4c217d08687db2f20d3f077")
  ]

  /// The first form that this program reads.
  static let firstVersion = steps[0].version

  /// The present form.
  static let version = steps[steps.endIndex - 1].version

  /// Returns the step that leads to a form; `nil` if none does.
  static func step(to version: Int32) -> Step? { steps.first { $0.version == version } }

  /// Throws if a form is one before the first that this program reads.
  ///
  /// - Parameter doing: What cannot be done to a store that has it.
  static func refuseEarlier(_ version: Int32, doing: String) throws(StoreError) {
    guard (1..<firstVersion).contains(version) else { return }
    throw StoreError(
      .notAStore, doing,
      cause: "it has form \(version), and this program reads forms from \(firstVersion) on",
      remedy: "export it as JSON Lines by the program that wrote it, and import that by this one")
  }

  /// Takes a store through steps that it has not taken yet, each in a transaction of its own.
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

  /// Makes a database of one of the forms in memory.
  static func made(by step: Step) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try migrator().migrate(queue, upTo: step.name)
    return queue
  }
}

/// A step of a later program: a store that has taken one is not written to by this program, whatever form it says it has.
enum LaterStep {
  /// Throws if a store has taken a step that this program does not know.
  ///
  /// - Throws: ``StoreError`` of kind `notAStore`, or what SQLite says.
  static func refuse(in db: Database, path: String) throws {
    guard let name = try name(in: db) else { return }
    throw StoreError(
      .notAStore, "cannot write to '\(path)'",
      cause: "a later program has begun to change its form: '\(VisibleText.of(String(name.prefix(60))))'",
      remedy: "a newer scrollback, one that knows this; until then the store can be read")
  }

  /// Returns the name of the first step that this program does not know; `nil` if it knows all.
  private static func name(in db: Database) throws -> String? {
    let table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'grdb_migrations'"
    guard try RawStatement.number(db, table) != nil else { return nil }
    let names = Schema.steps.map(\.name)
    return try RawStatement(db, "SELECT identifier FROM grdb_migrations ORDER BY rowid").map { $0.text(0) }
      .first { !names.contains($0) }
  }
}
