internal import CSQLiteShim
internal import Foundation
internal import GRDB
internal import MessageModel

/// The place of an open store's file, and whether it is still there: what is written to a file that was deleted, moved
/// or replaced is seen by nobody, however well it was written.
struct StorePlace: Sendable {
  private let file: StoreFile
  /// The path as it was named; links in it may lead elsewhere later.
  private let name: String
  /// The files that were found when the store was opened.
  private let files: [(path: String, identity: FileIdentity)]
  private let isWritten: Bool

  /// Notes where the files lie that a connection has open, which has read from them.
  ///
  /// - Parameter isWritten: Whether they are opened for writing: then they may have no second name.
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

  /// The place of what has no file, which is never asked whether it is still there.
  init(named name: String) {
    (file, self.name, files, isWritten) = (StoreFile(path: name), name, [], false)
  }

  /// Throws if the files are not where they were.
  ///
  /// - Complexity: O(1), a question to the system for each of the three files.
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

  /// Throws if a file has more names than one: with each of them goes a log of its own.
  static func checkLinks(_ facts: stat, doing: String) throws(StoreError) {
    guard facts.kind == S_IFREG, facts.st_nlink > 1 else { return }
    throw StoreError(
      .displaced, doing,
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
      .displaced, doing, cause: cause, remedy: "again, when the file is back: nothing more is written to it")
  }

  private func lost(_ path: String) -> StoreError {
    StoreError(
      .displaced, doing, cause: "'\(path)', which belongs to it, was deleted or replaced while it was open",
      remedy: "again: nothing more is written by who has it open")
  }
}
