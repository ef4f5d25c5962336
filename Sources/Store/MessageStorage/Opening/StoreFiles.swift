internal import Foundation
package import MessageModel

/// The files of a store, which no export or copy may overwrite.
package struct StoreFiles: Sendable {
  private let file: StoreFile?

  /// The store need not exist.
  package init(ofStoreAt path: String) { file = try? StoreFile(named: path, doing: "") }

  init(_ file: StoreFile) { self.file = file }

  /// Throws ``StoreError`` of kind `cannotCreate` if a path leads to a file of the store under any name: the
  /// file, SQLite's companions, or its attachments.
  package func spare(_ path: String, doing: @autoclosure () -> String) throws(StoreError) {
    guard let file, let target = try? RealPath.of(path), let part = part(of: file, at: target) else { return }
    throw Self.refusal(doing(), part)
  }

  /// Throws ``StoreError`` of kind `cannotCreate` if an open file is one of the store.
  package func spare(descriptor: Int32, doing: @autoclosure () -> String) throws(StoreError) {
    guard let file, let facts = stat(descriptor: descriptor), facts.kind == S_IFREG else { return }
    guard let part = part(of: file, FileIdentity(facts)) else { return }
    throw Self.refusal(doing(), part)
  }

  /// Makes a folder and its parents, accessible to their owner only. An existing folder is not changed.
  ///
  /// - Throws: ``StoreError`` of kind `cannotCreate` if it cannot be made or belongs to the store.
  package func makeFolder(_ folder: String) throws(StoreError) {
    try spare(folder, doing: "cannot write into '\(folder)'")
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .cannotCreate, "cannot make '\(folder)'", cause: (error as NSError).localizedDescription)
    }
  }

  /// - Parameter path: A path without links.
  package func include(_ path: String) -> Bool { file.flatMap { part(of: $0, at: path) } != nil }

  private static func refusal(_ doing: String, _ part: String) -> StoreError {
    StoreError(.cannotCreate, doing, cause: "it is \(part)", remedy: "another name")
  }

  private func part(of file: StoreFile, at target: String) -> String? {
    if let same = FileIdentity(path: target).flatMap({ part(of: file, $0) }) { return same }
    for suffix in StoreFile.companions where target == file.path + suffix { return Self.name(of: suffix) }
    if target == file.path { return Self.name(of: "") }
    return isWithinAttachments(of: file, target) ? "in the folder of the store's attachments" : nil
  }

  private func part(of file: StoreFile, _ identity: FileIdentity) -> String? {
    let suffix = ([""] + StoreFile.companions).first { FileIdentity(path: file.path + $0) == identity }
    return suffix.map(Self.name)
  }

  private static func name(of suffix: String) -> String {
    suffix.isEmpty ? "the store itself" : "the store's own '\(suffix)' file"
  }

  /// Whether a path is the folder of attachments or within it, under any name.
  private func isWithinAttachments(of file: StoreFile, _ target: String) -> Bool {
    let folder = ContentFolder(beside: file).path
    let identity = FileIdentity(path: folder)
    var place = target
    while place.count > 1 {
      if place == folder || identity != nil && FileIdentity(path: place) == identity { return true }
      let above = RealPath.folder(of: place)
      if above.isEmpty { return false }
      place = above.count > 1 ? String(above.dropLast()) : above
    }
    return false
  }
}

extension SynchronousMessageStore {
  package var files: StoreFiles { StoreFiles(file) }
}
