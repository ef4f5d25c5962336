internal import CReadline
internal import ChatSession
internal import Foundation

/// The one owner of the terminal: reads keys, waits for signals, jobs and changes of the store, tells the session of
/// them, and has its surface show what comes of that.
///
/// The session is on a thread of its own, for which the loop waits for a few milliseconds, so that keys are answered in
/// one painting; what takes longer is shown when it is done.
@MainActor
final class TerminalLoop<S: Surface> {
  private let session: SessionThread<S.R>
  private let surface: S
  private let input: any LineInput
  private let trace: LatencyTrace?
  private let wake: WakePipe
  private let threads: JobThreads
  private let config: ConfigFile
  /// The signals that have woken the loop while it waited for the session.
  private var signals: Set<Int32> = []
  private var leaves = false
  /// Whether it leaves in the middle of a line.
  private var isInLine = false
  /// The signal that has ended it; `nil` if the user left.
  private(set) var endingSignal: Int32?
  /// The error that has ended it.
  private var failure: UsageError?
  /// Whether what was set could not be kept.
  private var isUnkept = false
  /// Whether the keys read last have listed what a word may become: that is put away at the next ones.
  private var listsChoices = false
  /// The text for the line that a finished one has left.
  private var nextLine: String?
  /// The text that comes back into the line as soon as nothing else is in it.
  private var owedLine: String?

  /// Creates the owner of a terminal that has been taken over.
  ///
  /// - Parameters:
  ///   - wake: Wakes the loop when the store has changed.
  ///   - config: Keeps the settings.
  ///   - trace: Notes how long each key took.
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

  /// Has the terminal given back however the process ends, by these sequences, and signals wake the loop.
  static func guardTerminal(_ wake: WakePipe, _ sequences: String) {
    creadline_guard_terminal(STDIN_FILENO, sequences)
    for signal in [SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP] {
      creadline_watch_signal(signal, wake.writer)
    }
  }

  /// Takes what was typed before the terminal was taken over.
  func feed(_ bytes: [UInt8]) { input.feed(bytes) }

