internal import Foundation
internal import GRDB
public import MessageModel

extension StoreReading {
  /// Compares the counts of the store with each other, and some thousand messages, chosen by chance, with their counts,
  /// keys, features, checksums and words: what can be said within a second or two of any store.
  ///
  /// Nothing found is no proof: ``check(repair:)`` looks at everything. What was looked at is in
  /// ``StoreCheck/messageCount``, of ``StoreCheck/sampledFrom``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged` if not even the first page can be read, `busy`, `inputOutput`.
  /// - Complexity: O(blocks of counts + conversations), and 32 blocks of at most 1,024 messages.
  public func quickCheck() throws(StoreError) -> StoreCheck {
    try store.reading("cannot check '\(store.path)'") { db in try QuickCheck(db: db).run() }
  }
}

extension SynchronousMessageStore {
  /// Compares counts, totals, keys against duplicates, texts, features and the search index with the rows, and
  /// attached contents with their checksums.
  ///
  /// - Parameter repair: Whether what is derived from the rows is made anew where it differs, and what no message refers to is
  ///   collected. No row of a message is erased by that, and nothing is changed in a store that SQLite itself finds damaged beyond its indexes.
  /// - Throws: ``StoreError`` of kind `damaged` if not even the first page can be read, `readOnly` (for a repair),
  ///   `busy`, `inputOutput`.
  /// - Complexity: A few looks at each message, and all bytes of contents once, on two threads where
  ///   ``StoreOptions/readerCount`` lets two read at once.
  public func check(repair: Bool = false) throws(StoreError) -> StoreCheck {
    try check(repair: repair) { _ in true }
  }

  /// Checks as ``check(repair:)`` does.
  ///
  /// - Parameter progress: Told each step; answers whether to go on.
  /// - Throws: As ``check(repair:)``, and `cancelled` with nothing repaired.
  package func check(
    repair: Bool, progress: (CareStep) -> Bool
  ) throws(StoreError) -> StoreCheck {
    let doing = "cannot check '\(path)'"
    var (found, damage) = try compare(doing, progress)
    guard repair else {
      for path in try strayFiles(doing) { found.leftovers.append("no message refers to \(path)") }
      return found
    }
    guard damage.isRepairable else { return found }
    guard progress(.repair) else { throw Self.stopped(doing) }
    let (result, hasGivenUpPages) = try writing(doing) { [found] db in try self.repair(found, damage, db) }
    contentCache.releaseAll()
    senderNames.counts.forget()
    // Where it cannot be done now, the pages are given back by the next `compact`.
    if hasGivenUpPages, let writer = database as? any DatabaseWriter {
      try? gate.whileOpen { try writer.writeWithoutTransaction { try $0.execute(sql: "VACUUM") } }
    }
    return result
  }

  /// Repairs what was found, and answers also whether pages were given up for that.
  private func repair(
    _ found: StoreCheck, _ damage: FileCheck.Damage, _ db: Database
  ) throws -> (StoreCheck, Bool) {
    var checker = Checker(db, repairing: damage)
    if found.problemCount > 0 { try checker.run() } else { try checker.checkChecksums() }
    var result = found.problemCount > 0 ? checker.result : found
    if found.problemCount > 0 {
      for problem in found.problems where [.content, .folder].contains(problem.kind) {
        result.add(problem.kind, problem.sentence)
      }
      for difference in try SchemaComparison.differences(in: db) { result.add(.schema, difference) }
    }
    for problem in found.problems where problem.kind == .orphan {
      result.add(.orphan, problem.sentence, isRepaired: true)
    }
    let contents = AttachmentCheck(db: db, folder: contents)
    result.leftovers = try (found.leftovers + contents.strayFiles().map { "no message refers to \($0)" })
      .map { "\($0) (removed)" }
    try contents.removeOrphans()
    return (result, checker.hasGivenUpPages)
  }

  /// Looks at everything but the names of the files beside the store.
  private func compare(
    _ doing: String, _ progress: (CareStep) -> Bool
  ) throws(StoreError) -> (StoreCheck, FileCheck.Damage) {
    let search = SearchComparison(of: self)
    defer { search?.cancel() }
    func look(_ db: Database) throws -> (StoreCheck, FileCheck.Damage) {
      var checker = Checker(db, beside: search)
      for difference in try SchemaComparison.differences(in: db) { checker.note(.schema, difference) }
      // Of a store that is only read there is no note.
      if transactionCountBehindDamage > 0, options.access == .readOnly {
        checker.note(.log, DamagedLog.sentence(transactionCountBehindDamage))
      }
      try checker.run { step in if !progress(step) { throw Self.stopped(doing) } }
      guard progress(.contents) else { throw Self.stopped(doing) }
      var result = checker.result
      for folder in contents.strangenesses() {
        result.add(.folder, "\(folder): what lies there is left alone")
      }
      guard !result.problems.contains(where: { $0.kind == .file }) else {
        return (result, try FileCheck(db: db).damage())
      }
      let check = AttachmentCheck(db: db, folder: contents)
      try check.checkContents { result.add(.content, $0) }
      try check.checkOrphans { result.add(.orphan, $0) }
      if let sentence = try check.leftContents() { result.leftovers.append(sentence) }
      return (result, .nothing)
    }
    guard options.access != .readOnly, let writer = database as? any DatabaseWriter else {
      return try reading(doing, look)
    }
    // The connection that writes reads a state of its own, too: others go on writing meanwhile.
    do {
      return try gate.whileOpen {
        try writer.writeWithoutTransaction { db in
          var result: (StoreCheck, FileCheck.Damage)?
          try db.inTransaction(.deferred) {
            result = try look(db)
            return .rollback
          }
          guard let result else { throw StoreError(.inputOutput, doing) }
          return result
        }
      }
    } catch {
      throw StoreError(error, doing: doing)
    }
  }

