internal import Foundation
internal import MessageShell

/// What a keyboard brings, and the last row of the terminal where it is seen.
@MainActor
protocol LineInput: AnyObject {
  /// Takes the bytes that are there, and returns what came of them.
  func read() -> [InputEvent]
  /// What is being typed.
  var line: String { get }
  /// Has this as the line being typed, and draws it.
  func replaceLine(with line: String)
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
  func stop()
}

/// What a keyboard can bring.
enum InputEvent {
  case session(ReplSession.Event)
  case endOfInput
  /// The line is to be opened in an editor.
  case editor
}

extension InputEvent {
  /// What has ended the input: the signal of a terminal that has gone away, which may come a little later; `nil` if it
  /// was the user.
  static var signalAtEnd: Int32? {
    var terminal = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    return poll(&terminal, 1, 0) > 0 ? SIGHUP : nil
  }
}
