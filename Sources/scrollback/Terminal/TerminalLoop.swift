internal import CReadline
internal import Foundation
internal import MessageShell

/// The one owner of the terminal: reads keys, waits for signals, jobs and changes of the store, tells the session of
/// them, and has its surface show what comes of that.
@MainActor
final class TerminalLoop<S: Surface> {
  private var session: Session<S.R>
  private let surface: S
  private let input: any LineInput
  private let trace: LatencyTrace?
  private let wake: WakePipe
  private let threads: JobThreads
  private let state: StateFolder
  private var leaves = false
  /// Whether it leaves in the middle of a line.
  private var isInLine = false
  /// The signal that has ended it; `nil` if the user left.
  private(set) var endingSignal: Int32?
  /// What has ended it though nobody wanted that.
  private var failure: UsageError?
  /// What comes into the line that a finished one has left.
  private var nextLine: String?
  /// What comes back into the line as soon as nothing else is in it.
  private var owedLine: String?

  /// Creates the owner of a terminal that has been taken over.
  ///
  /// - Parameters:
  ///   - wake: Wakes the loop when the store has changed.
  ///   - state: Keeps the settings.
  ///   - trace: Notes how long each key took.
  init(
    _ session: Session<S.R>, on surface: S, _ input: any LineInput, wake: WakePipe, state: StateFolder,
    trace: LatencyTrace?
  ) {
    self.session = session
    self.surface = surface
    self.input = input
    self.wake = wake
    self.state = state
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

  /// Runs until the user leaves, and returns where that was.
  ///
  /// - Throws: ``UsageError`` if the terminal cannot be read any more.
  func run() throws(UsageError) -> ReplContext {
    if surface.takesLinesAtOnce { input.onLine = { [weak self] in self?.carryOut($0) } }
    draw()
    wait()
    surface.leave(input, isInLine: isInLine, keepsHistory: session.context.keepsHistory)
    threads.finish()
    session.writeReadPositions()
    trace?.finish()
    if let failure { throw failure }
    return session.context
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
      if session.wakesAt.map({ $0 <= .now }) == true {
        tell(.timePassed)
        draw()
      }
      if descriptors[1].revents != 0 { takeSignals() }
      // A terminal that has gone away is "readable" too: reading tells.
      if descriptors[0].revents != 0, !leaves { readKeys() }
    }
  }

  /// How many milliseconds to wait at most; -1 for as long as it takes.
  private var timeout: Int32 {
    guard let end = session.wakesAt else { return -1 }
    return Int32(clamping: max(0, Int((end - .now) / .milliseconds(1)) + 1))
  }

  private func draw() {
    for job in surface.draw(&session) { threads.start(job) }
  }

  private func leave(by signal: Int32?) {
    (leaves, isInLine, endingSignal) = (true, true, signal)
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
    var lists = false
    repeat {
      for event in input.read() {
        if case .session(.completions) = event {
          noteTyped(since: &before)
          lists = true
        }
        handle(event)
      }
      if let line = nextLine, !leaves { input.replaceLine(with: line) }
      nextLine = nil
    } while !leaves && .now < end && poll(&ready, 1, 0) > 0
    noteTyped(since: &before, putsAway: session.reader.showsChoices && !lists)
    draw()
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
      tell(event)
    }
  }

  private func carryOut(_ line: String) {
    trace?.note(.line(line))
    surface.carryingOut {
      nextLine = tell(.line(line)).line ?? owedLine
      owedLine = nil
    }
    // Readline asks for another line before it returns.
    if leaves { creadline_set_prompt("") }
  }

  /// Brings back a line that could not be carried out later on; what is being typed meanwhile goes first.
  private func giveBack(_ line: String?) {
    owedLine = line ?? owedLine
    guard let line = owedLine, input.line.isEmpty else { return }
    owedLine = nil
    surface.goToLine()
    input.replaceLine(with: line)
  }

  /// Has the session take an event in, and does what comes of it.
  @discardableResult
  private func tell(_ event: ReplEvent) -> Effects {
    let effects = surface.showing(&session) { $0.handle(event) }
    leaves = effects.leaves || leaves
    if let text = effects.clipboard { surface.copy(text) }
    if let settings = effects.settings { state.remember(settings) }
    threads.stop(effects.stops)
    for job in effects.jobs { threads.start(job) }
    return effects
  }

  // MARK: Signals

  private func takeSignals() {
    for signal in wake.drain() {
      switch signal {
      case SIGINT:
        // Who stops something long goes on with the line.
        if !session.isTransferring {
          surface.goToLine()
          input.discard()
        }
        tell(.interrupted)
      case SIGWINCH: resize()
      // To this thread, so that it stops here: a signal to the process may stop it a little later.
      case SIGTSTP: lend { _ = raise(SIGSTOP) }
      case SIGTERM, SIGHUP: leave(by: signal)
      case Int32(WakePipe.storeChanged): tell(.storeChanged)
      case Int32(WakePipe.reported):
        for report in threads.takeReports() { giveBack(tell(.reported(report)).line) }
      default: break
      }
    }
    if !leaves { draw() }
  }

  private func resize() {
    surface.willResize()
    let size = terminalSize()
    tell(.resized(rows: size.rows, columns: size.columns))
    surface.didResize(&session, rows: max(2, size.rows), columns: max(2, size.columns), input)
  }

  /// Gives the terminal to another program while `body` runs.
  private func lend(while body: () -> Void) {
    surface.suspend(input)
    body()
    surface.resume(input)
    resize()
    draw()
  }

  /// Opens the line in an editor; what is saved becomes the line.
  private func editLine() {
    var text: String?
    let line = input.line
    lend { text = ExternalEditor.edit(line) }
    if let text { input.replaceLine(with: text) }
  }
}
