internal import GRDB

/// The form of the file: which program it belongs to and how older forms become the present one.
enum Schema {
  /// "Scrb": what `PRAGMA application_id` says of a store (<https://sqlite.org/pragma.html#pragma_application_id>).
  static let applicationID: Int32 = 0x5363_7262

  /// The present form, as `PRAGMA user_version` says it.
  static let version: Int32 = 5

  /// The SHA-256 of each form, as ``SchemaComparison`` takes it, the first form's first; of forms whose texts were put
  /// differently while there were no releases, all of them, the last one first.
  static let keys = [
    [
      "2fc9a3bac844d9f39189f498c0cef3b3db2b2aa3f4e6155e99c1e36f6e1f9e41",
      // Its views asked for scripts without spaces in one step.
      "1bc4df50bbac3d17cafaf6e2c90fb73b2aba0adcc3a3be2626a400da1dc2cf1e",
    ],
    ["616ed15d37771c7028654f385295da757b9cd73527d7492ba283e2751ee840cb"],
    ["c6adb17e8ec8ce1f717f2c3cdf1dfb94daffb54417aa7d8dd50a51e8c49c3ff4"],
    ["97f126be70b2932fde714b6d94ad561ed85e1f062cc36cfedeb3a61244ee5a6f"],
    ["0862ee22b54c77773a328c640e9a95e28d0c778e2a40e9adf123836d0cb3fdd0"],
  ]

  /// The names of the steps that lead to each form.
  static let names = [
    Migration1.name, Migration2.name, Migration3.name, Migration4.name, Migration5.name,
  ]

  /// Brings any earlier form to the present one, each step in a transaction of its own. What takes long where there are
  /// many messages is left to ``StoreMigration``.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration(Migration1.name) { db in
      try db.execute(sql: Migration1.sql)
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: "PRAGMA user_version = 1")
    }
    migrator.registerMigration(Migration2.name) { db in
      try Migration2.run(in: db)
      try db.execute(sql: "PRAGMA user_version = 2")
      MigrationStep.formed.pass()
    }
    migrator.registerMigration(Migration3.name) { db in
      try db.execute(sql: Migration3.sql)
      try db.execute(sql: "PRAGMA user_version = 3")
      MigrationStep.formed.pass()
    }
    migrator.registerMigration(Migration4.name) { db in
      try db.execute(sql: Migration4.sql)
      try db.execute(sql: "PRAGMA user_version = 4")
      MigrationStep.formed.pass()
    }
    migrator.registerMigration(Migration5.name) { db in
      try Migration5.run(in: db)
      try db.execute(sql: "PRAGMA user_version = 5")
      MigrationStep.formed.pass()
    }
    return migrator
  }

  /// Makes a database of one of the forms in memory.
  static func made(_ version: Int32) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try migrator.migrate(queue, upTo: names[Int(version) - 1])
    return queue
  }
}
