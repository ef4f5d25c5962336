internal import ChatSession
internal import Foundation
internal import Synchronization

/// The signals that end a program waiting for input: the first asks it to report how far it came, a second
/// one ends it at once. A handler runs on any thread, and a signal may come between checking a flag and
/// waiting. So the handler writes into a pipe, which is polled with the input.
struct StopSignals: Sendable {
  private let reader: Int32

  private static let number = Atomic<Int32>(0)
  private static let writer = Atomic<Int32>(-1)
  private static let wasHandledBefore = Atomic<Bool>(false)

  /// Listens for Ctrl-C, SIGTERM, and a terminal or reader that goes away. Signals ignored by the parent
  /// process, as by `nohup`, stay ignored. Throws ``UsageError`` if too many files are open.
  init() throws(UsageError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw UsageError("cannot open a pipe", cause: String(cString: strerror(errno)), status: .inputOutput)
    }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    reader = ends[0]
    // A signal from before this call counts.
    if !Self.wasHandledBefore.exchange(false, ordering: .relaxed) { Self.number.store(0, ordering: .relaxed) }
    Self.writer.store(ends[1], ordering: .relaxed)
    Self.handle()
  }

  /// Records signals from now on for a later ``init()``. For programs that signals end with a status of their
  /// own; called first of all.
  static func handleFromNowOn() {
    wasHandledBefore.store(true, ordering: .relaxed)
    handle()
  }

  private static func handle() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] {
      Interruption.handleUnlessIgnored(number) { StopSignals.note($0) }
    }
  }

  var received: Int32? {
    let number = Self.number.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Ends the process by the received signal, so that its parent learns of it.
  func end() {
    guard let received else { return }
    signal(received, SIG_DFL)
    raise(received)
  }

  /// Returns `true` when the descriptor is readable, `false` after a signal.
  func waits(for descriptor: Int32) -> Bool {
    var ready = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
    ]
    while received == nil {
      if poll(&ready, 2, -1) < 0 {
        // Interrupted by a signal; any other error shows up when reading.
        if errno == EINTR { continue }
        return true
      }
      if ready[0].revents != 0 { return received == nil }
    }
    return false
  }

  static func wait(for descriptor: Int32?, or stop: StopSignals?, atMost seconds: Double) {
    var waited = [descriptor, stop?.reader].compactMap { $0 }.map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let milliseconds = Int32(min(max((seconds * 1_000).rounded(.up), 0), 86_400_000))
    poll(&waited, nfds_t(waited.count), milliseconds)
  }

  /// The signal handler. It calls only async-signal-safe functions (signal-safety(7)).
  private static func note(_ number: Int32) {
    let before = errno
    Self.number.store(number, ordering: .relaxed)
    var byte: UInt8 = 1
    _ = write(writer.load(ordering: .relaxed), &byte, 1)
    signal(number, SIG_DFL)
    errno = before
  }
}