  /// Only under the write lock is it certain that nobody is just about to refer to a file.
  private func strayFiles(_ doing: String) throws(StoreError) -> [String] {
    let look = { [contents] (db: Database) in try AttachmentCheck(db: db, folder: contents).strayFiles() }
    guard options.access != .readOnly else { return try reading(doing, look) }
    do throws(StoreError) {
      return try writing(doing, look)
    } catch {
      // Another one has been writing all the time, or what each transaction looks at is damaged: what is left over can
      // be told the next time.
      guard error.kind == .busy || error.kind == .damaged else { throw error }
      return []
    }
  }

  /// Writes the file anew without the space that deleted messages left, collects contents that nobody refers to, gives
  /// messages checksums that have none, and returns the bytes that were saved.
  ///
  /// - Parameter secure: Whether nothing of what was deleted or changed may be left in the file and its log: the search
  ///   indexes, which keep words of deleted messages until their pieces are merged, are built anew then.
  /// - Throws: ``StoreError`` of kind `inputOutput` if there is no room for a second copy and its log meanwhile (the
  ///   store is as it was), `busy` if another process reads or writes for too long, `readOnly`.
  @discardableResult
  public func compact(secure: Bool = false) throws(StoreError) -> Int {
    try compact(secure: secure) { _ in true }
  }

  /// Compacts as ``compact(secure:)`` does.
  ///
  /// - Parameter progress: Told each step; answers whether to go on.
  /// - Throws: As ``compact(secure:)``, and `cancelled` with nothing lost.
  package func compact(
    secure: Bool, progress: (CareStep) -> Bool
  ) throws(StoreError) -> Int {
    guard let writer = database as? any DatabaseWriter, options.access != .readOnly else {
      throw StoreError(.readOnly, "cannot compact '\(path)'", cause: "it was opened for reading only")
    }
    let size = try statistics().fileByteCount
    if let room = DiskSpace.available(besides: file.path), room < 2 * size {
      throw StoreError(
        .inputOutput, "cannot compact '\(path)'",
        cause: "it needs \(2 * size >> 20) MB meanwhile, and the disk has \(room >> 20) MB left",
        remedy: "free some space, then again")
    }
    let doing = "cannot compact '\(path)'"
    guard progress(secure ? .search : .contents) else { throw Self.stopped(doing) }
    try writing(doing) { [contents] db in
      try AttachmentCheck(db: db, folder: contents).removeOrphans()
      if secure { try SearchIndex(db: db).rebuild() }
    }
    contentCache.releaseAll()
    try fillChecksums { progress(.texts) }
    guard progress(.copy) else { throw Self.stopped(doing) }
    do {
      let isBusy = try gate.whileOpen {
        try writer.writeWithoutTransaction { [place] db in
          try place.check()
          try db.execute(sql: "PRAGMA secure_delete = \(secure ? "ON" : "OFF")")
          defer { try? db.execute(sql: "PRAGMA secure_delete = OFF") }
          try db.execute(sql: "VACUUM")
          let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") != 0
          try place.check()
          return isBusy
        }
      }
      // Until then the old pages are in the file, or in its log.
      if secure, isBusy {
        throw StoreError(
          .busy, "cannot compact '\(path)'", cause: "another process is reading what was there before",
          remedy: "again, when it has ended")
      }
    } catch {
      throw StoreError(error, doing: "cannot compact '\(path)'")
    }
    return size - (try statistics().fileByteCount)
  }

  private static func stopped(_ doing: String) -> StoreError {
    StoreError(.cancelled, doing, cause: "stopped on request")
  }

  /// Gives messages their checksums that have none, as those that other programs wrote, in pieces between which others write.
  private func fillChecksums(_ goesOn: () -> Bool) throws(StoreError) {
    var place: ChecksumCheck.Place? = .start
    while let start = place {
      guard goesOn() else { throw Self.stopped("cannot compact '\(path)'") }
      place = try writing("cannot compact '\(path)'") { db in
        try ChecksumCheck(db: db).fillMissing(after: start)
      }
    }
  }
}

/// The free space of a disk.
enum DiskSpace {
  /// An answer that tests give in place of the system's.
  @TaskLocal static var said: Int?

  /// Returns the bytes that this user may write to the disk on which a file lies; `nil` if the system does not say.
  static func available(besides path: String) -> Int? {
    if let said { return said }
    var info = statvfs()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard statvfs(folder, &info) == 0 else { return nil }
    return Int(
      clamping: UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize)).partialValue)
  }
}
