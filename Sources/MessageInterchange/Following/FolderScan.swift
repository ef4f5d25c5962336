internal import Foundation

/// All files and folders below a path, as they lie there now.
///
/// What belongs to it is what an import of it reads: nothing hidden, and nothing that links lead to. Files that are still on
/// their way under a name of their own (`x.zip.part`) and those beside databases are left out.
package struct FolderScan {
  /// The files.
  package private(set) var files: [FoundFile] = []
  /// The folders, the root first; none if a file was named.
  package private(set) var folders: [String] = []
  /// Folders that cannot be read, and why.
  package private(set) var obstacles: [(path: String, reason: String)] = []

  /// Goes through `root`.
  ///
  /// - Parameter isKnown: Whether there was a file at a path before.
  /// - Throws: ``InterchangeError`` if it is not there or cannot be read.
  /// - Complexity: O(files and folders).
  package init(
    _ root: String, knowing isKnown: (_ path: String) -> Bool = { _ in false }
  ) throws(InterchangeError) {
    var facts = stat()
    guard stat(root, &facts) == 0 else { throw InterchangeError(errno: errno, reading: root) }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      guard facts.st_mode & S_IFMT == S_IFREG else {
        throw InterchangeError(.unreadable, "cannot follow '\(root)'", cause: "it is not a regular file")
      }
      guard access(root, R_OK) == 0 else { throw InterchangeError(errno: errno, reading: root) }
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
          // A log that was just rotated away may not be there again yet.
          let owner =
            Self.log(of: name) { log in
              present.contains(log) || isKnown(path.dropLast(name.count) + log)
            } ?? name
          files.append(FoundFile(path: path, root: root, in: folder.components, called: owner))
        }
      }
    }
  }

  /// Finds the files beside one, which belong to the log that it is.
  package static func files(beside log: FoundFile) -> [FoundFile] {
    let folder = log.path.lastIndex(of: "/").map { String(log.path[..<$0]) } ?? ""
    return (names(in: folder.isEmpty ? "/" : folder) ?? []).filter { !$0.isFolder }.compactMap { name, _ in
      self.log(of: name) { $0 == log.name }.map { log.beside(at: "\(folder)/\(name)", belongingTo: $0) }
    }
  }

  private static func names(in folder: String) -> [(name: String, isFolder: Bool)]? {
    guard let listing = opendir(folder) else { return nil }
    defer { closedir(listing) }
    var found: [(String, Bool)] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      guard !isPassedOver(name) else { continue }
      var kind = Int32(entry.pointee.d_type)
      if kind == Int32(DT_UNKNOWN) {
        var facts = stat()
        guard lstat(folder + "/" + name, &facts) == 0 else { continue }
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

  /// The endings of files that are being written under another name, or lie beside a database.
  private static let passing = [
    ".part", ".partial", ".crdownload", ".download", ".tmp", ".swp", "~", "-wal", "-shm", "-journal",
  ]

  /// Whether a name is hidden, is one that a file has only until it is whole, or lies beside a database.
  package static func isPassedOver(_ name: String) -> Bool {
    PathNames.isHidden(name) || passing.contains { name.hasSuffix($0) }
  }

  /// Returns the name of the database that a file of this name lies beside; `nil` if it would lie beside none.
  package static func database(besideWhichLies name: String) -> String? {
    for suffix in ["-wal", "-shm", "-journal"] where name.hasSuffix(suffix) {
      return String(name.dropLast(suffix.count))
    }
    return nil
  }

  /// Returns the name of the log that a file of this name was, before it was rotated away: `tea.log` for `tea.log.1`,
  /// `tea.log.2.gz` and `tea.log-20240501`; `nil` if it is none.
  ///
  /// - Parameter exists: Whether there is a log of that name beside it.
  package static func log(of name: String, where exists: (String) -> Bool) -> String? {
    let plain = PathNames.withoutArchiveExtensions(name)
    guard let mark = plain.lastIndex(where: { $0 == "." || $0 == "-" }), mark > plain.startIndex else {
      return nil
    }
    let number = plain[plain.index(after: mark)...]
    let isNumber =
      (plain[mark] == "." ? 1...3 : 8...10).contains(number.utf8.count)
      && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let log = String(plain[..<mark])
    return isNumber && exists(log) ? log + name.dropFirst(plain.count) : nil
  }
}
