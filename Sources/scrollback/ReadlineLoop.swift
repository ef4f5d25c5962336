internal import CReadline
internal import Foundation
internal import MessageModel
internal import MessageShell

/// The one owner of the terminal: reads keys, waits for signals and changes of the store, and paints.
@MainActor
final class ReadlineLoop {
  private var session: ReplSession
  private var painter: ScreenPainter
  private let editor: ReadlineEditor
  private let wake: WakePipe
  private let threads: WorkThreads
  private let terminal = TerminalWriter(descriptor: STDOUT_FILENO)
  private let usesWheel: Bool
  private let state: StateFolder
  private let storePath: String
  private var rows: Int
  private var columns: Int
  private var leaves = false

  private static let signals = [SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP]

  /// Takes the terminal over.
  ///
  /// - Parameters:
  ///   - wake: Wakes the loop when the store has changed.
  ///   - state: Keeps the lines typed and which conversation is open.
  ///   - usesWheel: Whether the mouse wheel scrolls; if so the terminal selects text only with Shift.
  init(
    _ context: ReplContext, wake: WakePipe, encoder: StyleEncoder, state: StateFolder, storePath: String,
    usesWheel: Bool
  ) throws {
    var rows: Int32 = 24
    var columns: Int32 = 80
    creadline_get_size(&rows, &columns)
    (self.rows, self.columns) = (Int(rows), Int(columns))
    let isFirstRun = state.historyFile().map { !FileManager.default.fileExists(atPath: $0) } ?? false
    session = try ReplSession(
      context, rows: Int(rows), columns: Int(columns), greeting: isFirstRun ? HelpText.firstRun : [])
    painter = ScreenPainter(encoder)
    self.wake = wake
    threads = WorkThreads(wake: wake)
    self.usesWheel = usesWheel
    self.state = state
    self.storePath = storePath
    creadline_guard_terminal(STDIN_FILENO, TerminalSequences.leave)
    for signal in Self.signals { creadline_watch_signal(signal, wake.writer) }
    terminal.write(TerminalSequences.enter(wheel: usesWheel) + TerminalSequences.moveToRow(Int(rows)))
    do {
      editor = try ReadlineEditor(prompt: "> ", history: state.historyFile()) { context.names($0) }
    } catch {
      terminal.write(TerminalSequences.leave)
      throw error
    }
  }

  /// Runs until the user leaves.
  func run() {
    paint()
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0),
    ]
    while !leaves {
      if poll(&descriptors, 2, -1) < 0, errno != EINTR { break }
      if descriptors[1].revents != 0 { takeSignals() }
      // A terminal that has gone away is "readable" too: reading tells.
      if descriptors[0].revents != 0, !leaves { readKeys() }
    }
    editor.stop()
    terminal.write(TerminalSequences.leave)
    threads.finish()
    if let file = state.historyFile() { _ = creadline_write_history(file, 10_000) }
    state.rememberOpen(session.context.conversation.name, in: storePath)
  }

  private func paint() { terminal.write(painter.paint(session.screen())) }

  // MARK: Keys

  /// Reads all keys that are there before painting once.
  private func readKeys() {
    var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    repeat {
      for event in editor.read() { handle(event) }
    } while !leaves && poll(&ready, 1, 0) > 0
    paint()
  }

  private func handle(_ event: ReadlineEditor.Event) {
    switch event {
    case .endOfInput: leaves = true
    case .line(let line):
      let outcome = tell(.line(line))
      // Nothing scrolled when the line was finished: it is still there.
      putBack(outcome.line ?? "")
    case .completions(let words): tell(.completions(words))
    case .action(.view(let key), let count):
      if key == .redraw { repaintAll() }
      tell(.key(key, count: count))
    case .action(.editor, _): editLine()
    case .action(.newline, _): break
    }
  }

  /// Has the session take an event in, and does what comes of it.
  @discardableResult
  private func tell(_ event: ReplSession.Event) -> ReplSession.Outcome {
    let outcome = session.handle(event)
    leaves = outcome.leaves || leaves
    if let text = outcome.clipboard { terminal.write(TerminalSequences.copy(text)) }
    threads.stop(outcome.stops)
    for work in outcome.works { threads.start(work) }
    return outcome
  }

  /// Has this as the line being typed.
  private func putBack(_ line: String) {
    creadline_set_line(line)
    creadline_redraw()
  }

  // MARK: Signals

  private func takeSignals() {
    for signal in wake.drain() {
      switch signal {
      case SIGINT:
        creadline_discard_line()
        tell(.interrupted)
      case SIGWINCH: resize()
      case SIGTSTP: suspend()
      case SIGTERM, SIGHUP: leaves = true
      case Int32(WakePipe.storeChanged): tell(.storeChanged)
      case Int32(WakePipe.reported):
        for report in threads.takeReports() { tell(.reported(report)) }
      default: break
      }
    }
    if !leaves { paint() }
  }

  private func resize() {
    var rows: Int32 = 0
    var columns: Int32 = 0
    creadline_get_size(&rows, &columns)
    (self.rows, self.columns) = (max(2, Int(rows)), max(2, Int(columns)))
    tell(.resized(rows: self.rows, columns: self.columns))
    repaintAll()
  }

  /// Draws everything anew, the line being typed first.
  private func repaintAll() {
    painter.forget()
    terminal.write("\u{1B}[r\u{1B}[2J" + TerminalSequences.moveToRow(rows))
    creadline_redraw()
  }

  /// Gives the terminal to another program while `body` runs.
  private func lend(while body: () -> Void) {
    creadline_suspend()
    terminal.write(TerminalSequences.leave)
    body()
    creadline_resume()
    terminal.write(TerminalSequences.enter(wheel: usesWheel))
    resize()
    paint()
  }

  private func suspend() {
    // To this thread, so that it stops here: a signal to the process may stop it a little later.
    lend { _ = raise(SIGSTOP) }
  }

  // MARK: The editor

  /// Opens the line in `$VISUAL` or `$EDITOR`; what is saved becomes the line.
  private func editLine() {
    let environment = ProcessInfo.processInfo.environment
    let program = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scrollback-\(UUID().uuidString).txt")
    let line = String(cString: creadline_line())
    let made = FileManager.default.createFile(
      atPath: file.path, contents: Data((line + "\n").utf8), attributes: [.posixPermissions: 0o600])
    guard made else { return creadline_bell() }
    defer { try? FileManager.default.removeItem(at: file) }
    lend { _ = creadline_run_editor(program, file.path) }
    guard let data = try? Data(contentsOf: file) else { return }
    var text = String(decoding: data, as: UTF8.self)
    while text.hasSuffix("\n") { text.removeLast() }
    putBack(text)
  }
}
