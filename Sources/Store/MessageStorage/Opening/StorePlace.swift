internal import CSQLiteShim
internal import Foundation
internal import GRDB
internal import MessageModel

/// Where an open store's files were found, to detect that they were deleted, moved or replaced: nothing else
/// would read what is written to them.
struct StorePlace: Sendable {
  private let file: StoreFile
  /// The path as the caller wrote it; its links may change later.
  private let name: String
  private let files: [(path: String, identity: FileIdentity)]
  private let isWritten: Bool

  /// The connection must have read from the files. With `isWritten` the file must have a single name.
  init(of file: StoreFile, named name: String, _ db: Database, isWritten: Bool) throws {
    self.file = file
    self.name = name
    self.isWritten = isWritten
    files = ["", "-wal", "-shm"].compactMap { suffix in
      FileIdentity(path: file.path + suffix).map { (file.path + suffix, $0) }
    }
    guard csqlite_has_moved(db.sqliteConnection) == 0 else { throw gone }
    try check()
  }

  /// For stores without a file, which are never checked.
  init(named name: String) {
    (file, self.name, files, isWritten) = (StoreFile(path: name), name, [], false)
  }

  func check() throws(StoreError) {
    for (path, identity) in files {
      guard let facts = stat(following: path), FileIdentity(facts) == identity else {
        throw path == file.path ? gone : lost(path)
      }
      if isWritten, path == file.path { try Self.checkLinks(facts, doing: doing) }
    }
    guard let first = files.first, name == file.path || FileIdentity(path: name) == first.identity else {
      throw gone
    }
  }

  /// Throws for a file with several hard links: each name would have a log of its own.
  static func checkLinks(_ facts: stat, doing: @autoclosure () -> String) throws(StoreError) {
    guard facts.kind == S_IFREG, facts.st_nlink > 1 else { return }
    throw StoreError(
      .displaced, doing(),
      cause: """
        it has \(facts.st_nlink) names (hard links), and what is written by one of them is lost by the other
        """,
      remedy: "use a copy of it, or remove the other names")
  }

  private var doing: String { "cannot go on with '\(name)'" }

  private var gone: StoreError {
    let cause =
      FileIdentity(path: name) == nil
      ? "it was deleted or moved while it was open" : "another file has taken its place while it was open"
    return StoreError(
      .displaced, doing, cause: cause, remedy: "run it again when the file is back")
  }

  private func lost(_ path: String) -> StoreError {
    StoreError(
      .displaced, doing, cause: "'\(path)', which belongs to it, was deleted or replaced while it was open",
      remedy: "run it again: programs that have it open no longer write to it")
  }
}
