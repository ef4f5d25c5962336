internal import Foundation
internal import GRDB
public import MessageModel

extension MessageStore {
  /// Compares counts, totals, keys against duplicates, texts, features and the search index with the rows, and
  /// attached contents with their checksums.
  ///
  /// - Parameter repair: Whether what is derived from the rows is made anew where it differs, and what no message refers to is
  ///   collected. No row of a message is erased by that, and nothing is changed in a store that SQLite itself finds damaged beyond its indexes.
  /// - Throws: ``StoreError`` of kind `damaged` if not even the first page can be read, `readOnly` (for a repair),
  ///   `busy`, `inputOutput`.
  /// - Complexity: A few looks at each message, and all bytes of contents once.
  public func check(repair: Bool = false) throws(StoreError) -> StoreCheck {
    let doing = "cannot check '\(path)'"
    var found = try compare(doing)
    guard repair else {
      for path in try strayFiles(doing) { found.add(.orphan, "no message refers to \(path)") }
      return found
    }
    // Writing into a file whose pages contradict each other would make it worse.
    let isDamaged = found.problems.contains { $0.kind == .file && !$0.sentence.contains("index") }
    if isDamaged { return found }
    return try writing(doing) { db in
      var checker = Checker(db, repairs: true)
      if found.problemCount > 0 { try checker.run() }
      var result = found.problemCount > 0 ? checker.result : found
      for problem in found.problems where [.content, .folder].contains(problem.kind) {
        result.add(problem.kind, problem.sentence)
      }
      for problem in found.problems where problem.kind == .orphan {
        result.add(.orphan, problem.sentence, isRepaired: true)
      }
      let contents = ContentCheck(db: db, folder: contents)
      for path in try contents.strayFiles() {
        result.add(.orphan, "no message refers to \(path)", isRepaired: true)
      }
      try contents.removeOrphans()
      contentCache.releaseAll()
      return result
    }
  }

  /// Looks at everything but the names of the files beside the store.
  private func compare(_ doing: String) throws(StoreError) -> StoreCheck {
    let look = { [contents] (db: Database) in
      var checker = Checker(db, repairs: false)
      for difference in try SchemaComparison.differences(in: db) { checker.note(.schema, difference) }
      try checker.run()
      var result = checker.result
      for folder in contents.strangenesses() {
        result.add(.folder, "\(folder): what lies there is left alone")
      }
      guard !result.problems.contains(where: { $0.kind == .file }) else { return result }
      let check = ContentCheck(db: db, folder: contents)
      try check.checkContents { result.add(.content, $0) }
      try check.checkOrphans { result.add(.orphan, $0) }
      return result
    }
    guard options.access != .readOnly, let writer = database as? any DatabaseWriter else {
      return try reading(doing, look)
    }
    // A search index checks itself by a statement that only a writing connection runs.
    do {
      return try writer.writeWithoutTransaction { db in
        var result = StoreCheck()
        try db.inTransaction(.deferred) {
          result = try look(db)
          return .rollback
        }
        return result
      }
    } catch {
      throw StoreError(error, doing: doing)
    }
  }

  /// Only under the write lock is it certain that nobody is just about to refer to a file.
  private func strayFiles(_ doing: String) throws(StoreError) -> [String] {
    let look = { [contents] (db: Database) in try ContentCheck(db: db, folder: contents).strayFiles() }
    return options.access == .readOnly ? try reading(doing, look) : try writing(doing, look)
  }

  /// Writes the file anew without the space that deleted messages left, collects contents that nobody refers to, and
  /// returns the bytes that were saved.
  ///
  /// - Throws: ``StoreError`` of kind `inputOutput` if there is no room for a second copy and its log meanwhile (the
  ///   store is as it was), `busy` if another process reads or writes for too long, `readOnly`.
  @discardableResult
  public func compact() throws(StoreError) -> Int {
    guard let writer = database as? any DatabaseWriter, options.access != .readOnly else {
      throw StoreError(.readOnly, "cannot compact '\(path)'", cause: "it was opened for reading only")
    }
    let size = try statistics().fileByteCount
    if let room = DiskSpace.available(besides: file.path), room < 2 * size {
      throw StoreError(
        .inputOutput, "cannot compact '\(path)'",
        cause: "it needs \(2 * size >> 20) MB meanwhile, and the disk has \(room >> 20) MB left",
        remedy: "again, after making room")
    }
    try writing("cannot compact '\(path)'") { [contents] db in
      try ContentCheck(db: db, folder: contents).removeOrphans()
    }
    contentCache.releaseAll()
    do {
      try writer.writeWithoutTransaction { [place] db in
        try place.check()
        try db.execute(sql: "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
        try place.check()
      }
    } catch {
      throw StoreError(error, doing: "cannot compact '\(path)'")
    }
    return size - (try statistics().fileByteCount)
  }
}

/// How much room a disk has.
enum DiskSpace {
  /// Returns the bytes that this user may write to the disk on which a file lies; `nil` if the system does not say.
  static func available(besides path: String) -> Int? {
    var info = statvfs()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard statvfs(folder, &info) == 0 else { return nil }
    return Int(
      clamping: UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize)).partialValue)
  }
}
