internal import CReadline
internal import Foundation
internal import MessageModel
internal import MessagePictures
internal import MessageShell
internal import TerminalText

/// The one owner of the terminal: reads keys, waits for signals and changes of the store, and paints.
@MainActor
final class TerminalLoop {
  private var session: ReplSession
  private var painter: ScreenPainter
  private let input: any LineInput
  private let trace: LatencyTrace?
  private let manner: Manner
  private let wake: WakePipe
  private let threads: WorkThreads
  private let terminal = TerminalWriter(descriptor: STDOUT_FILENO)
  private let state: StateFolder
  private let storePath: String
  private var rows: Int
  private var columns: Int
  private var leaves = false
  /// The signal that has ended it; `nil` if the user left.
  private(set) var endingSignal: Int32?
  /// What has ended it though nobody wanted that.
  private(set) var failure: UsageError?
  /// What comes back into the line as soon as nothing else is in it.
  private var owedLine: String?

  /// The longest time between two paintings while keys come in.
  private static let frame = Duration.milliseconds(8)
  private static let signals = [SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP]

  /// How the terminal is used.
  struct Manner {
    /// Whether nothing is written, and keys are those of `less`.
    var isView = false
    /// Whether the mouse wheel scrolls; if so the terminal selects text only with Shift.
    var usesWheel = true
    /// Where to note how long each key took; `nil` for nowhere.
    var trace: String?
  }

  /// Takes the terminal over.
  ///
  /// - Parameters:
  ///   - wake: Wakes the loop when the store has changed.
  ///   - state: Keeps the lines typed and which conversation is open.
  init(
    _ context: ReplContext, wake: WakePipe, encoder: StyleEncoder, state: StateFolder, storePath: String,
    manner: Manner
  ) throws {
    trace = try manner.trace.map { try LatencyTrace(path: $0, store: storePath) }
    var rows: Int32 = 24
    var columns: Int32 = 80
    creadline_get_size(&rows, &columns)
    (self.rows, self.columns) = (Int(rows), Int(columns))
    let isFirstRun = state.historyFile().map { !FileManager.default.fileExists(atPath: $0) } ?? false
    let hint = manner.isView ? HelpText.firstView : HelpText.firstRun
    session = try ReplSession(
      context, rows: Int(rows), columns: Int(columns), isReadOnly: manner.isView,
      hint: isFirstRun ? hint : [])
    painter = ScreenPainter(encoder)
    self.wake = wake
    threads = WorkThreads { [wake] in wake.wake(WakePipe.reported) }
    self.manner = manner
    self.state = state
    self.storePath = storePath
    creadline_guard_terminal(STDIN_FILENO, TerminalSequences.leave)
    for signal in Self.signals { creadline_watch_signal(signal, wake.writer) }
    terminal.write(TerminalSequences.enter(wheel: manner.usesWheel) + TerminalSequences.moveToRow(Int(rows)))
    if manner.isView {
      input = ViewInput(terminal)
      return
    }
    do {
      input = try ReadlineEditor(prompt: "> ", history: state.historyFile()) { context.names($0) }
    } catch {
      terminal.write(TerminalSequences.leave)
      throw error
    }
  }

