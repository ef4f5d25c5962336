internal import Foundation

package enum RealPath {
  /// An error number of the system.
  package struct Failure: Error, Hashable {
    package var number: Int32
  }

  /// Resolves all symbolic links of a path and makes it absolute; its last component need not exist.
  ///
  /// If a folder's name is not UTF-8 the path is returned as it is, prefixed with `./` where SQLite would
  /// parse it as a URI.
  ///
  /// - Throws: ``Failure`` if a folder is missing or closed, or links form a circle.
  package static func of(_ path: String) throws(Failure) -> String {
    var path = path
    // As many as Linux follows (path_resolution(7)).
    for _ in 0..<40 {
      if path.isEmpty { throw Failure(number: ENOENT) }
      if let real = realpath(path, nil) {
        defer { free(real) }
        if let known = String(validatingCString: real) { return known }
        return try plain(path)
      }
      guard errno == ENOENT else { throw Failure(number: errno) }
      guard let next = try link(at: path) else { return try ofNothing(path) }
      path = next.hasPrefix("/") ? next : folder(of: path) + next
    }
    throw Failure(number: ELOOP)
  }

  /// Returns a path through its last slash. (NSString's method traps on names of one letter.)
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  private static func ofNothing(_ path: String) throws(Failure) -> String {
    let (folder, name) = (folder(of: path), name(of: path))
    if name.isEmpty { throw Failure(number: EISDIR) }
    guard let real = realpath(folder.isEmpty ? "." : folder, nil) else { return absolute(path) }
    defer { free(real) }
    guard let start = String(validatingCString: real) else { return try plain(path) }
    return start == "/" ? "/\(name)" : "\(start)/\(name)"
  }

  /// Returns the path unresolved, for folders whose names are not UTF-8.
  private static func plain(_ path: String) throws(Failure) -> String {
    // A link's companions would be looked for beside the link.
    if try link(at: path) != nil { throw Failure(number: EILSEQ) }
    return path.hasPrefix("/") ? path : "./" + path
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let start = realpath(".", nil) else { return "./" + path }
    defer { free(start) }
    return String(validatingCString: start).map { "\($0)/\(path)" } ?? "./" + path
  }

  private static func link(at path: String) throws(Failure) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    if count <= 0 { return nil }
    guard let target = String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) else {
      throw Failure(number: EILSEQ)
    }
    return target
  }
}
