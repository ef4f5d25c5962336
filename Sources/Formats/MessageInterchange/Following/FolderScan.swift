internal import Foundation
internal import MessageModel

/// All files and folders below a path.
///
/// It contains what an import would read: nothing hidden, and nothing behind links. Unfinished downloads
/// (`x.zip.part`) and files beside databases are left out.
package struct FolderScan {
  package private(set) var files: [FoundFile] = []
  /// The folders, the root first; empty if the root is a file.
  package private(set) var folders: [String] = []
  /// Folders that cannot be read, and why.
  package private(set) var obstacles: [(path: String, reason: String)] = []

  /// Walks through `root`.
  ///
  /// - Parameter book: The known logs: a log that was just rotated away may not exist again yet.
  /// - Complexity: O(files and folders).
  package init(
    _ root: String, knowing book: LogBook = LogBook()
  ) throws(InterchangeError) {
    var facts = stat()
    guard PathBytes.withBytes(of: root, { stat($0, &facts) }) == 0 else {
      throw InterchangeError(errno: errno, reading: root)
    }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      guard facts.st_mode & S_IFMT == S_IFREG else {
        throw InterchangeError(.unreadable, "cannot follow '\(root)'", cause: "it is not a regular file")
      }
      guard PathBytes.withBytes(of: root, { access($0, R_OK) }) == 0 else {
        throw InterchangeError(errno: errno, reading: root)
      }
      files = [FoundFile(at: root)]
      return
    }
    var open = [(path: root, components: FolderWalk.absoluteComponents(of: root))]
    while let folder = open.popLast() {
      guard let names = Self.names(in: folder.path) else {
        let error = InterchangeError(errno: errno, reading: folder.path)
        if folder.path == root { throw error }
        obstacles.append((folder.path, error.reason))
        continue
      }
      folders.append(folder.path)
      let present = Set(names.map(\.name))
      for (name, isFolder) in names {
        let path = folder.path.hasSuffix("/") ? folder.path + name : folder.path + "/" + name
        if isFolder {
          open.append((path, folder.components + [name]))
        } else {
          files.append(
            FoundFile(
              path: path, root: root, in: folder.components,
              of: book.log(of: path, beside: present.contains)))
        }
      }
    }
  }

  /// The files beside a log that it was rotated to.
  package static func files(beside log: FoundFile, knowing book: LogBook) -> [FoundFile] {
    let folder = PathNames.folderAndName(of: log.path).folder
    return (names(in: folder.isEmpty ? "." : folder) ?? []).filter { !$0.isFolder }.compactMap { name, _ in
      let owner = book.log(of: folder + name) { $0 == log.name }
      return owner == log.path ? log.rotated(to: folder + name) : nil
    }
  }

  private static func names(in folder: String) -> [(name: String, isFolder: Bool)]? {
    guard let listing = PathBytes.withBytes(of: folder, { opendir($0) }) else { return nil }
    defer { closedir(listing) }
    let ownName = PathNames.folderAndName(of: folder).name
    var found: [(String, Bool)] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { PathBytes.text($0) }
      }
      guard !isPassedOver(name, in: ownName) else { continue }
      var kind = Int32(entry.pointee.d_type)
      if kind == Int32(DT_UNKNOWN) {
        var facts = stat()
        guard PathBytes.withBytes(of: folder + "/" + name, { lstat($0, &facts) }) == 0 else { continue }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: kind = Int32(DT_DIR)
        case S_IFREG: kind = Int32(DT_REG)
        default: continue
        }
      }
      if kind == Int32(DT_DIR) { found.append((name, true)) }
      if kind == Int32(DT_REG) { found.append((name, false)) }
    }
    return found.sorted { $0.0 < $1.0 }
  }

  private static let passing = [
    ".part", ".partial", ".crdownload", ".download", ".tmp", ".swp", "~", "-wal", "-shm", "-journal",
  ]

  /// Whether a name is hidden, of an unfinished file, or of a file beside a database.
  ///
  /// - Parameter folder: The name of its folder, if known.
  package static func isPassedOver(_ name: String, in folder: String? = nil) -> Bool {
    PathNames.isHidden(name, in: folder) || passing.contains { name.hasSuffix($0) }
  }

  /// The database beside which a file of this name lies (`-wal`, `-shm`, `-journal`); `nil` for other names.
  package static func database(besideWhichLies name: String) -> String? {
    for suffix in ["-wal", "-shm", "-journal"] where name.hasSuffix(suffix) {
      return String(name.dropLast(suffix.count))
    }
    return nil
  }

  /// The log's name before it was rotated: `tea.log` for `tea.log.1`, `tea.log.2.gz` and `tea.log-20240501`;
  /// `nil` for other names.
  ///
  /// - Parameter exists: Whether a log of that name exists beside it or did.
  package static func log(of name: String, where exists: (String) -> Bool) -> String? {
    let plain = PathNames.withoutArchiveExtensions(name)
    return RotationSuffix.places(in: plain).map { String(plain[..<$0]) }.first(where: exists)
  }
}
