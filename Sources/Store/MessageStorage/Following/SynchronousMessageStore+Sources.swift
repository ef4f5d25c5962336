internal import Foundation
internal import GRDB
package import HistoryModel
package import MessageModel

/// The followed sources, in the table of single values: `source 3` is a source, and
/// `file of source 3 /home/ann/tea.log` the state of one of its files when it was imported. They are in the
/// store, so that after restoring a backup everything newer is imported again.
extension SynchronousMessageStore {
  /// Returns the followed sources by number, each with the number of its messages.
  package func sources() throws(StoreError) -> [(source: StoredSource, messageCount: Int)] {
    try reading("cannot list what '\(path)' follows") { db in
      try Self.sources(db).map { source in
        let count = try RawStatement(
          db, "SELECT added FROM batch WHERE id = ? AND name = ?", source.importNumber ?? 0,
          PathBytes.shown(source.path)
        ).first { $0.count(0) }
        return (source, count ?? 0)
      }
    }
  }

  /// Adds a source. If its path is followed already, it gets the new settings, if there are any.
  package func addSource(_ path: String, settings: [String: String]) throws(StoreError) -> StoredSource {
    try writing("cannot remember '\(path)'") { db in
      let known = try Self.sources(db)
      var source =
        known.first { $0.path == path }
        ?? StoredSource(
          id: (known.map(\.id).max() ?? 0) + 1, path: path, settings: settings, addedAt: clock())
      if !settings.isEmpty, source.settings != settings {
        source.settings = settings
        try Self.forgetFiles(of: source.id, db)
      }
      try Self.write(source, db)
      return source
    }
  }

  /// Removes a source; its messages stay.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`.
  package func removeSource(_ id: StoredSource.ID) throws(StoreError) {
    try writing("cannot remove source \(id)") { db in
      try RawStatement.run(db, "DELETE FROM meta WHERE key = '\(Self.sourceKey)' || ?", id)
      guard db.changesCount > 0 else {
        throw StoreError(
          .notFound, "cannot remove source \(id)", cause: "there is no such source",
          remedy: .listSources)
      }
      try Self.forgetFiles(of: id, db)
    }
  }

  /// Changes the record of a source and the states of its files; `nil` removes a state.
  ///
  /// - Returns: The source as recorded then; `nil` if it was removed meanwhile.
  @discardableResult
  package func updateSource(
    _ id: StoredSource.ID, files: [String: String?] = [:], _ change: (inout StoredSource) -> Void
  ) throws(StoreError) -> StoredSource? {
    try writing("cannot remember source \(id)") { db in
      guard let source = try Self.update(id, db, change) else { return nil }
      for (path, facts) in files {
        let key = "\(Self.fileKey)\(id) \(path)"
        if let facts {
          try RawStatement.run(db, "INSERT OR REPLACE INTO meta VALUES (?, ?)", key, facts)
        } else {
          try RawStatement.run(db, "DELETE FROM meta WHERE key = ?", key)
        }
      }
      return source
    }
  }

  /// Returns the states of a source's files by path, as they were when imported; none if that import was
  /// undone.
  ///
  /// - Complexity: O(files).
  package func files(of source: StoredSource) throws(StoreError) -> [String: String] {
    try reading("cannot read how far '\(source.path)' was followed") { db in
      if let number = source.importNumber {
        let statement = try RawStatement(
          db, "SELECT 1 FROM batch WHERE id = ? AND name = ?", number, PathBytes.shown(source.path))
        defer { statement.reset() }
        guard try statement.step() else { return [:] }
      }
      let prefix = "\(Self.fileKey)\(source.id) "
      var files: [String: String] = [:]
      try RawStatement(
        db, "SELECT key, value FROM meta WHERE key >= ? AND key < ?", prefix + "/", prefix + "0"
      ).each { row in
        files[String(row.text(0).dropFirst(prefix.count))] = row.text(1)
      }
      return files
    }
  }

  private static let sourceKey = "source "
  private static let fileKey = "file of source "

  static func sources(_ db: Database) throws -> [StoredSource] {
    let statement = try RawStatement(
      db, "SELECT value FROM meta WHERE key >= '\(sourceKey)' AND key < 'source!'")
    // An unreadable record is from a later version or another program.
    return try statement.map { try? decoded($0.text(0)) }.compactMap { $0 }.sorted { $0.id < $1.id }
  }

  private static func source(_ id: StoredSource.ID, _ db: Database) throws -> StoredSource? {
    try RawStatement(db, "SELECT value FROM meta WHERE key = '\(sourceKey)' || ?", id).first {
      try? decoded($0.text(0))
    } ?? nil
  }

  private static func decoded(_ text: String) throws -> StoredSource {
    try JSONDecoder().decode(StoredSource.self, from: Data(text.utf8))
  }

  static func write(_ source: StoredSource, _ db: Database) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO meta VALUES ('\(sourceKey)' || ?, ?)", source.id,
      String(decoding: try encoder.encode(source), as: UTF8.self))
  }

  /// Changes the record of a source and returns it; `nil` if the source was removed.
  @discardableResult
  static func update(
    _ id: StoredSource.ID, _ db: Database, _ change: (inout StoredSource) -> Void
  ) throws -> StoredSource? {
    guard var source = try source(id, db) else { return nil }
    change(&source)
    try write(source, db)
    return source
  }

  static func forgetFiles(of id: StoredSource.ID, _ db: Database) throws {
    try RawStatement.run(
      db, "DELETE FROM meta WHERE key >= ? AND key < ?", "\(fileKey)\(id) /", "\(fileKey)\(id) 0")
  }
}
