internal import Foundation

/// Ctrl-C, SIGTERM and SIGHUP. Signals ignored by the parent process, as by `nohup`, stay ignored.
struct EndSignals {
  private var set = sigset_t()

  /// Blocks the signals for ``wait()``, on this thread and those it starts.
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

  func wait() -> Int32 {
    var (set, number) = (set, Int32(0))
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Ends the process by the signal, so that its parent learns of it.
  func end(by number: Int32) {
    var set = set
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
  }
}