  /// Runs until the user leaves, and returns where that was.
  func run() -> ReplContext {
    prepareDrawing()
    paint()
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0),
    ]
    while !leaves {
      if poll(&descriptors, 2, timeout) < 0 {
        // A signal: it is in the pipe, and nothing is known of the keys.
        if errno == EINTR { continue }
        break
      }
      if session.wakesAt.map({ $0 <= .now }) == true {
        tell(.timePassed)
        paint()
      }
      if descriptors[1].revents != 0 { takeSignals() }
      // A terminal that has gone away is "readable" too: reading tells.
      if descriptors[0].revents != 0, !leaves { readKeys() }
    }
    input.keepDraft()
    input.stop()
    terminal.write(TerminalSequences.leave)
    threads.finish()
    trace?.finish()
    if !manner.isView, session.context.keepsHistory, let file = state.historyFile() {
      _ = creadline_write_history(file, 10_000)
    }
    state.rememberOpen(session.context.conversation.name, in: storePath)
    return session.context
  }

  /// How many milliseconds to wait at most; -1 for as long as it takes.
  private var timeout: Int32 {
    guard let end = session.wakesAt else { return -1 }
    return Int32(clamping: max(0, Int((end - .now) / .milliseconds(1)) + 1))
  }

  private func paint() {
    terminal.write(painter.paint(session.screen()))
    for work in session.pictureWorks() { threads.start(work) }
  }

  /// Has pictures drawn for the characters that the terminal has now.
  private func prepareDrawing() {
    let drawer = PictureSupport.drawer(
      environment: ProcessInfo.processInfo.environment, cell: TerminalCell.size(of: STDOUT_FILENO))
    session.draw(with: drawer)
    painter.pictureErasing = drawer?.erasing ?? ""
  }

  // MARK: Keys

  /// Reads all keys that are there before painting once; where they come faster than they are done, as many as fit
  /// into a frame, so that who holds a key down sees where it goes.
  private func readKeys() {
    trace?.begin()
    let end = ContinuousClock.now + Self.frame
    var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    var before = input.line
    var lists = false
    repeat {
      for event in input.read() {
        if case .session(.completions) = event {
          noteTyped(since: &before)
          lists = true
        }
        handle(event)
      }
    } while !leaves && .now < end && poll(&ready, 1, 0) > 0
    noteTyped(since: &before, putsAway: session.showsChoices && !lists)
    paint()
    trace?.end()
  }

  /// Tells of the line being typed, if it is another one or what it may become is to be put away.
  private func noteTyped(since before: inout String, putsAway: Bool = false) {
    guard input.line != before || putsAway else { return }
    before = input.line
    tell(.typed(before))
  }

  private func handle(_ event: InputEvent) {
    switch event {
    case .endOfInput(let end): (leaves, endingSignal, failure) = (true, end.signal, end.failure)
    case .editor: editLine()
    case .session(let event):
      if case .key(.redraw, _) = event { repaintAll() }
      trace?.note(event)
      let outcome = tell(event)
      // Nothing scrolled when the line was finished: it is still there.
      if case .line = event { input.replaceLine(with: outcome.line ?? takeOwedLine()) }
    }
  }

  private func takeOwedLine() -> String {
    defer { owedLine = nil }
    return owedLine ?? ""
  }

  /// Brings back a line that could not be carried out later on; what is being typed meanwhile goes first.
  private func giveBack(_ line: String?) {
    guard let line else { return }
    guard input.line.isEmpty else {
      owedLine = line
      return
    }
    terminal.write(TerminalSequences.moveToRow(rows))
    input.replaceLine(with: line)
  }

  /// Has the session take an event in, and does what comes of it.
  @discardableResult
  private func tell(_ event: ReplSession.Event) -> ReplSession.Outcome {
    let outcome = session.handle(event)
    leaves = outcome.leaves || leaves
    if let text = outcome.clipboard { terminal.write(TerminalSequences.copy(text)) }
    if let settings = outcome.settings { state.remember(settings) }
    threads.stop(outcome.stops)
    for work in outcome.works { threads.start(work) }
    return outcome
  }

  // MARK: Signals

  private func takeSignals() {
    for signal in wake.drain() {
      switch signal {
      case SIGINT:
        // Who stops something long goes on with the line.
        if !session.isTransferring {
          terminal.write(TerminalSequences.moveToRow(rows))
          input.discard()
        }
        tell(.interrupted)
      case SIGWINCH: resize()
      case SIGTSTP: suspend()
      case SIGTERM, SIGHUP: (leaves, endingSignal) = (true, signal)
      case Int32(WakePipe.storeChanged): tell(.storeChanged)
      case Int32(WakePipe.reported):
        for report in threads.takeReports() { giveBack(tell(.reported(report)).line) }
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
    prepareDrawing()
    repaintAll()
  }

  /// Draws everything anew, the line being typed first.
  private func repaintAll() {
    painter.forget()
    terminal.write("\u{1B}[r\u{1B}[2J" + TerminalSequences.moveToRow(rows))
    input.redraw()
  }

  /// Gives the terminal to another program while `body` runs.
  private func lend(while body: () -> Void) {
    input.suspend()
    terminal.write(TerminalSequences.leave)
    body()
    input.resume()
    terminal.write(TerminalSequences.enter(wheel: manner.usesWheel))
    resize()
    paint()
  }

  private func suspend() {
    // To this thread, so that it stops here: a signal to the process may stop it a little later.
    lend { _ = raise(SIGSTOP) }
  }

  // MARK: The editor

  /// Opens the line in an editor; what is saved becomes the line.
  private func editLine() {
    var text: String?
    let line = input.line
    lend { text = ExternalEditor.edit(line) }
    if let text { input.replaceLine(with: text) }
  }
}
