internal import Foundation
internal import TerminalText

/// Asks the terminal for its background colour, before anything else reads from it.
enum GroundQuestion {
  struct Outcome {
    /// The palette for the background; `nil` if the terminal did not reply.
    var palette: Palette?
    var typed: [UInt8] = []
  }

  /// The longest wait for a reply, too short to notice.
  private static let patience = Duration.milliseconds(100)

  static func ask(_ traits: TerminalTraits) -> Outcome {
    var before = termios()
    // With fewer than 256 colours the terminal's own are used, which suit its background.
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

  /// Waits for all replies; for GNU screen, for the only one.
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
      answers.take(buffer[..<count])
    }
  }
}