  /// Runs until the user leaves, and returns where that was.
  ///
  /// - Throws: ``UsageError`` if the terminal cannot be read any more.
  func run() throws(UsageError) -> ReplContext {
    if surface.takesLinesAtOnce { input.onLine = { [weak self] in self?.carryOut($0) } }
    show()
    wait()
    finishLines()
    surface.leave(input, isInLine: isInLine, keepsHistory: session.status.keepsHistory)
    threads.finish()
    var context = session.finish()
    // Who goes on in a window of other looks reads it there.
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
        // A signal: it is in the pipe, and nothing is known of the keys.
        if errno == EINTR { continue }
        break
      }
      if let end = input.escapeEnd, end <= .now {
        handle(.session(.key(.escape)))
        input.endEscape()
      }
      if session.busySince == nil, session.status.wakesAt.map({ $0 <= .now }) == true {
        session.tell(.timePassed)
      }
      if descriptors[1].revents != 0 || !signals.isEmpty { takeSignals() }
      // A terminal that has gone away is "readable" too: reading tells.
      if descriptors[0].revents != 0 || input.hasInput, !leaves { readKeys() }
      show()
    }
  }

  /// Has the lines carried out that were finished before the input ended; a signal ends that, too.
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

  /// The longest wait in milliseconds; -1 for as long as it takes.
  private var timeout: Int32 {
    if !signals.isEmpty || input.hasInput { return 0 }
    let next = session.busySince.map { isWorking ? nil : $0 + Self.unnoticed } ?? session.status.wakesAt
    guard let end = [next, input.escapeEnd].compactMap({ $0 }).min() else { return -1 }
    return Int32(clamping: max(0, Int((end - .now) / .milliseconds(1)) + 1))
  }

  private func leave(by signal: Int32?) {
    (leaves, isInLine, endingSignal) = (true, true, signal)
  }

  // MARK: The session

  /// The longest wait of the loop for the session, with keys unread.
  private static var patience: Duration { .milliseconds(8) }
  /// The longest work of a session that is not shown.
  private static var unnoticed: Duration { .milliseconds(150) }

  /// Whether the session has been at work for so long that it is seen.
  private var isWorking: Bool { session.busySince.map { $0 + Self.unnoticed <= .now } ?? false }

  /// Shows what came of the events so far, waiting for the session for a moment.
  private func show() {
    giveBack(answeredLine())
    guard !leaves else { return }
    input.lendArrows(session.status.arrows)
    input.remembersLines = session.status.remembersLines
    input.lineUse = session.status.lineUse
    surface.draw(session.status.shown, isWorking: isWorking)
    if session.busySince == nil { trace?.end() }
  }

  /// Waits for the session for a moment, does what came of the events so far, and returns the line to put back.
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
        session.perform { [path = config.path] in isKept ? $0.tellKept() : $0.tellUnkept(in: path) }
      }
      threads.stop(effects.stops)
      for job in effects.jobs { threads.start(job) }
      if let dropped = effects.droppedLine { drop(dropped) }
      line = effects.line ?? line
    }
    return line
  }

  /// Waits until the session has answered everything, or something else wants to be done.
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

  // MARK: Keys

  /// The longest time between two paintings while keys come in.
  private var frame: Duration { .milliseconds(8) }

  /// Reads all keys that are there before painting once; where they come faster than they are done, as many as fit
  /// into a frame, so that who holds a key down sees where it goes.
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

  /// Tells of the line being typed, if it is another one or what it may become is to be put away.
  private func noteTyped(since before: inout String, putsAway: Bool = false) {
    guard input.line != before || putsAway else { return }
    before = input.line
    session.tell(.typed(before))
  }

  private func handle(_ event: InputEvent) {
    switch event {
    case .endOfInput(let end):
      failure = end.failure
      leave(by: end.signal)
    case .editor: editLine()
    case .session(.line(let line)):
      carryOut(line)
      // Nothing scrolled when the line was finished: it is still there.
      nextLine = nextLine ?? ""
    case .session(let event):
      if case .key(.redraw, _) = event { surface.repaint(input) }
      trace?.note(event)
      session.tell(event)
    }
  }

  private func carryOut(_ line: String) {
    trace?.note(.line(line))
    surface.carryingOut {
      session.tell(.line(line))
      // What is printed before the next prompt need not be put above it.
      if surface.takesLinesAtOnce { wait(until: .now + Self.unnoticed, unlessKeysCome: true) }
      nextLine = answeredLine() ?? owedLine
      owedLine = nil
      if surface.takesLinesAtOnce { surface.draw(session.status.shown, isWorking: isWorking) }
    }
    // Readline asks for another line before it returns.
    if leaves { creadline_set_prompt("") }
  }

  /// Takes what belonged to something that is closed out of the line; what was typed behind it stays.
  private func drop(_ text: String) {
    guard input.line.hasPrefix(text) else { return }
    surface.goToLine()
    input.replaceLine(with: String(input.line.dropFirst(text.count)))
  }

  /// Brings back a message that could not be written later on; what is being typed meanwhile goes first.
  private func giveBack(_ line: String?) {
    owedLine = line ?? owedLine
    guard let line = owedLine, input.line.isEmpty, !leaves else { return }
    owedLine = nil
    surface.goToLine()
    input.replaceLine(with: line)
  }

  // MARK: Signals

  private func takeSignals() {
    let all = signals.union(wake.drain())
    signals = []
    for signal in all {
      switch signal {
      case SIGINT: interrupt()
      case SIGWINCH: resize()
      // To this thread, so that it stops here: a signal to the process may stop it a little later.
      case SIGTSTP: lend { _ = raise(SIGSTOP) }
      case SIGTERM, SIGHUP: leave(by: signal)
      case Int32(WakePipe.storeChanged): session.tell(.storeChanged)
      case Int32(WakePipe.reported): for report in threads.takeReports() { session.tell(.reported(report)) }
      default: break
      }
    }
  }

  private func interrupt() {
    trace?.begin()
    trace?.note(.interrupted)
    // With the signal the terminal throws away what it has not shown yet (termios(3), NOFLSH).
    surface.repaint(input)
    let isSeen = isWorking
    session.stop()
    // Who stops something long goes on with the line.
    if isSeen { return }
    if !session.status.isTransferring {
      surface.goToLine()
      input.discard()
      owedLine = nil
    }
    session.tell(.interrupted)
  }

  private func resize() {
    surface.willResize()
    let size = terminalSize()
    session.tell(.resized(rows: size.rows, columns: size.columns))
    surface.didResize(session, rows: max(2, size.rows), columns: max(2, size.columns), input)
  }

  /// Gives the terminal to another program while `body` runs.
  private func lend(while body: () -> Void) {
    surface.suspend(input)
    body()
    surface.resume(input)
    resize()
    show()
  }

  /// Opens the line in an editor; what is saved becomes the line.
  private func editLine() {
    var text: String?
    let line = input.line
    lend { text = ExternalEditor.edit(line) }
    if let text { input.replaceLine(with: text) }
  }
}
