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
    let given: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for argument in given { free(argument) } }
    execv(path, given)
    return .failed(cause: String(cString: strerror(errno)))
  }
}
