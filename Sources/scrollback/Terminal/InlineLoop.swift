internal import CReadline
internal import Foundation
internal import MessageModel
internal import MessageShell
internal import TerminalText

/// The owner of a terminal without a window: messages are printed above the line being typed and stay in the
/// scrollback of the terminal.
@MainActor
final class InlineLoop {
  private var session: ScriptSession
  private var input: ReadlineEditor?
  private let wake: WakePipe
  private let manner: ReplContext.Manner
  private let state: StateFolder
  private let rows = RowsAboveLine()
  private let threads: WorkThreads
  /// What comes back into the line when the next one is asked for.
  private var handedBack: String?
  /// What comes back into the line as soon as nothing else is in it.
  private var owedLine: String?
  private var leaves = false
  /// The signal that has ended it; `nil` if the user left.
  private(set) var endingSignal: Int32?
  /// What has ended it though nobody wanted that.
  private(set) var failure: UsageError?

  private static let signals = [SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP]

  /// Creates the owner; it takes the terminal over in ``run()``.
  init(
    _ context: ReplContext, manner: ReplContext.Manner, isReadOnly: Bool, wake: WakePipe,
    encoder: StyleEncoder,
    state: StateFolder
  ) {
    let rows = rows
    let size = Console().size ?? (24, 80)
    let isPlain = manner == .plain
    session = ScriptSession(
      context, isReadOnly: isReadOnly,
      live: ScriptSession.Live(
        context.manner, isPlain ? StyleEncoder(.none) : encoder, rows: size.rows, columns: size.columns,
        isPlain: isPlain),
      write: { rows.write($0) },
      complain: { rows.write(SafeText.lines(of: $0).joined(separator: "\n") + "\n") },
      remember: { state.remember($0) })
    self.manner = manner
    self.wake = wake
    threads = WorkThreads { [wake] in wake.wake(WakePipe.reported) }
    self.state = state
  }

  /// Runs until the user leaves, and returns where that was.
  ///
  /// - Throws: ``StoreError`` if the first messages cannot be read, ``UsageError`` if lines cannot be edited.
  func run() throws -> ReplContext {
    try session.begin()
    creadline_guard_terminal(STDIN_FILENO, manner == .plain ? "" : "\u{1B}[?2004l\u{1B}[0m")
    watchSignals()
    let context = session.place
    input = try ReadlineEditor(
      prompt: session.prompt, manner: manner == .plain ? CREADLINE_PLAIN : CREADLINE_FLOWING,
      history: state.historyFile(), names: { context.names($0) },
      onLine: { [weak self] in self?.take($0) })
    rows.hasLine = true
    wait()
    if endingSignal != nil {
      rows.hasLine = false
      rows.write("\n")
    }
    input?.keepDraft()
    input?.stop()
    threads.finish()
    if session.place.keepsHistory, let file = state.historyFile() {
      _ = creadline_write_history(file, 10_000)
    }
    return session.place
  }

  private func watchSignals() {
    for signal in Self.signals { creadline_watch_signal(signal, wake.writer) }
  }

  private func wait() {
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0),
    ]
    while !leaves {
      if poll(&descriptors, 2, -1) < 0 {
        // A signal: it is in the pipe, and nothing is known of the keys.
        if errno == EINTR { continue }
        break
      }
      if descriptors[1].revents != 0 { takeSignals() }
      if descriptors[0].revents != 0, !leaves { readKey() }
    }
  }

  // MARK: Keys

  private func readKey() {
    for event in input?.read() ?? [] {
      switch event {
      case .endOfInput(let end):
        (leaves, endingSignal, failure) = (true, end.signal, end.failure)
        rows.hasLine = false
        rows.write("\n")
      case .editor: editLine()
      case .session(.key(let key, let count)): printing { session.press(key, count: count) }
      case .session(.completions(let words)):
        printing { rows.write(ReplSession.choice(of: words) + "\n") }
      case .session: break
      }
    }
    if let line = handedBack, !leaves {
      handedBack = nil
      input?.replaceLine(with: line)
    }
  }

  /// Carries out a line, while readline has given the terminal back.
  private func take(_ line: String) {
    rows.hasLine = false
    handedBack = session.take(line) ?? owedLine
    owedLine = nil
    rows.hasLine = true
    for work in session.takeWorks() { threads.start(work) }
    leaves = session.hasEnded || leaves
    creadline_set_prompt(leaves ? "" : session.prompt)
  }

  /// Does what may print something.
  private func printing(_ body: () -> Void) { rows.showing({ session.prompt }, while: body) }

  // MARK: Signals

  private func takeSignals() {
    for signal in wake.drain() {
      switch signal {
      case SIGINT:
        // Who stops something long goes on with the line.
        if !session.isTransferring { input?.discard() }
        threads.stop([.transfer])
      case SIGWINCH: resize()
      case SIGTSTP: lend { _ = raise(SIGSTOP) }
      case SIGTERM, SIGHUP: (leaves, endingSignal) = (true, signal)
      case Int32(WakePipe.storeChanged):
        printing {
          do { try session.showArrivals() } catch { rows.write(ScriptSession.sentence(error) + "\n") }
        }
      case Int32(WakePipe.reported): takeReports()
      default: break
      }
    }
  }

  /// Takes in what long work tells. A line that could not be carried out comes back, behind what is being typed.
  private func takeReports() {
    printing {
      for report in threads.takeReports() { owedLine = session.take(report) ?? owedLine }
    }
    guard let line = owedLine, input?.line.isEmpty == true else { return }
    owedLine = nil
    input?.replaceLine(with: line)
  }

  private func resize() {
    var rows: Int32 = 24
    var columns: Int32 = 80
    creadline_hide_line()
    creadline_get_size(&rows, &columns)
    session.live?.rows = Int(rows)
    session.live?.columns = Int(columns)
    creadline_show_line()
  }

  /// Gives the terminal to another program while `body` runs.
  private func lend(while body: () -> Void) {
    creadline_hide_line()
    input?.suspend()
    body()
    input?.resume()
    resize()
  }

  private func editLine() {
    var text: String?
    let line = input?.line ?? ""
    lend { text = ExternalEditor.edit(line) }
    if let text { input?.replaceLine(with: text) }
  }
}
