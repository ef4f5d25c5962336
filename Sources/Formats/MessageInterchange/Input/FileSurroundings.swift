internal import Foundation
internal import MessageModel

/// The folders in which files named by a history may lie: its own, and those above it up to the path the user
/// gave.
///
/// Nothing outside is ever opened, whatever a history names and wherever links lead.
public struct FileSurroundings: Hashable, Sendable {
  /// The archive that contains the history; `nil` if it lies in a folder.
  public let archive: String?
  private let folder: [String]
  /// The number of these parts above the path the user gave.
  private let outerCount: Int

  init?(_ file: InputFile) {
    archive = file.archive
    folder = file.components.dropLast()
    guard archive == nil else {
      outerCount = 1
      return
    }
    guard file.diskPath != nil, let root = file.root else { return nil }
    let isFolder = Self.isFolder(root)
    outerCount = isFolder ? Self.absolute(root).split(separator: "/").count : folder.count
  }

  var folderParts: [String] { folder }

  /// The places where a file that the history calls `path` may lie, nearest first, as ``ArchivedFiles`` names
  /// them. Places outside the user's path are omitted.
  public func places(of path: String) -> [String] {
    let parts = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).map(String.init)
    guard !parts.isEmpty, !parts.contains(".."), !parts.contains(where: { $0.utf8.contains(0) }) else {
      return []
    }
    let inner = parts.filter { $0 != "." }
    let least = min(max(outerCount, 1), folder.count)
    return (least...folder.count).reversed().map { (folder[..<$0] + inner).joined(separator: "/") }
  }

  /// The path on disk of a file that the history calls `path`; `nil` if it does not exist, is not a regular
  /// file, or a link leads outside the user's path.
  public func file(_ path: String) -> String? {
    let top = "/" + folder[..<min(outerCount, folder.count)].joined(separator: "/")
    for place in places(of: path) {
      let real = Self.absolute("/" + place)
      guard real.hasPrefix(top == "/" ? "/" : top + "/") else { continue }
      var facts = stat()
      if PathBytes.withBytes(of: real, { stat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFREG {
        return real
      }
    }
    return nil
  }

  static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return PathBytes.withBytes(of: path) { stat($0, &facts) } == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  private static func absolute(_ path: String) -> String {
    guard let real = PathBytes.withBytes(of: path, { realpath($0, nil) }) else { return path }
    defer { free(real) }
    return PathBytes.text(real)
  }
}
