internal import Foundation

/// A program that lies beside this one, as an installation puts it there.
package enum OtherProgram {
  /// Why another program did not take this one's place.
  package enum Failure: Hashable, Sendable {
    case notThere(path: String)
    case failed(cause: String)
  }

  /// Runs a program in place of this one: it has the same streams and the same process, and gets the signals meant for it.
  ///
  /// - Returns: Only if that cannot be done.
  package static func become(_ name: String, _ arguments: [String]) -> Failure {
    let own = Bundle.main.executableURL?.resolvingSymlinksInPath()
    guard let path = own?.deletingLastPathComponent().appendingPathComponent(name).path else {
      return .notThere(path: name)
    }
    guard access(path, F_OK) == 0 else { return .notThere(path: path) }
    return become(path, given: [path] + arguments)
  }

  /// Runs a program of `PATH` in place of this one. No shell reads the words.
  ///
  /// - Parameters:
  ///   - words: Its name, and what it is given.
  ///   - folder: The folder to run it in; `nil` for the present one.
  /// - Returns: Only if that cannot be done.
  package static func run(_ words: [String], in folder: String?) -> Failure {
    guard let name = words.first else { return .notThere(path: "") }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    // What a folder of somebody's project is called like is not meant.
    let paths = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return .notThere(path: name) }
    if let folder, chdir(folder) != 0 { return .failed(cause: String(cString: strerror(errno))) }
    return become(path, given: words)
  }

  private static func become(_ path: String, given words: [String]) -> Failure {
    let given: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in given { free(argument) } }
    execv(path, given)
    return .failed(cause: String(cString: strerror(errno)))
  }
}
