internal import Foundation

/// Makes the folders that attached files are written into.
enum FolderMaking {
  /// Makes a folder, and those above it, for its owner only. One that is there stays as it is.
  ///
  /// - Throws: ``UsageError`` if it cannot be made.
  static func make(_ folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw UsageError(
        "cannot make '\(folder)'", cause: (error as NSError).localizedDescription, status: .cannotCreate)
    }
  }
}
