internal import Foundation
internal import MessageModel

/// Programs that replace this process.
package enum OtherProgram {
  /// The first argument of a server process; no command has this name.
  package static let serverWord = "serve-process"

  package enum Failure: Error, Hashable, Sendable {
    case notThere(path: String)
    case failed(cause: String)

    /// Why the program does not run.
    var cause: String {
      switch self {
      case .notThere(let path): "'\(VisibleText.of(path))' does not exist"
      case .failed(let cause): cause
      }
    }
  }

  /// Restarts this program as the server of a store, with the same streams and process id, so that signals
  /// reach it.
  ///
  /// - Returns: Only on failure.
  package static func becomeServer(_ arguments: [String]) -> Failure {
    guard let path = Bundle.main.executablePath else { return .notThere(path: CommandLine.arguments[0]) }
    guard access(path, F_OK) == 0 else { return .notThere(path: path) }
    return become(path, given: [path, serverWord] + arguments)
  }

  /// Runs this program with other arguments on the same streams, and waits until it ends. Ctrl-C ends only that
  /// one.
  ///
  /// - Returns: Its exit status, as `waitpid` has it.
  static func runAgain(_ arguments: [String], environment: [String: String]) -> Result<Int32, Failure> {
    guard let path = Bundle.main.executablePath else {
      return .failure(.notThere(path: CommandLine.arguments[0]))
    }
    let words = ([path] + arguments).map { PathBytes.withBytes(of: $0) { strdup($0) } } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    // A signal that is ignored would be ignored by the other program, too; a handler is not inherited.
    let before = signal(SIGINT) { _ in }
    defer { signal(SIGINT, before) }
    var child: pid_t = 0
    let failure = posix_spawn(&child, path, nil, nil, words, variables)
    guard failure == 0 else { return .failure(.failed(cause: String(cString: strerror(failure)))) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return .success(status)
  }

  /// Replaces this process with a program of `PATH`, without a shell.
  ///
  /// - Parameters:
  ///   - words: The program's name and its arguments.
  ///   - folder: The folder to run it in; `nil` for the current one.
  /// - Returns: Only on failure.
  package static func run(_ words: [String], in folder: String?) -> Failure {
    guard let name = words.first else { return .notThere(path: "") }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    // Relative folders in `PATH` are skipped: a project may contain a file of this name.
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
