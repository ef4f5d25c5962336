internal import CFiles
internal import Foundation
internal import Synchronization

/// Whether Ctrl-C was pressed during long work: the first one asks it to stop at a whole record, a second one ends
/// the process at once.
package enum Interruption {
  private static let wasAsked = Atomic<Bool>(false)

  /// Begins to listen. The handler only sets a flag; a second Ctrl-C ends the process.
  package static func listen() {
    wasAsked.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      Interruption.wasAsked.store(true, ordering: .relaxed)
      if Interruption.isPaging.load(ordering: .relaxed) { return }
      signal(SIGINT) { Interruption.end($0) }
    }
    unblock(SIGINT)
  }

  /// Begins to listen while another program has the terminal, which is told of Ctrl-C, too: however often it is pressed, the
  /// process goes on until that program has ended.
  package static func listenWhilePaging() {
    signal(SIGINT) { _ in Interruption.wasAsked.store(true, ordering: .relaxed) }
    isPaging.store(true, ordering: .relaxed)
  }

  private static let isPaging = Atomic<Bool>(false)

  /// From now on a signal that ends the process first removes the files that are worth nothing until they are whole.
  package static func removeLeftovers() {
    for number in [SIGINT, SIGTERM, SIGHUP] { handleUnlessIgnored(number) { Interruption.end($0) } }
  }

  /// From now on a write beyond `ulimit -f` fails as on a full disk, where it would end the process. Programs that we
  /// start have it as it was.
  package static func surviveFileLimit() { signal(SIGXFSZ) { _ in } }

  /// Whether to stop.
  package static var isAskedFor: Bool { wasAsked.load(ordering: .relaxed) }

  /// Unblocks a signal: whoever starts us from a thread of Dispatch, as Foundation's `Process` does, leaves it blocked.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Has a signal handled, unless whoever started us wants it ignored, as `nohup` does.
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

  /// Ends the process by the signal. It calls nothing that a handler may not call (signal-safety(7)).
  private static func end(_ number: Int32) {
    cfiles_remove_noted()
    signal(number, SIG_DFL)
    raise(number)
  }
}
