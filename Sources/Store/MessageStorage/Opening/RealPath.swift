internal import Foundation

/// The resolution of paths: links followed, folders made absolute.
package enum RealPath {
  /// The reason why a path leads nowhere, as an error number of the system.
  package struct Failure: Error, Hashable {
    package var number: Int32
  }

  /// Returns the absolute path of what a path leads to, behind all symbolic links; also of what is not there yet.
  ///
  /// Where a folder above has a name that is not UTF-8, the path comes back as it is, but never as what SQLite takes
  /// for something else than a file: `file:x` becomes `./file:x`.
  ///
  /// - Throws: ``Failure`` if a folder on the way is missing or closed, or links lead round in circles.
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

  /// Returns the beginning of a path through its last slash. (That of NSString traps on names of one letter.)
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Returns what lies behind the last slash of a path.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns where a path leads that has nothing at its end.
  private static func ofNothing(_ path: String) throws(Failure) -> String {
    let (folder, name) = (folder(of: path), name(of: path))
    if name.isEmpty { throw Failure(number: EISDIR) }
    guard let real = realpath(folder.isEmpty ? "." : folder, nil) else { return absolute(path) }
    defer { free(real) }
    guard let start = String(validatingCString: real) else { return try plain(path) }
    return start == "/" ? "/\(name)" : "\(start)/\(name)"
  }

  /// The path as it is, from a folder whose name cannot be told.
  private static func plain(_ path: String) throws(Failure) -> String {
    // What lies beside a file would be looked for beside its link.
    if try link(at: path) != nil { throw Failure(number: EILSEQ) }
    return path.hasPrefix("/") ? path : "./" + path
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let start = realpath(".", nil) else { return "./" + path }
    defer { free(start) }
    return String(validatingCString: start).map { "\($0)/\(path)" } ?? "./" + path
  }

  /// Returns the target of a symbolic link; `nil` if there is none at the path.
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
