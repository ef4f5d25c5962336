internal import CFiles
internal import Foundation
internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns the changes by any process since an earlier version of the whole store.
  ///
  /// ```swift
  /// var version = try store.version(of: .everything)
  /// var copy = try allMessages()
  /// for await _ in store.changes() {
  ///   let changes = try store.changes(since: version)
  ///   if changes.isEverything { copy = try allMessages() } else { update(&copy, by: changes) }
  ///   version = changes.version
  /// }
  /// ```
  ///
  /// What is read afterwards may be newer than ``MessageChanges/version``; the next call then returns the
  /// same changes again. A message that was deleted and restored counts as edited.
  ///
  /// - Parameters:
  ///   - version: An earlier ``version(of:)`` of everything or ``MessageChanges/version``, also of another
  ///     process. A version of another store, of the original of this copy, or from before a backup replaced
  ///     this store is recognised, if it was kept as encoded; everything may
  ///     have changed then.
  ///   - conversations: The conversations whose changes are returned.
  ///   - limit: The most steps. The store keeps some 16,000.
  /// - Complexity: O(steps since then), at most O(`limit`).
  public func changes(
    since version: SourceVersion, in conversations: Selection.Conversations = .all, limit: Int = 10_000
  ) throws(StoreError) -> MessageChanges {
    try store.reading(
      "cannot read what has changed in '\(store.path)'", archived: { try $0.changes(since: version) }
    ) { db in
      var changes = MessageChanges(to: try SourceVersion(of: 0, in: db), isEverything: true)
      if try version.origin == nil || version.origin == store.versionOrigin.of(version, in: db) {
        changes = try ChangeLog(db: db).changes(since: version, in: conversations, limit: limit)
      }
      changes.version.origin = try store.versionOrigin.of(changes.version, in: db)
      return changes
    }
  }
}

/// Identifies a version's store, and its branch of the store's history, by a keyed hash. Inode and creation
/// time of the file distinguish copies, backups and restored stores. The last row of the log at that version
/// detects a backup that was written over the same file, unless as many changes followed, the last of which
/// was the same.
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
