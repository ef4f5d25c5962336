internal import ChatSession
internal import Foundation
internal import TerminalText

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
  func keepDraft()
  func redraw()
  func suspend()
  func resume()
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

/// Recognises double clicks.
struct Clicks {
  private static let patience = Duration.milliseconds(400)

  private var last: (click: MouseClick, time: ContinuousClock.Instant)?

  mutating func next(_ click: MouseClick) -> MouseClick {
    let now = ContinuousClock.now
    var next = click
    if let last, last.click.row == click.row, now - last.time < Self.patience { next.isDouble = true }
    // A third click begins again.
    last = next.isDouble ? nil : (click, now)
    return next
  }
}

/// The keyboard of a read-only window: single keys as in `less`, without readline.
@MainActor
final class ViewInput: LineInput {
  var onLine: ((String) -> Void)?
  private var keys = ViewKeys()
  private let terminal: TerminalWriter
  private var before = termios()
  private var fed: [UInt8] = []
  private var clicks = Clicks()

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
    let events = keys.append(bytes)
    redraw()
    return events.map { event in
      guard case .click(let click) = event else { return .session(event) }
      return .session(.click(clicks.next(click)))
    }
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
