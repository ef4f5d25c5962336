internal import CFiles
internal import Foundation
internal import Synchronization

/// A shell command in a process group of its own, with three streams and no other descriptor of this process.
package final class ShellChild: Sendable {
  private let number: Int32
  private let state = Mutex(State())

  private struct State {
    /// `nil` while it runs.
    var status: Int32?
    /// Whether it was told to end, with all its children.
    var isToEnd = false
  }

  /// Throws ``UsageError`` if there is no shell.
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

  /// Its exit status, 128 + *n* for signal *n*; `nil` while it runs.
  package var status: Int32? {
    state.withLock { state in
      guard state.status == nil, cfiles_has_ended(number) else { return state.status }
      // Until it is reaped, its group id cannot be reused.
      if state.isToEnd { kill(-number, SIGKILL) }
      state.status = cfiles_ended(number)
      return state.status
    }
  }

  /// Sends a signal to its process group.
  package func end(by signal: Int32) {
    state.withLock { state in
      guard state.status == nil else { return }
      state.isToEnd = true
      kill(-number, signal)
    }
  }
}
