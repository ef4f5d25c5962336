internal import CFiles
internal import Foundation
internal import GRDB
internal import MessageModel

/// The mark that tells a version of a store from one of another store, or of another history of the same.
///
/// It is a hash, under the key that each store draws when it is made, of two things. Of the file: its inode and the time of
/// its birth, so that a copy, a backup and what was restored from one are other stores. And of the last row that the log had
/// at that version: where a backup was written over the same file, other things have happened since, most likely to other
/// messages. Neither is enough alone; both fail only where a copy over the same file was followed by as many steps, the last
/// of which did the same to the same message.
struct VersionOrigin: Sendable {
  private let file: [Int64]

  /// Notes what file it is.
  init(of file: StoreFile) {
    self.file = [
      stat(following: file.path).map { Int64(truncatingIfNeeded: $0.st_ino) } ?? 0,
      cfiles_birth_time(file.path),
    ]
  }

  /// Returns the origin of a version of the whole store.
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
