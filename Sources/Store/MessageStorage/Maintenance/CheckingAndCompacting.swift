internal import Foundation
internal import GRDB
package import MessageModel

extension StoreReading {
  /// Compares the counts of the store with each other, and a random sample of some thousand messages with
  /// their counts, keys, features, checksums and words, within a second or two for any store.
  ///
  /// It proves nothing about other messages: ``check(repair:)`` compares all. The result tells how many were
  /// compared (``StoreCheck/messageCount``) of how many (``StoreCheck/sampledFrom``).
  ///
  /// - Throws: ``StoreError`` of kind `damaged` if not even the first page can be read, `busy`,
  ///   `inputOutput`.
  /// - Complexity: O(blocks of counts + conversations), and 32 blocks of at most 1,024 messages.
  package func quickCheck() throws(StoreError) -> StoreCheck {
    try store.reading("cannot check '\(store.path)'") { db in try QuickCheck(db: db).run() }
  }
}

extension SynchronousMessageStore {
  /// See ``MessageStore/check(repair:)``.
  package func check(repair: Bool = false) throws(StoreError) -> StoreCheck {
    try check(repair: repair) { _ in true }
  }

  /// Checks as ``check(repair:)`` does.
  ///
  /// - Parameter progress: Called with each step; returns whether to continue.
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
    // If it is impossible now, the next `compact` frees the pages.
    if hasGivenUpPages, let writer = database as? any DatabaseWriter {
      try? gate.whileOpen { try writer.writeWithoutTransaction { try $0.execute(sql: "VACUUM") } }
    }
    return result
  }

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

  /// Compares everything but the names of files beside the store.
  private func compare(
    _ doing: String, _ progress: (CareStep) -> Bool
  ) throws(StoreError) -> (StoreCheck, FileCheck.Damage) {
    let search = SearchComparison(of: self)
    defer { search?.cancel() }
    func look(_ db: Database) throws -> (StoreCheck, FileCheck.Damage) {
      var checker = Checker(db, beside: search)
      for difference in try SchemaComparison.differences(in: db) { checker.note(.schema, difference) }
      // A store opened for reading only has no record of it.
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
    // The writing connection reads one fixed state, too: other processes may write meanwhile.
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

  /// Holds the write lock: without it, a transaction might be about to refer to a file.
  private func strayFiles(_ doing: String) throws(StoreError) -> [String] {
    let look = { [contents] (db: Database) in try AttachmentCheck(db: db, folder: contents).strayFiles() }
    guard options.access != .readOnly else { return try reading(doing, look) }
    do throws(StoreError) {
      return try writing(doing, look)
    } catch {
      // Another process writes all the time, or the store is damaged: the next check can report unused files.
      guard error.kind == .busy || error.kind == .damaged else { throw error }
      return []
    }
  }

  /// See ``MessageStore/compact(secure:)``.
  @discardableResult
  package func compact(secure: Bool = false) throws(StoreError) -> Int {
    try compact(secure: secure) { _ in true }
  }

  /// Compacts as ``compact(secure:)`` does.
  ///
  /// - Parameter progress: Called with each step; returns whether to continue.
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
        cause: "compacting needs \(2 * size >> 20) MB of free space, and the disk has \(room >> 20) MB",
        remedy: "free some space, then run it again")
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
          try (secure ? SecureDeletion.ofPages : .ofRows).apply(to: db)
          defer { try? SecureDeletion.ofRows.apply(to: db) }
          try db.execute(sql: "VACUUM")
          let isBusy = try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") != 0
          try place.check()
          return isBusy
        }
      }
      // Until then the old pages are in the file or its log.
      if secure, isBusy {
        throw StoreError(
          .busy, "cannot compact '\(path)'", cause: "another process still reads the earlier contents",
          remedy: "run it again when that has ended")
      }
    } catch {
      throw StoreError(error, doing: "cannot compact '\(path)'")
    }
    return size - (try statistics().fileByteCount)
  }

  private static func stopped(_ doing: String) -> StoreError {
    StoreError(.cancelled, doing, cause: "stopped on request")
  }

  /// Adds the missing checksums of messages that other programs wrote, in pieces; other processes may write
  /// between them.
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

enum DiskSpace {
  /// A value that tests set in place of the system's.
  @TaskLocal static var said: Int?

  /// Returns the bytes that this user may write to the disk of a file; `nil` if unknown.
  static func available(besides path: String) -> Int? {
    if let said { return said }
    var info = statvfs()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard statvfs(folder, &info) == 0 else { return nil }
    return Int(
      clamping: UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize)).partialValue)
  }
}
