internal import Foundation
package import MessageStorage

/// Makes the folders that attached files are written into.
package enum FolderMaking {
  /// Makes a folder, and those above it, for its owner only. One that is there stays as it is.
  ///
  /// - Parameter files: Where none is made, and nothing is to be written.
  /// - Throws: ``UsageError`` if it cannot be made, ``StoreError`` if it belongs to the store.
  package static func make(_ folder: String, sparing files: StoreFiles) throws {
    try files.spare(folder, doing: "cannot write into '\(folder)'")
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw UsageError(
        "cannot make '\(folder)'", cause: (error as NSError).localizedDescription, status: .cannotCreate)
    }
  }
}
