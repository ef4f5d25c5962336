import Foundation

/// A store on disk: its one file, and what lies beside it.
enum StoreFiles {
  private static let ends = ["", "-wal", "-shm", ".attachments"]

  /// Removes a store, if there is one.
  static func remove(_ path: String) {
    for end in ends { try? FileManager.default.removeItem(atPath: path + end) }
  }

  /// Copies a store, in place of what is there.
  static func copy(_ path: String, to copy: String) throws {
    remove(copy)
    for end in ends where FileManager.default.fileExists(atPath: path + end) {
      try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
    }
  }
}
