import Foundation

/// A store on disk: its one file, and what lies beside it.
enum StoreFiles {
  /// Removes a store, if there is one.
  static func remove(_ path: String) {
    for end in ["", "-wal", "-shm", ".attachments"] {
      try? FileManager.default.removeItem(atPath: path + end)
    }
  }
}
