internal import Foundation
package import MessageModel

/// A folder beside a store, for its owner alone, in which a copy of the store is made ready: to be sent away, or to take its
/// place.
///
/// The copy lies on the disk of the store, which has it in the clear already.
package struct StageFolder: Sendable {
  package let path: String

  /// Makes an empty folder. What an earlier attempt has left under its name goes first.
  ///
  /// - Parameters:
  ///   - store: The path of the store, which need not be there.
  ///   - purpose: What its name ends with.
  /// - Throws: ``StoreError`` of kind `cannotCreate`.
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

  /// Returns the folder that was made before, by this process or by another one.
  package static func known(beside store: String, for purpose: String) -> StageFolder {
    StageFolder(at: path(beside: store, for: purpose))
  }

  private static func path(beside store: String, for purpose: String) -> String { "\(store).\(purpose)" }

  /// The place of the store's copy.
  package var store: String { path + "/" + Self.storeName }
  /// The place of what is attached to messages of the copy.
  package var attachments: String { path + "/" + Self.attachmentsName }

  package static let storeName = "scrollback.db"
  package static let attachmentsName = "scrollback.db.attachments"

  /// Removes the folder with all in it.
  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Throws unless there are regular files and folders alone in it: what comes from elsewhere may be anything.
  ///
  /// - Throws: ``StoreError`` of kind `notAStore`.
  package func checkKinds(doing: String) throws(StoreError) {
    for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
      guard let strange = stat(at: "\(path)/\(name)")?.strangeKind, strange != "a folder" else { continue }
      throw StoreError(.notAStore, doing, cause: "'\(name)' in it is \(strange)")
    }
  }
}
