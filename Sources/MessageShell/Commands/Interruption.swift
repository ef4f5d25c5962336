internal import Foundation
internal import Synchronization

/// Whether Ctrl-C was pressed during long work: the first one asks it to stop at a whole record, a second one ends
/// the process at once.
public enum Interruption {
  private static let wasAsked = Atomic<Bool>(false)
  /// Where the path of the file lies that is removed when the process is ended, a C string: signal handlers may not
  /// make one. 0 if there is no such file.
  private static let leftover = Atomic<UInt>(0)

  /// Begins to listen. The handler only sets a flag, and gives the signal back its default meaning.
  ///
  /// - Parameter path: A file that is worth nothing until it is whole. It is removed when the process is ended by
  ///   a second Ctrl-C, by SIGTERM or because its terminal went away.
  public static func listen(removing path: String? = nil) {
    wasAsked.store(false, ordering: .relaxed)
    leftover.store(UInt(bitPattern: path.flatMap { strdup($0) }), ordering: .relaxed)
    signal(SIGINT) { _ in
      Interruption.wasAsked.store(true, ordering: .relaxed)
      signal(SIGINT) { Interruption.end($0) }
    }
    unblock(SIGINT)
    guard path != nil else { return }
    for number in [SIGTERM, SIGHUP] { handleUnlessIgnored(number) { Interruption.end($0) } }
  }

  /// Whether to stop.
  public static var isAskedFor: Bool { wasAsked.load(ordering: .relaxed) }

  /// Whoever started us from a thread of Dispatch, as Foundation's `Process` does, has left us its signals blocked.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Has a signal handled, unless whoever started us wants it ignored, as `nohup` does.
  static func handleUnlessIgnored(_ number: Int32, by handler: @escaping @convention(c) (Int32) -> Void) {
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
    let address = leftover.load(ordering: .relaxed)
    if let path = UnsafePointer<CChar>(bitPattern: address) { unlink(path) }
    signal(number, SIG_DFL)
    raise(number)
  }
}
