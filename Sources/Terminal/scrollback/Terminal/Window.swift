internal import ChatSession
internal import Foundation
internal import MessageStorage
internal import ShellCommands
internal import TerminalText

@MainActor
enum Window {
  private static var ground: Palette?
  private static var hasAsked = false

  /// Whether to ask the terminal for its background: only once, and only if the terminal has colours.
  private static func asksGround(_ context: ReplContext) -> Bool {
    guard !hasAsked, context.displayMode != .plain else { return false }
    hasAsked = true
    return true
  }

  static func open(_ request: WindowRequest) throws -> WindowEnd {
    guard let wake = WakePipe() else {
      throw UsageError("cannot open a pipe", cause: "too many files are open", status: .inputOutput)
    }
    let watching = Task.detached { [store = request.store] in
      for await _ in store.changes() { wake.wake(WakePipe.storeChanged) }
    }
    defer { watching.cancel() }
    let (traits, state) = (request.traits, request.state)
    var context = request.context
    let outcome = asksGround(context) ? GroundQuestion.ask(traits) : GroundQuestion.Outcome()
    ground = outcome.palette ?? ground
    context.ownPalette = ground ?? context.ownPalette
    let trace = try request.trace.map { try LatencyTrace(path: $0, store: request.store.path) }
    if traits.isCapable, context.displayMode == .window {
      let loop = try TerminalLoop(
        context, wake: wake, encoder: traits.encoder, state: state,
        config: request.config, isView: request.isView,
        usesWheel: request.usesWheel, trace: trace)
      loop.feed(outcome.typed)
      return WindowEnd(context: try loop.run(), signal: loop.endingSignal)
    }
    let loop = try TerminalLoop(
      printing: context, isPlain: !traits.isCapable || context.displayMode == .plain,
      isReadOnly: request.isView,
      wake: wake, encoder: traits.encoder, state: state, config: request.config, trace: trace)
    loop.feed(outcome.typed)
    return WindowEnd(context: try loop.run(), signal: loop.endingSignal)
  }
}

/// Wakes the terminal's loop: signal handlers write the signal's number, other threads one of these codes.
struct WakePipe: Sendable {
  let reader: Int32
  let writer: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  static let storeChanged: UInt8 = 0
  static let reported: UInt8 = 255

  func wake(_ word: UInt8) {
    var byte = word
    _ = write(writer, &byte, 1)  // If the pipe is full, the loop wakes anyway.
  }

  func drain() -> Set<Int32> {
    var buffer = [UInt8](repeating: 0, count: 256)
    var found: Set<Int32> = []
    while true {
      let count = read(reader, &buffer, buffer.count)
      guard count > 0 else { return found }
      found.formUnion(buffer[..<count].map(Int32.init))
    }
  }
}

/// Asks the terminal for its background colour, before anything else reads from it.
enum GroundQuestion {
  struct Outcome {
    /// The palette for the background; `nil` if the terminal did not reply.
    var palette: Palette?
    var typed: [UInt8] = []
  }

  private static let patience = Duration.milliseconds(100)

  static func ask(_ traits: TerminalTraits) -> Outcome {
    var before = termios()
    // With fewer than 256 colours, the terminal's own colours are used; they suit its background.
    guard traits.isCapable, traits.encoder.depth == .indexed, isatty(STDOUT_FILENO) == 1,
      tcgetattr(STDIN_FILENO, &before) == 0
    else { return Outcome() }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    defer { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    TerminalWriter(descriptor: STDOUT_FILENO).write(TerminalAnswers.questions(isScreen: traits.isScreen))
    var answers = TerminalAnswers()
    wait(for: &answers, isScreen: traits.isScreen)
    answers.giveUp()
    return Outcome(palette: answers.ground.map(Palette.on), typed: answers.typed)
  }

  /// Waits for all replies; GNU screen sends only one.
  private static func wait(for answers: inout TerminalAnswers, isScreen: Bool) {
    let end = ContinuousClock.now + patience
    var buffer = [UInt8](repeating: 0, count: 1_024)
    var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while isScreen ? answers.ground == nil : !answers.isFinished {
      let left = Int32((end - .now) / .milliseconds(1))
      guard left > 0 else { return }
      let found = poll(&ready, 1, left)
      if found < 0, errno == EINTR { continue }
      guard found > 0 else { return }
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else { return }
      answers.append(buffer[..<count])
    }
  }
}
