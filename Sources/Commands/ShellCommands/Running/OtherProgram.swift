internal import Foundation

/// A program that takes the place of this process.
package enum OtherProgram {
  /// The first word of a process that serves a store, and is no command.
  package static let serverWord = "serve-process"

  /// Why another program did not take this one's place.
  package enum Failure: Hashable, Sendable {
    case notThere(path: String)
    case failed(cause: String)
  }

  /// Begins this program from its start as the server of a store: it has the same streams and the same process, and gets the
  /// signals meant for it.
  ///
  /// - Returns: Only if that cannot be done.
  package static func becomeServer(_ arguments: [String]) -> Failure {
    guard let path = Bundle.main.executablePath else { return .notThere(path: CommandLine.arguments[0]) }
    guard access(path, F_OK) == 0 else { return .notThere(path: path) }
    return become(path, given: [path, serverWord] + arguments)
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
