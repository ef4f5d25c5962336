internal import ChatSession
internal import Foundation
internal import TerminalText

/// The keyboard of a read-only window: single keys as in `less`, without readline.
@MainActor
final class ViewInput: LineInput {
  var onLine: ((String) -> Void)?
  private var keys = ViewKeys()
  private let terminal: TerminalWriter
  private var before = termios()
  private var fed: [UInt8] = []

  init(_ terminal: TerminalWriter) {
    self.terminal = terminal
    tcgetattr(STDIN_FILENO, &before)
    resume()
    redraw()
  }

  func feed(_ bytes: [UInt8]) { fed += bytes }
  var hasInput: Bool { !fed.isEmpty }

  func read() -> [InputEvent] {
    if hasInput {
      defer { fed = [] }
      return take(fed[...])
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
    let failure = count < 0 ? errno : 0
    guard count > 0 else {
      return failure == EINTR || failure == EAGAIN ? [] : [.endOfInput(InputEnd(readingEndedWith: failure))]
    }
    return take(buffer[..<count])
  }

  private func take(_ bytes: ArraySlice<UInt8>) -> [InputEvent] {
    let events = keys.take(bytes)
    redraw()
    return events.map { .session($0) }
  }

  // A lone Esc counts at once.
  let escapeEnd: ContinuousClock.Instant? = nil
  func endEscape() {}
  var remembersLines = false
  var lineUse = Completion.Line.other

  var line: String { keys.prompt }

  func replaceLine(with line: String) { redraw() }

  // Arrow keys need no binding here.
  func lendArrows(_ use: ArrowUse) {}

  func discard() {
    keys.discard()
    redraw()
  }

  func keepDraft() {}

  func redraw() {
    let size = terminalSize()
    let text = keys.shown(columns: size.columns - 1)
    terminal.write(TerminalSequences.moveToRow(size.rows) + TerminalSequences.eraseToEndOfLine + text)
  }

  func suspend() { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }

  func resume() {
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
  }

  func stop(keepsHistory: Bool) { suspend() }
}
