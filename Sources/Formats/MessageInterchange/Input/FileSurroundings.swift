internal import Foundation
internal import MessageModel

/// The folders in which the files may lie that a history names: its own, and those above it up to what the user named.
///
/// Nothing outside of that is ever opened, whatever a history says and wherever links lead.
public struct FileSurroundings: Hashable, Sendable {
  /// The archive that the history lies in; `nil` if it lies in a folder.
  public let archive: String?
  /// The folder of the history, in parts.
  private let folder: [String]
  /// The number of these parts that lie above what the user named.
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

  /// The folder of the history, in parts.
  var folderParts: [String] { folder }

  /// The places of a file called `path` by the history, the nearest first, as names that
  /// ``ArchivedFiles`` gives to files. A place that would lie outside is left out.
  public func places(of path: String) -> [String] {
    let parts = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).map(String.init)
    guard !parts.isEmpty, !parts.contains(".."), !parts.contains(where: { $0.utf8.contains(0) }) else {
      return []
    }
    let inner = parts.filter { $0 != "." }
    let least = min(max(outerCount, 1), folder.count)
    return (least...folder.count).reversed().map { (folder[..<$0] + inner).joined(separator: "/") }
  }

  /// Returns where on the disk a file called `path` by the history lies; `nil` if it is not there, not a file, or a link
  /// leads out of what the user named.
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

  /// Whether there is a folder at a path.
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
