internal import GRDB
internal import MessageModel

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
