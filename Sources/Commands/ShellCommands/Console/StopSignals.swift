internal import ChatSession
internal import Foundation
internal import Synchronization

/// The signals that end a program which waits for input: the first one asks it to say how far it came, a second one ends
/// it at once.
///
/// A handler may run on any thread and may come between a look at a flag and the waiting, so it writes into a pipe, and
/// the pipe is waited for besides the input.
struct StopSignals: Sendable {
  private let reader: Int32

  private static let number = Atomic<Int32>(0)
  private static let writer = Atomic<Int32>(-1)
  private static let wasHandledBefore = Atomic<Bool>(false)

  /// Begins to listen for Ctrl-C, a request to end, a terminal or a reader that goes away. What whoever started us wants
  /// ignored, as `nohup` does, stays so.
  ///
  /// - Throws: ``UsageError`` if the process has too many files open.
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
    // What came while nobody listened yet counts.
    if !Self.wasHandledBefore.exchange(false, ordering: .relaxed) { Self.number.store(0, ordering: .relaxed) }
    Self.writer.store(ends[1], ordering: .relaxed)
    Self.handle()
  }

  /// Notes from now on what signals come, for the one that listens later: a program that is to end by them with a status of its
  /// own calls it before it does anything else.
  static func handleFromNowOn() {
    wasHandledBefore.store(true, ordering: .relaxed)
    handle()
  }

  private static func handle() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] {
      Interruption.handleUnlessIgnored(number) { StopSignals.note($0) }
    }
  }

  /// The signal that came; `nil` if none did.
  var received: Int32? {
    let number = Self.number.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Ends the process as the signal would have, so that whoever started us learns of it.
  func end() {
    guard let received else { return }
    signal(received, SIG_DFL)
    raise(received)
  }

  /// Waits until a descriptor can be read or a signal has come; whether it is the former.
  func waits(for descriptor: Int32) -> Bool {
    var ready = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
    ]
    while received == nil {
      if poll(&ready, 2, -1) < 0 {
        // A signal; or there is nothing that can be waited for, and reading will say why.
        if errno == EINTR { continue }
        return true
      }
      if ready[0].revents != 0 { return received == nil }
    }
    return false
  }

  /// Waits until a descriptor can be read, a signal has come, or so many seconds have gone by.
  static func wait(for descriptor: Int32?, or stop: StopSignals?, atMost seconds: Double) {
    var waited = [descriptor, stop?.reader].compactMap { $0 }.map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let milliseconds = Int32(min(max((seconds * 1_000).rounded(.up), 0), 86_400_000))
    poll(&waited, nfds_t(waited.count), milliseconds)
  }

  /// Takes a signal. It calls nothing that a handler may not call (signal-safety(7)).
  private static func note(_ number: Int32) {
    let before = errno
    Self.number.store(number, ordering: .relaxed)
    var byte: UInt8 = 1
    _ = write(writer.load(ordering: .relaxed), &byte, 1)
    signal(number, SIG_DFL)
    errno = before
  }
}
