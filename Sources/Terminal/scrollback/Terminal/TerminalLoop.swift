internal import CReadline
internal import ChatSession
internal import Foundation

/// The terminal's only owner: it passes keys, signals, finished jobs and changes of the store to the session,
/// and draws the result. The session runs on a thread of its own. The loop waits for it for a few
/// milliseconds, so that most keys take one painting; longer work is shown when done.
@MainActor
final class TerminalLoop<S: Surface> {
  private let session: SessionThread<S.R>
  private let surface: S
  private let input: any LineInput
  private let trace: LatencyTrace?
  private let wake: WakePipe
  private let threads: JobThreads
  private let config: ConfigFile
  private var signals: Set<Int32> = []
  private var leaves = false
  private var isInLine = false
  /// `nil` if the user left.
  private(set) var endingSignal: Int32?
  private var failure: UsageError?
  private var isUnkept = false
  /// Whether completions are listed; the next keys remove them.
  private var listsChoices = false
  private var nextLine: String?
  private var owedLine: String?

  init(
    _ session: Session<S.R>, on surface: S, _ input: any LineInput, wake: WakePipe, config: ConfigFile,
    trace: LatencyTrace?
  ) {
    self.session = SessionThread(session) { [wake] in wake.wake(WakePipe.reported) }
    self.surface = surface
    self.input = input
    self.wake = wake
    self.config = config
    self.trace = trace
    threads = JobThreads { [wake] in wake.wake(WakePipe.reported) }
  }

  /// Restores the terminal by these sequences however the process ends, and lets signals wake the loop.
  static func guardTerminal(_ wake: WakePipe, _ sequences: String) {
    creadline_guard_terminal(STDIN_FILENO, sequences)
    for signal in [SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP] {
      creadline_watch_signal(signal, wake.writer)
    }
  }

  func feed(_ bytes: [UInt8]) { input.feed(bytes) }

  func run() throws(UsageError) -> ReplContext {
    if surface.takesLinesAtOnce { input.onLine = { [weak self] in self?.carryOut($0) } }
    show()
    wait()
    finishLines()
    surface.leave(input, isInLine: isInLine, keepsHistory: session.status.keepsHistory)
    threads.finish()
    var context = session.finish()
    // The reopened window shows the notice.
    if isUnkept { context.greeting = "\(ConfigFile.unkept(in: config.path).summary): \(config.path)" }
    trace?.finish()
    if let failure { throw failure }
    return context
  }

