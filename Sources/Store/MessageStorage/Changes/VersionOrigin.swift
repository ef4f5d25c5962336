internal import CFiles
internal import Foundation
internal import GRDB
internal import MessageModel

/// Identifies a version's store, and its branch of the store's history.
///
/// It is a hash, keyed by the store, of two things. Inode and creation time of the file distinguish copies,
/// backups and restored stores. The last row of the log at that version detects that a backup was written
/// over the same file, since other changes followed. It fails only if a file overwritten in place had as many
/// steps afterwards, the last of which did the same to the same message.
struct VersionOrigin: Sendable {
  private let file: [Int64]

  init(of file: StoreFile) {
    self.file = [
      stat(following: file.path).map { Int64(truncatingIfNeeded: $0.st_ino) } ?? 0,
      cfiles_birth_time(file.path),
    ]
  }

  func of(_ version: SourceVersion, in db: Database) throws -> UInt64 {
    let last =
      try RawStatement(
        db, "SELECT conversation, ifnull(message, 0), kind FROM change WHERE version = ?", version.stepCount
      ).first { [$0.int(0), $0.int(1), $0.int(2)] } ?? []
    var hash = SipHash(key: try HashKey(db).key ?? (0, 0))
    (file + [Int64(version.stepCount)] + last).withUnsafeBytes { hash.combine($0) }
    return hash.finish()
  }
}
