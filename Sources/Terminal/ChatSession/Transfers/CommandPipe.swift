internal import CFiles
internal import Foundation
internal import Synchronization

/// A shell command that reads an export; its output is kept up to a limit.
final class CommandPipe: Sendable {
  /// The command has stopped reading, which is no failure.
  struct Closed: Error {}

  private let child: ShellChild
  private let input: FileHandle
  private let hasBeenRead = DispatchSemaphore(value: 0)
  private let printed = Mutex((bytes: Data(), isCut: false))

  private static let mostBytes = 256 << 10
  private static let patienceMilliseconds = 100
  private static let lookMicroseconds: UInt32 = 5_000

  init(_ command: String) throws(UsageError) {
    let (given, output) = (Pipe(), Pipe())
    let end = output.fileHandleForWriting.fileDescriptor
    child = try ShellChild(
      command, input: given.fileHandleForReading.fileDescriptor, output: end, errors: end)
    input = given.fileHandleForWriting
    try? given.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
    _ = fcntl(input.fileDescriptor, F_SETFL, O_NONBLOCK)
    DispatchQueue(label: "scrollback.command").async { [self] in
      read(output.fileHandleForReading)
      hasBeenRead.signal()
    }
  }

  private func read(_ output: FileHandle) {
    while let bytes = try? output.read(upToCount: 65_536), !bytes.isEmpty {
      printed.withLock { printed in
        let room = Self.mostBytes - printed.bytes.count
        printed.bytes += bytes.prefix(room)
        if bytes.count > room { printed.isCut = true }
      }
    }
  }

  func write(_ bytes: [UInt8], isCancelled: () -> Bool) throws {
    var rest = bytes[...]
    while !rest.isEmpty, !isCancelled() {
      var ready = pollfd(fd: input.fileDescriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&ready, 1, Int32(Self.patienceMilliseconds)) > 0 else { continue }
      let count = Self.withoutSignal {
        rest.withUnsafeBytes { Foundation.write(input.fileDescriptor, $0.baseAddress, $0.count) }
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EAGAIN, errno != EINTR {
        throw Closed()
      }
    }
  }

  private static func withoutSignal(_ body: () -> Int) -> Int {
    var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    let result = body()
    let number = errno
    sigpending(&pending)
    if sigismember(&pending, SIGPIPE) == 1, sigismember(&before, SIGPIPE) == 0 {
      var taken: Int32 = 0
      sigwait(&pipe, &taken)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = number
    return result
  }

  /// Waits for the command's end. If cancelled, ends it and all that it has started.
  func finish(isCancelled: () -> Bool) -> (lines: [String], status: Int32) {
    try? input.close()
    var askedAt: ContinuousClock.Instant?
    while child.status == nil {
      if isCancelled() {
        let isDeaf = askedAt.map { .now - $0 > .milliseconds(Self.patienceMilliseconds) } ?? false
        child.end(by: isDeaf ? SIGKILL : SIGTERM)
        askedAt = askedAt ?? .now
      }
      usleep(Self.lookMicroseconds)
    }
    // Background processes that hold the output open are not waited for.
    _ = hasBeenRead.wait(timeout: .now() + .seconds(1))
    let (bytes, isCut) = printed.withLock { $0 }
    var lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return (isCut ? lines + ["… it printed more"] : lines, child.status ?? 0)
  }
}

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
