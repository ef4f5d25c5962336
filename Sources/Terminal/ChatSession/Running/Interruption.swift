internal import CFiles
internal import Foundation
internal import Synchronization

/// Ctrl-C during long work: the first asks it to stop after a whole record, a second ends the process.
package enum Interruption {
  private static let wasAsked = Atomic<Bool>(false)

  /// Listens from now on. The signal handler only sets a flag.
  package static func listen() {
    wasAsked.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      Interruption.wasAsked.store(true, ordering: .relaxed)
      if Interruption.isPaging.load(ordering: .relaxed) { return }
      signal(SIGINT) { Interruption.end($0) }
    }
    unblock(SIGINT)
  }

  /// Listens while a pager has the terminal, which also receives Ctrl-C: the process continues, however often
  /// it is pressed, until the pager ends.
  package static func listenWhilePaging() {
    signal(SIGINT) { _ in Interruption.wasAsked.store(true, ordering: .relaxed) }
    isPaging.store(true, ordering: .relaxed)
  }

  private static let isPaging = Atomic<Bool>(false)

  /// From now on, a signal that ends the process first removes unfinished files.
  package static func removeLeftovers() {
    for number in [SIGINT, SIGTERM, SIGHUP] { handleUnlessIgnored(number) { Interruption.end($0) } }
  }

  /// From now on, a write beyond `ulimit -f` fails as on a full disk instead of ending the process. Child
  /// processes keep the default.
  package static func surviveFileLimit() { signal(SIGXFSZ) { _ in } }

  package static var isAskedFor: Bool { wasAsked.load(ordering: .relaxed) }

  /// Processes started on a thread of Dispatch, as by Foundation's `Process`, inherit signals blocked.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Leaves signals ignored by the parent process ignored, as by `nohup`.
  package static func handleUnlessIgnored(
    _ number: Int32, by handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var old = sigaction()
    sigaction(number, nil, &old)
    guard !isIgnored(old) else { return }
    signal(number, handler)
    unblock(number)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    #else
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    #endif
  }

  /// Ends the process by the signal, with async-signal-safe calls only (signal-safety(7)).
  private static func end(_ number: Int32) {
    cfiles_remove_noted()
    signal(number, SIG_DFL)
    raise(number)
  }
}
