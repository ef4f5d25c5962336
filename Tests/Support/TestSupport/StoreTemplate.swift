internal import Foundation
internal import MessageStorage
internal import Synchronization

/// Files of stores that tests begin with: each is made once for a process and copied from then on, in a tenth of the time.
package enum StoreTemplate {
  private static let files = Mutex<[String: Data]>([:])

  /// Puts a store at a path in a folder that is made: a copy of that which `make` made for the first of this name.
  ///
  /// Copies have the identity of the first, unless they are without messages and it is said that they shall not.
  ///
  /// - Parameters:
  ///   - hasOwnIdentity: Whether the copy is another store than all others.
  ///   - make: Makes a store at a path, and closes it.
  package static func copy(
    _ name: String, to path: String, hasOwnIdentity: Bool = false, making make: (String) throws -> Void
  ) throws {
    let file = try file(name, making: make)
    try write(hasOwnIdentity ? try withOwnIdentity(file) : file, to: path)
  }

  /// Puts an empty store with an identity of its own at a path in a folder that is made.
  package static func copyEmpty(to path: String) throws {
    try copy("empty", to: path, hasOwnIdentity: true) { path in
      try SynchronousMessageStore(path: path).close()
    }
  }

  /// Gives a store another key in the place of the one that it drew when it was made, which stands behind its name. Keys against
  /// duplicates are made with it: a store that has any would lose them.
  private static func withOwnIdentity(_ file: Data) throws -> Data {
    var file = file
    guard let name = file.range(of: Data("hash key".utf8)) else { throw CocoaError(.fileReadCorruptFile) }
    let key = name.upperBound..<name.upperBound + 16
    file.replaceSubrange(key, with: key.map { _ in UInt8.random(in: .min ... .max) })
    return file
  }

  /// Returns the file of a name. Two that are asked for at once are both made, so that one may be made by way of another.
  private static func file(_ name: String, making make: (String) throws -> Void) throws -> Data {
    if let file = files.withLock({ $0[name] }) { return file }
    let folder = FileManager.default.temporaryDirectory.appending(path: "template-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "template.db").path
    try make(path)
    let file = try Data(contentsOf: URL(filePath: path))
    files.withLock { $0[name] = file }
    return file
  }

  /// As a store is made: for its owner alone.
  private static func write(_ file: Data, to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard
      FileManager.default.createFile(atPath: path, contents: file, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
  }
}
