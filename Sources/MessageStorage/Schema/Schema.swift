internal import GRDB

/// The form of the file: which program it belongs to and how older forms become the present one.
enum Schema {
  /// "Scrb": what `PRAGMA application_id` says of a store (<https://sqlite.org/pragma.html#pragma_application_id>).
  static let applicationID: Int32 = 0x5363_7262

  /// The present form, as `PRAGMA user_version` says it.
  static let version: Int32 = 1

  /// Brings any earlier form to the present one, each step in a transaction of its own.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration(Migration1.name) { db in
      try db.execute(sql: Migration1.sql)
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: "PRAGMA user_version = 1")
    }
    return migrator
  }
}
