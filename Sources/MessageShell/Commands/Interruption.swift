internal import Foundation
internal import Synchronization

/// Whether Ctrl-C was pressed during long work: the first one asks it to stop at a whole record, a second one ends
/// the process at once.
public enum Interruption {
  private static let wasAsked = Atomic<Bool>(false)

  /// Begins to listen. The handler only sets a flag, and gives the signal back its default meaning.
  public static func listen() {
    wasAsked.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      Interruption.wasAsked.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }

  /// Whether to stop.
  public static var isAskedFor: Bool { wasAsked.load(ordering: .relaxed) }
}
