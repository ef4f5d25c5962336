internal import Foundation
internal import Synchronization

/// A command of the shell that is given what is exported, and what it prints.
///
/// It may read as much as it wants; what it prints is kept up to a bound.
final class CommandPipe: Sendable {
  /// The command reads no more: that is no fault.
  struct Closed: Error {}

  private let child: ShellChild
  private let input: FileHandle
  private let hasBeenRead = DispatchSemaphore(value: 0)
  private let printed = Mutex((bytes: Data(), isCut: false))

  /// The most that is kept of what it prints.
  private static let mostBytes = 256 << 10
  /// The time between two checks whether to stop.
  private static let patienceMilliseconds = 100
  /// The time between two looks whether it has ended.
  private static let lookMicroseconds: UInt32 = 5_000

  /// Starts a command.
  ///
  /// - Throws: ``UsageError`` if there is no shell.
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

  /// Gives it bytes.
  ///
  /// - Throws: ``Closed`` if it reads no more.
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

  /// Does something on this thread without the signal that ends a program whose reader has gone.
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

  /// Tells it that there is no more, and waits for its end. Who does not end when asked is made to, with all that it has started.
  ///
  /// - Returns: What it printed, and its status.
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
    // What it has left running may hold its output open: that is not waited for.
    _ = hasBeenRead.wait(timeout: .now() + .seconds(1))
    let (bytes, isCut) = printed.withLock { $0 }
    var lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return (isCut ? lines + ["… it printed more"] : lines, child.status ?? 0)
  }
}
