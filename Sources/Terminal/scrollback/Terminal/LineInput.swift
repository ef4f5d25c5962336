internal import ChatSession
internal import Foundation

/// The input from a keyboard, and the last row of the terminal where it is seen.
@MainActor
protocol LineInput: AnyObject {
  /// Takes each line at once, before the next prompt is shown; without it they are among what ``read()`` returns.
  var onLine: ((String) -> Void)? { get set }
  /// Takes bytes that were typed before, to be read first.
  func feed(_ bytes: [UInt8])
  /// Whether some of these are still to be read.
  var hasInput: Bool { get }
  /// Takes the bytes that are there, and returns what came of them.
  func read() -> [InputEvent]
  /// Until when what follows Esc makes another key of it; `nil` if no Esc waits for that.
  var escapeEnd: ContinuousClock.Instant? { get }
  /// Takes an Esc as what it is.
  func endEscape()
  /// Whether finished lines go into the history of lines: answers to questions do not.
  var remembersLines: Bool { get set }
  /// The use of a line that is no command, by which it is completed.
  var lineUse: Completion.Line { get set }
  /// The text being typed.
  var line: String { get }
  /// Has this as the line being typed, and draws it.
  func replaceLine(with line: String)
  /// Has arrows choose in what covers the messages, or be what they are elsewhere.
  func lendArrows(_ use: ArrowUse)
  /// Drops what is being typed, as Ctrl-C does.
  func discard()
  /// Keeps what is being typed for a later run, though it was not finished.
  func keepDraft()
  /// Draws the last row anew; the cursor is in it already.
  func redraw()
  /// Gives the terminal to another program, and takes it back.
  func suspend()
  func resume()
  /// Gives the terminal back for good.
  ///
  /// - Parameter keepsHistory: Whether the lines typed are kept for later runs.
  func stop(keepsHistory: Bool)
}

/// An event of the keyboard.
enum InputEvent {
  case session(ReplEvent)
  case endOfInput(InputEnd)
  /// The line is to be opened in an editor.
  case editor
}

/// The end of the input.
enum InputEnd {
  /// The user has ended it.
  case asked
  /// The terminal has gone away; the signal that says so may come a little later.
  case hungUp
  /// It cannot be read, for the reason of this number.
  case failed(Int32)

  /// Tells what a read that brought nothing came from.
  ///
  /// - Parameter number: The error it ended with; 0 for none.
  init(readingEndedWith number: Int32) {
    var terminal = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    if poll(&terminal, 1, 0) > 0 {
      self = .hungUp
    } else {
      self = number == 0 ? .asked : .failed(number)
    }
  }

  /// The error to tell; `nil` if there is nothing to tell.
  var failure: UsageError? {
    switch self {
    case .asked, .hungUp: nil
    case .failed(let number):
      UsageError("cannot read the terminal", cause: String(cString: strerror(number)), status: .inputOutput)
    }
  }

  /// The signal that it stands for.
  var signal: Int32? {
    switch self {
    case .asked, .failed: nil
    case .hungUp: SIGHUP
    }
  }
}
