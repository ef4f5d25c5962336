internal import Foundation
internal import MessageModel

struct FolderEntry {
  /// `-` for standard input.
  var path: String
  /// The absolute path in parts.
  var components: [String]
  var root: String
  /// In bytes; `nil` if unknown before reading.
  var byteCount: Int64?
  var obstacle: String?

  var shownPath: String { path == "-" ? "standard input" : path }
}

/// The files at a path: the file itself, or all below the folder, ordered by the bytes of their paths,
/// without hidden ones. A link that the user names is followed, one inside a folder is not: its target is in
/// the folder anyway or lies outside. Memory holds the names in the open folders.
struct FolderWalk {
  private let root: String
  private var open: [OpenFolder] = []
  private var single: FolderEntry?
  private(set) var hidden: [String] = []

  static let mostHidden = 8

  private struct OpenFolder {
    var path: String
    var components: [String]
    var names: [String]
  }

  init(_ path: String) throws(InterchangeError) {
    root = path
    if path == "-" {
      single = FolderEntry(path: "-", components: ["standard input"], root: "-")
      return
    }
    var facts = stat()
    guard PathBytes.withBytes(of: path, { stat($0, &facts) }) == 0 else {
      throw InterchangeError(errno: errno, reading: path)
    }
    let components = Self.absoluteComponents(of: path)
    if facts.st_mode & S_IFMT == S_IFDIR {
      try enterFolder(path, components)
    } else {
      let isRegular = facts.st_mode & S_IFMT == S_IFREG
      single = FolderEntry(
        path: path, components: components, root: path, byteCount: isRegular ? Int64(facts.st_size) : nil)
    }
  }

  init(_ entry: FolderEntry) {
    root = entry.root
    single = entry
  }

  mutating func next() -> FolderEntry? {
    if let single {
      self.single = nil
      return single
    }
    while let last = open.indices.last {
      // In place: a copy of the folder would copy all names for each file.
      guard let name = open[last].names.popLast() else {
        open.removeLast()
        continue
      }
      if let entry = enter(name, inFolder: open[last].path, open[last].components) { return entry }
    }
    return nil
  }

  private mutating func enter(
    _ name: String, inFolder folder: String, _ components: [String]
  ) -> FolderEntry? {
    let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
    var entry = FolderEntry(path: path, components: components + [name], root: root, byteCount: 0)
    var facts = stat()
    guard PathBytes.withBytes(of: path, { lstat($0, &facts) }) == 0 else {
      entry.obstacle = String(cString: strerror(errno))
      return entry
    }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR:
      do throws(InterchangeError) {
        try enterFolder(path, entry.components)
        return nil
      } catch {
        entry.obstacle = error.reason
      }
    case S_IFREG: entry.byteCount = Int64(facts.st_size)
    case S_IFLNK:
      let target = Self.resolved(path)
      let tree = Self.resolved(root)
      if target == tree || target.hasPrefix(tree + "/") { return nil }
      entry.obstacle = "it is a symbolic link to a place outside the folder"
    default: entry.obstacle = "it is not a regular file"
    }
    return entry
  }

  private mutating func enterFolder(_ path: String, _ components: [String]) throws(InterchangeError) {
    guard let names = Self.names(in: path) else { throw InterchangeError(errno: errno, reading: path) }
    let isHidden = { (name: String) in PathNames.isHidden(name, in: components) }
    let shown = names.filter { !isHidden($0) }
    if shown.count < names.count, hidden.count < Self.mostHidden {
      let others = names.filter(isHidden).sorted().prefix(Self.mostHidden - hidden.count)
      hidden += others.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }
    open.append(
      OpenFolder(
        path: path, components: components,
        names: shown.sorted { $1.utf8.lexicographicallyPrecedes($0.utf8) }))
  }

  private static func names(in folder: String) -> [String]? {
    guard let listing = PathBytes.withBytes(of: folder, { opendir($0) }) else { return nil }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { PathBytes.text($0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func resolved(_ path: String) -> String {
    guard let real = PathBytes.withBytes(of: path, { realpath($0, nil) }) else { return path }
    defer { free(real) }
    return PathBytes.text(real)
  }

  static func absoluteComponents(of path: String) -> [String] {
    resolved(path).split(separator: "/").map(String.init)
  }

  static func byteCount(of paths: [String]) throws(InterchangeError) -> Int64? {
    var sum: Int64 = 0
    for path in paths {
      var walk = try FolderWalk(path)
      while let entry = walk.next() {
        guard let byteCount = entry.byteCount else { return nil }
        sum += byteCount
      }
    }
    return sum
  }
}
