internal import GRDB

extension MessageStore {
  /// Tells the form of the stores that this program makes from all others: 64 hexadecimal digits.
  package static var formKey: String { SchemaComparison.ownKey }
}

/// Whether a file has the tables, views and triggers that this program makes, and no others.
enum SchemaComparison {
  /// The SHA-256 of what a store made now has. Making one in memory to compare with takes 8 ms, and reading this 0.2.
  static let ownKey = "2fc9a3bac844d9f39189f498c0cef3b3db2b2aa3f4e6155e99c1e36f6e1f9e41"

  /// Returns the name of the first thing in a store that this program has not made like that; `nil` if there is none.
  static func stranger(in db: Database) throws -> String? {
    let found = try things(in: db)
    if key(of: found).description == ownKey { return nil }
    let own = try made.get()
    return found.first { !own.contains($0) }?.name ?? own.first { !found.contains($0) }?.name
  }

  /// Returns a sentence for each thing that this program has not made like that, or that is not there.
  static func differences(in db: Database) throws -> [String] {
    let found = try things(in: db)
    if key(of: found).description == ownKey { return [] }
    let own = try made.get()
    let names = Set(own.map(\.name))
    let alien = found.filter { !own.contains($0) }.map { thing in
      names.contains(thing.name)
        ? "the \(thing.name) is not as Scrollback makes it" : "the \(thing.name) is not one of Scrollback's"
    }
    let known = Set(found.map(\.name))
    return alien + own.filter { !known.contains($0.name) }.map { "the \($0.name) is not there" }
  }

  /// What a store made now has, in the form of ``ownKey``.
  static func madeKey() throws -> String { key(of: try made.get()).description }

  /// A table, view, trigger or index, and the text that makes it.
  private struct Thing: Equatable {
    let name: String
    let sql: String
  }

  /// The tables that SQLite makes by itself. The names of others may begin so, too: triggers in a file that was tampered
  /// with.
  private static let ofSQLite = "'sqlite_sequence', 'sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4'"

  private static func things(in db: Database) throws -> [Thing] {
    let statement = try RawStatement(
      db,
      """
      SELECT type || ' ' || name, ifnull(sql, '') FROM sqlite_schema
        WHERE NOT (type = 'index' AND sql IS NULL) AND NOT (type = 'table' AND name IN (\(Self.ofSQLite)))
        ORDER BY 1
      """)
    defer { statement.reset() }
    var things: [Thing] = []
    while try statement.step() { things.append(Thing(name: statement.text(0), sql: statement.text(1))) }
    return things
  }

  private static func key(of things: [Thing]) -> ContentKey {
    var hash = ContentHash()
    for text in things.flatMap({ [$0.name, $0.sql] }) {
      Array("\(text.utf8.count) \(text)".utf8).withUnsafeBytes { hash.add($0) }
    }
    return hash.key()
  }

  private static let made: Result<[Thing], any Error> = Result {
    let queue = try DatabaseQueue()
    try Schema.migrator.migrate(queue)
    return try queue.read { try things(in: $0) }
  }
}
