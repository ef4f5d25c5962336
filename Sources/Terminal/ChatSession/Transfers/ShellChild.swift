internal import CFiles
internal import Foundation
internal import Synchronization

/// A command of the shell in a process group of its own: it has three streams of this process, and no other descriptor.
package final class ShellChild: Sendable {
  private let number: Int32
  private let state = Mutex(State())

  private struct State {
    /// The status with which it ended; `nil` while it runs.
    var status: Int32?
    /// Whether it was told to end, and with it what it has started.
    var isToEnd = false
  }

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - input: The descriptor that it reads.
  ///   - output: The descriptor that it writes to.
  ///   - errors: The descriptor that it complains to.
  /// - Throws: ``UsageError`` if there is no shell.
  package init(
    _ command: String, input: Int32, output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO
  ) throws(UsageError) {
    var child: Int32 = -1
    let failure = cfiles_run_shell(command, input, output, errors, &child)
    guard failure == 0 else {
      throw UsageError("cannot run a command", cause: String(cString: strerror(failure)))
    }
    number = child
  }

  /// The status with which it ended, 128 and more for a signal; `nil` while it runs.
  package var status: Int32? {
    state.withLock { state in
      guard state.status == nil, cfiles_has_ended(number) else { return state.status }
      // As long as its end was not taken note of, its group is nobody else's.
      if state.isToEnd { kill(-number, SIGKILL) }
      state.status = cfiles_ended(number)
      return state.status
    }
  }

  /// Sends it and all that it has started a signal that ends them.
  package func end(by signal: Int32) {
    state.withLock { state in
      guard state.status == nil else { return }
      state.isToEnd = true
      kill(-number, signal)
    }
  }
}
