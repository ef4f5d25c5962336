internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that the user named or that lies in a folder they named.
struct FolderEntry {
  /// The path to open it by; `-` for standard input.
  var path: String
  /// The absolute path in parts.
  var components: [String]
  /// What the user named to get it: the path itself, or a folder above it.
  var root: String
  /// The size in bytes; `nil` where it cannot be known before reading.
  var byteCount: Int64?
  /// Why it is passed over, if it is.
  var obstacle: String?

  /// What messages call it.
  var shownPath: String { path == "-" ? "standard input" : path }

  /// Returns the files that `path` stands for: itself, or all below it in the order of their paths' bytes.
  ///
  /// Hidden files are left out. A symbolic link that is named is followed, one inside a folder is not: what it leads to
  /// is there already or lies outside.
  static func all(in path: String) throws(InterchangeError) -> [FolderEntry] {
    if path == "-" { return [FolderEntry(path: "-", components: ["standard input"], root: "-")] }
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw InterchangeError(errno: errno, reading: path) }
    let components = absoluteComponents(of: path)
    if facts.st_mode & S_IFMT == S_IFDIR {
      var found: [FolderEntry] = []
      try collect(path, components: components, root: path, into: &found)
      return found
    }
    let isRegular = facts.st_mode & S_IFMT == S_IFREG
    return [
      FolderEntry(
        path: path, components: components, root: path, byteCount: isRegular ? Int64(facts.st_size) : nil)
    ]
  }

  private static func collect(
    _ folder: String, components: [String], root: String, into found: inout [FolderEntry]
  ) throws(InterchangeError) {
    for name in try names(in: folder) where !PathNames.isHidden(name) {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      var entry = FolderEntry(path: path, components: components + [name], root: root, byteCount: 0)
      var facts = stat()
      guard lstat(path, &facts) == 0 else {
        entry.obstacle = String(cString: strerror(errno))
        found.append(entry)
        continue
      }
      switch facts.st_mode & S_IFMT {
      case S_IFDIR: try collect(path, components: entry.components, root: root, into: &found)
      case S_IFREG:
        entry.byteCount = Int64(facts.st_size)
        found.append(entry)
      case S_IFLNK:
        let target = resolved(path)
        let tree = resolved(root)
        if target == tree || target.hasPrefix(tree + "/") { continue }
        entry.obstacle = "it is a symbolic link to a place outside the folder"
        found.append(entry)
      default:
        entry.obstacle = "it is not a regular file"
        found.append(entry)
      }
    }
  }

  private static func names(in folder: String) throws(InterchangeError) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      var facts = stat()
      let code = stat(folder, &facts) == 0 ? EACCES : errno
      throw InterchangeError(errno: code, reading: folder)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func absoluteComponents(of path: String) -> [String] {
    resolved(path).split(separator: "/").map(String.init)
  }
}
