internal import Foundation

/// The signals that end the program: Ctrl-C, a request to end, a terminal that goes away. What whoever started it wants
/// ignored, as `nohup` does, stays so.
struct EndSignals {
  private var set = sigset_t()

  /// Holds the signals back for ``wait()``, on this thread and those that it starts.
  init() {
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(number) { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let before = signal(number, SIG_DFL)
    signal(number, before)
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Waits for one of them.
  func wait() -> Int32 {
    var (set, number) = (set, Int32(0))
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Ends the process as the signal would have, so that whoever started it learns of it.
  func end(by number: Int32) {
    var set = set
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
  }
}
