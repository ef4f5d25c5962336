internal import Foundation
internal import GRDB
public import MessageModel

extension SynchronousMessageStore {
  /// See ``MessageStore/backup(to:progress:)``.
  @discardableResult
  package func backup(
    to destination: String, progress: (Double) -> Bool = { _ in true }
  ) throws(StoreError) -> Int {
    try copy(to: destination, withContents: true, progress: progress)
  }

  /// Copies the database into a new file, as ``backup(to:progress:)`` does, but no attachments.
  package func backupDatabase(
    to destination: String, progress: (Double) -> Bool = { _ in true }
  ) throws(StoreError) -> Int {
    try copy(to: destination, withContents: false, progress: progress)
  }

  private func copy(
    to destination: String, withContents: Bool, progress: (Double) -> Bool
  ) throws(StoreError) -> Int {
    let doing = "cannot back up '\(path)' to '\(destination)'"
    let target = try StoreFile(named: destination, doing: doing)
    try target.checkIsNew(doing: doing)
    try files.spare(target.path, doing: doing)
    let copy = try StoreCopy(near: target, doing: doing)
    let contentCopy = ContentCopy(from: contents, to: ContentFolder(beside: target), doing: doing)
    do {
      try copy.fill(from: database, progress: progress)
      let count = try copy.verify()
      if withContents { try copy.read { db in try contentCopy.run(db, progress: progress) } }
      try copy.become(target, doing: doing)
      return count
    } catch {
      copy.discard()
      contentCopy.discard()
      throw StoreError(error, doing: doing)
    }
  }

  /// Replaces a store by a backup.
  ///
  /// The backup is copied, and the copy is checked and opened, before anything else is changed. Then both
  /// files exchange their names in one step, so that the path always leads to the old or the new store. The
  /// old one is removed when the new one has been opened.
  ///
  /// - Returns: The number of messages in the store now.
  /// - Throws: ``StoreError`` of kind `noSuchStore` or `notAStore` if the backup is no store or holds
  ///   anything that this program did not make, `damaged` if it is not sound, `invalidRequest` if it is the
  ///   store itself, `busy` if another process has the store open, `cannotCreate`, `inputOutput`; the store
  ///   is unchanged then.
  @discardableResult
  public static func restore(_ backup: String, to path: String) throws(StoreError) -> Int {
    let doing = "cannot restore '\(path)' from '\(backup)'"
    let target = try StoreFile(named: path, doing: doing)
    let source = try SynchronousMessageStore(path: backup, options: StoreOptions(access: .readOnly))
    defer { source.close() }
    try source.checkIsBackup(of: target, doing: doing)
    PartFile.sweep(beside: target.path)
    try target.checkKinds(doing: doing)
    let copy = try StoreCopy(near: target, doing: doing)
    do {
      try copy.fill(from: source.database) { _ in true }
      let count = try copy.verify()
      try RestoreStep.copied.pass()
      let contents = ContentCopy(from: source.contents, to: ContentFolder(beside: target), doing: doing)
      try copy.read { db in try contents.run(db) { _ in true } }
      try RestoreStep.contentsCopied.pass()
      try copy.open()
      try StoreReplacement(of: target, by: copy, doing: doing).run()
      return count
    } catch {
      copy.discard()
      throw StoreError(error, doing: doing)
    }
  }

  private func checkIsBackup(of target: StoreFile, doing: String) throws(StoreError) {
    if FileIdentity(path: target.path) == FileIdentity(path: file.path) {
      throw StoreError(
        .invalidRequest, doing, cause: "the backup is the store itself", remedy: "name a backup")
    }
    guard let unexpectedObject else { return }
    throw StoreError(
      .notAStore, doing,
      cause: "the backup holds the \(unexpectedObject), which does not match Scrollback's schema",
      remedy: .exportAndImport)
  }
}

extension StoreFile {
  /// Throws if the file or the log of an earlier one exists: SQLite would take that log for the new file's.
  func checkIsNew(doing: String) throws(StoreError) {
    for suffix in [""] + Self.companions where stat(at: path + suffix) != nil {
      let cause = suffix.isEmpty ? "there is such a file" : "there is a '\(path + suffix)', of another store"
      throw StoreError(.alreadyExists, doing, cause: cause, remedy: "another name")
    }
  }
}