  private func wait() {
    var descriptors = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0),
    ]
    while !leaves {
      if poll(&descriptors, 2, timeout) < 0 {
        // A signal is in the pipe; the keys were not polled.
        if errno == EINTR { continue }
        break
      }
      if let end = input.escapeEnd, end <= .now {
        handle(.session(.key(.escape)))
        input.endEscape()
      }
      if session.busySince == nil, session.status.wakesAt.map({ $0 <= .now }) == true {
        session.send(.timePassed)
      }
      if descriptors[1].revents != 0 || !signals.isEmpty { takeSignals() }
      // A lost terminal is readable, too; the read reports it.
      if descriptors[0].revents != 0 || input.hasInput, !leaves { readKeys() }
      show()
    }
  }

  /// Finishes the lines typed before input ended, unless a signal arrives.
  private func finishLines() {
    while endingSignal == nil, session.busySince != nil {
      wait(until: .now + Self.unnoticed)
      if signals.contains(SIGINT) { session.stop() }
      endingSignal = signals.intersection([SIGTERM, SIGHUP]).first
      signals = []
      _ = answeredLine()
      surface.draw(session.status.shown, isWorking: isWorking)
    }
  }

  /// The timeout for `poll`: milliseconds, or -1 for none.
  private var timeout: Int32 {
    if !signals.isEmpty || input.hasInput { return 0 }
    let next = session.busySince.map { isWorking ? nil : $0 + Self.unnoticed } ?? session.status.wakesAt
    guard let end = [next, input.escapeEnd].compactMap({ $0 }).min() else { return -1 }
    return Int32(clamping: max(0, Int((end - .now) / .milliseconds(1)) + 1))
  }

  private func leave(by signal: Int32?) {
    (leaves, isInLine, endingSignal) = (true, true, signal)
  }

  private static var patience: Duration { .milliseconds(8) }
  private static var unnoticed: Duration { .milliseconds(150) }

  private var isWorking: Bool { session.busySince.map { $0 + Self.unnoticed <= .now } ?? false }

  private func show() {
    giveBack(answeredLine())
    guard !leaves else { return }
    input.lendArrows(session.status.arrows)
    input.remembersLines = session.status.remembersLines
    input.lineUse = session.status.lineUse
    surface.draw(session.status.shown, isWorking: isWorking)
    if session.busySince == nil { trace?.end() }
  }

  /// Waits briefly for the session and applies its effects; returns a line to restore.
  private func answeredLine() -> String? {
    if let start = session.busySince { wait(until: start + Self.patience) }
    var line: String?
    for answer in session.takeAnswers() {
      let effects = answer.effects
      leaves = effects.leaves || leaves
      if effects.emptiesLine, !input.line.isEmpty { input.replaceLine(with: "") }
      if let text = effects.clipboard { surface.copy(text) }
      if let settings = effects.settings {
        let isKept = config.write(settings)
        isUnkept = isUnkept || !isKept
        session.perform { [path = config.path] in isKept ? $0.reportSaved() : $0.reportUnsaved(in: path) }
      }
      threads.stop(effects.stops)
      for job in effects.jobs { threads.start(job) }
      if let dropped = effects.droppedLine { drop(dropped) }
      line = effects.line ?? line
    }
    return line
  }

  private func wait(until end: ContinuousClock.Instant, unlessKeysCome: Bool = false) {
    var descriptors = [
      pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
    ]
    while session.busySince != nil, signals.isDisjoint(with: [SIGINT, SIGTERM, SIGHUP]) {
      let left = end - .now
      guard left > .zero else { return }
      let milliseconds = Int32(left / .milliseconds(1)) + 1
      guard poll(&descriptors, unlessKeysCome ? 2 : 1, milliseconds) > 0 else { continue }
      if descriptors[0].revents != 0 { signals.formUnion(wake.drain()) }
      if descriptors[1].revents != 0 { return }
    }
  }

  /// The longest time between paintings while keys arrive.
  private var frame: Duration { .milliseconds(8) }

  /// Reads the keys of one frame at most before painting, so that holding a key shows progress.
  private func readKeys() {
    trace?.begin()
    let end = ContinuousClock.now + frame
    var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    var before = input.line
    let putsAway = listsChoices
    listsChoices = false
    repeat {
      for event in input.read() {
        if case .session(.completions) = event {
          noteTyped(since: &before)
          listsChoices = true
        }
        handle(event)
      }
      if let line = nextLine, !leaves { input.replaceLine(with: line) }
      nextLine = nil
    } while !leaves && .now < end && (input.hasInput || poll(&ready, 1, 0) > 0)
    noteTyped(since: &before, putsAway: putsAway && !listsChoices)
    trace?.endOfKeys()
  }

  /// Reports the typed line if it changed, or if listed completions must go.
  private func noteTyped(since before: inout String, putsAway: Bool = false) {
    guard input.line != before || putsAway else { return }
    before = input.line
    session.send(.typed(before))
  }

  private func handle(_ event: InputEvent) {
    switch event {
    case .endOfInput(let end):
      failure = end.failure
      leave(by: end.signal)
    case .editor: editLine()
    case .session(.line(let line)):
      carryOut(line)
      // Nothing scrolled: the finished line is still visible.
      nextLine = nextLine ?? ""
    case .session(let event):
      if case .key(.redraw, _) = event { surface.repaint(input) }
      trace?.note(event)
      session.send(event)
    }
  }

  private func carryOut(_ line: String) {
    trace?.note(.line(line))
    surface.carryingOut {
      session.send(.line(line))
      // Output before the next prompt can be printed directly.
      if surface.takesLinesAtOnce { wait(until: .now + Self.unnoticed, unlessKeysCome: true) }
      nextLine = answeredLine() ?? owedLine
      owedLine = nil
      if surface.takesLinesAtOnce { surface.draw(session.status.shown, isWorking: isWorking) }
    }
    // Readline prompts again before it returns.
    if leaves { creadline_set_prompt("") }
  }

  /// Removes a closed prompt's prefix from the line, but keeps what was typed after it.
  private func drop(_ text: String) {
    guard input.line.hasPrefix(text) else { return }
    surface.goToLine()
    input.replaceLine(with: String(input.line.dropFirst(text.count)))
  }

  /// Restores a message that could not be written, once the line is empty.
  private func giveBack(_ line: String?) {
    owedLine = line ?? owedLine
    guard let line = owedLine, input.line.isEmpty, !leaves else { return }
    owedLine = nil
    surface.goToLine()
    input.replaceLine(with: line)
  }

  private func takeSignals() {
    let all = signals.union(wake.drain())
    signals = []
    for signal in all {
      switch signal {
      case SIGINT: interrupt()
      case SIGWINCH: resize()
      // To this thread, which stops at once; a signal to the process may take effect later.
      case SIGTSTP: lend { _ = raise(SIGSTOP) }
      case SIGTERM, SIGHUP: leave(by: signal)
      case Int32(WakePipe.storeChanged): session.send(.storeChanged)
      case Int32(WakePipe.reported): for report in threads.takeReports() { session.send(.reported(report)) }
      default: break
      }
    }
  }

  private func interrupt() {
    trace?.begin()
    trace?.note(.interrupted)
    // The signal makes the terminal discard pending output (termios(3), NOFLSH).
    surface.repaint(input)
    let isSeen = isWorking
    session.stop()
    // Interrupting long work keeps the typed line.
    if isSeen { return }
    if !session.status.isTransferring {
      surface.goToLine()
      input.discard()
      owedLine = nil
    }
    session.send(.interrupted)
  }

  private func resize() {
    surface.willResize()
    let size = terminalSize()
    session.send(.resized(rows: size.rows, columns: size.columns))
    surface.didResize(session, rows: max(2, size.rows), columns: max(2, size.columns), input)
  }

  private func lend(while body: () -> Void) {
    surface.suspend(input)
    body()
    surface.resume(input)
    resize()
    show()
  }

  private func editLine() {
    var text: String?
    let line = input.line
    lend { text = ExternalEditor.edit(line) }
    if let text { input.replaceLine(with: text) }
  }
}
