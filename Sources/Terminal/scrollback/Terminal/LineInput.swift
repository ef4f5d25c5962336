internal import ChatSession
internal import Foundation

@MainActor
protocol LineInput: AnyObject {
  /// Receives each line before the next prompt is shown; if `nil`, ``read()`` returns lines.
  var onLine: ((String) -> Void)? { get set }
  func feed(_ bytes: [UInt8])
  var hasInput: Bool { get }
  func read() -> [InputEvent]
  /// The time until which a key after Esc forms a combination with it; `nil` if none is awaited.
  var escapeEnd: ContinuousClock.Instant? { get }
  /// Treats a pending Esc as a key.
  func endEscape()
  /// Whether finished lines enter the history; replies to questions do not.
  var remembersLines: Bool { get set }
  /// How a line that is no command will be used, for completion.
  var lineUse: Completion.Line { get set }
  var line: String { get }
  func replaceLine(with line: String)
  /// Binds the arrow keys to a list over the messages, or restores them.
  func lendArrows(_ use: ArrowUse)
  func discard()
  /// Saves the unfinished line in the history.
  func keepDraft()
  /// Redraws the last row, which the cursor is in.
  func redraw()
  func suspend()
  func resume()
  /// - Parameter keepsHistory: Whether to save the typed lines.
  func stop(keepsHistory: Bool)
}

enum InputEvent {
  case session(ReplEvent)
  case endOfInput(InputEnd)
  /// Open the typed line in an editor.
  case editor
}

enum InputEnd {
  /// The user asked for it.
  case asked
  /// The terminal is gone; the signal may arrive a little later.
  case hungUp
  /// Reading failed with this `errno`.
  case failed(Int32)

  /// - Parameter number: The `errno`; 0 for none.
  init(readingEndedWith number: Int32) {
    var terminal = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    if poll(&terminal, 1, 0) > 0 {
      self = .hungUp
    } else {
      self = number == 0 ? .asked : .failed(number)
    }
  }

  var failure: UsageError? {
    switch self {
    case .asked, .hungUp: nil
    case .failed(let number):
      UsageError("cannot read the terminal", cause: String(cString: strerror(number)), status: .inputOutput)
    }
  }

  var signal: Int32? {
    switch self {
    case .asked, .failed: nil
    case .hungUp: SIGHUP
    }
  }
}
