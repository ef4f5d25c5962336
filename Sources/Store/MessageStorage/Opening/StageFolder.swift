internal import Foundation
package import MessageModel

/// A private folder beside a store for a copy of it, which is to be sent or to replace the store.
///
/// The copy is on the store's disk, which has its content unencrypted already.
package struct StageFolder: Sendable {
  package let path: String

  /// Makes an empty folder, replacing that of an earlier attempt.
  ///
  /// - Parameters:
  ///   - store: The path of the store, which need not exist.
  ///   - purpose: The suffix of the folder's name.
  package init(beside store: String, for purpose: String) throws(StoreError) {
    path = Self.path(beside: store, for: purpose)
    remove()
    do {
      let above = RealPath.folder(of: path)
      if !above.isEmpty {
        try FileManager.default.createDirectory(
          atPath: above, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(.cannotCreate, "cannot make '\(path)'", cause: (error as NSError).localizedDescription)
    }
  }

  private init(at path: String) { self.path = path }

  /// Returns a folder that this or another process made.
  package static func known(beside store: String, for purpose: String) -> StageFolder {
    StageFolder(at: path(beside: store, for: purpose))
  }

  private static func path(beside store: String, for purpose: String) -> String { "\(store).\(purpose)" }

  package var store: String { path + "/" + Self.storeName }
  package var attachments: String { path + "/" + Self.attachmentsName }

  package static let storeName = "scrollback.db"
  package static let attachmentsName = "scrollback.db.attachments"

  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Throws ``StoreError`` of kind `notAStore` if it has anything but regular files and folders: content from
  /// elsewhere may be hostile.
  package func checkKinds(doing: String) throws(StoreError) {
    for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
      guard let strange = stat(at: "\(path)/\(name)")?.strangeKind, strange != "a folder" else { continue }
      throw StoreError(.notAStore, doing, cause: "'\(name)' in it is \(strange)")
    }
  }
}
