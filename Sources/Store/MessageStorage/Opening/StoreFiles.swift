internal import Foundation
package import MessageModel

/// The files that make a store up, to which nothing else is written: the rule for whatever writes to a place that
/// somebody names.
package struct StoreFiles: Sendable {
  private let file: StoreFile?

  /// Creates the rule for the store that a path leads to, which may not be there yet.
  package init(ofStoreAt path: String) { file = try? StoreFile(named: path, doing: "") }

  init(_ file: StoreFile) { self.file = file }

  /// Throws if what a path leads to belongs to the store: the file under any of its names, what SQLite keeps beside it,
  /// the folder of its attachments and all in it.
  ///
  /// - Throws: ``StoreError`` of kind `cannotCreate`.
  package func spare(_ path: String, doing: @autoclosure () -> String) throws(StoreError) {
    guard let file, let target = try? RealPath.of(path), let part = part(of: file, at: target) else { return }
    throw Self.refusal(doing(), part)
  }

  /// Throws if an open file belongs to the store.
  ///
  /// - Throws: ``StoreError`` of kind `cannotCreate`.
  package func spare(descriptor: Int32, doing: @autoclosure () -> String) throws(StoreError) {
    guard let file, let facts = stat(descriptor: descriptor), facts.kind == S_IFREG else { return }
    guard let part = part(of: file, FileIdentity(facts)) else { return }
    throw Self.refusal(doing(), part)
  }

  /// Makes a folder, and those above it, for its owner only. One that is there stays as it is.
  ///
  /// - Throws: ``StoreError`` of kind `cannotCreate` if it cannot be made, or belongs to the store.
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

  /// Whether a path without links leads to a file of the store.
  package func include(_ path: String) -> Bool { file.flatMap { part(of: $0, at: path) } != nil }

  private static func refusal(_ doing: String, _ part: String) -> StoreError {
    StoreError(.cannotCreate, doing, cause: "it is \(part)", remedy: "another name")
  }

  /// Returns the part of the store that lies at a path without links, or would; `nil` if that is something else.
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

  /// Whether a path is the folder of attachments or lies in it, whatever that is called on the way.
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
  /// The files of the store, which nothing else may be written to.
  package var files: StoreFiles { StoreFiles(file) }
}
