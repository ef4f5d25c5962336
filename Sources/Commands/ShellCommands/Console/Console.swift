internal import ChatSession
internal import Foundation
internal import MessageModel
internal import Synchronization
internal import TerminalText

/// The output of a command: data to one stream, everything else to another.
///
/// Data is collected and written by 64 KiB. A reader that has gone away ends the process by SIGPIPE, as it should; data
/// that cannot be written for another reason ends it with a sentence and status 74: what came after it would have a hole.
final class Console: Sendable {
  private let output: any ByteSink
  private let errors: any ByteSink
  private let pending = Mutex<[UInt8]>([])
  /// Whether progress, warnings and summaries are kept back.
  let isQuiet: Bool
  private let color: TerminalTraits.ColorChoice
  private let theme: Theme
  private let environment: [String: String]

  private static let limit = 65_536

  /// Creates a console over the streams of a shell.
  init(in shell: Shell, isQuiet: Bool = false, color: TerminalTraits.ColorChoice = .auto) {
    output = shell.output
    errors = shell.errors
    environment = shell.environment
    theme = shell.settings["theme"].flatMap { Theme(rawValue: $0) } ?? .auto
    self.isQuiet = isQuiet
    self.color = color
  }

  /// Whether data goes to a terminal.
  var outputIsTerminal: Bool { output.isTerminal }
  /// Whether notes go to a terminal.
  var errorsAreTerminal: Bool { errors.isTerminal }

  /// The rows and columns of the terminal that data goes to; `nil` if it goes elsewhere.
  var size: (rows: Int, columns: Int)? { output.size }

  /// The encoder of styles for lines that are printed here.
  var encoder: StyleEncoder { encoder(isTerminal: outputIsTerminal) }

  private func encoder(isTerminal: Bool) -> StyleEncoder {
    TerminalTraits.printing(environment: environment, color: color, theme: theme, isTerminal: isTerminal)
  }

  /// Returns how messages are printed here or, if `isFile`, into a file.
  func printing(
    zone: TimeZone, naming: PrintedText.Naming = .none, partsDays: Bool = true, isFile: Bool = false
  ) -> PrintedText.Settings {
    let isTerminal = outputIsTerminal && !isFile
    var settings = PrintedText.Settings(
      zone: zone, encoder: encoder(isTerminal: isTerminal), naming: naming, partsDays: partsDays)
    if isTerminal { settings.columns = { self.size?.columns } }
    return settings
  }

  /// Writes text, which cannot control a terminal, whatever is in it.
  func write(_ text: String) { write(VisibleText.lines(Array(text.utf8))) }

  /// Writes text with styles of ours. What came from outside in it must have been made visible before.
  func write(styled text: String) { write(Array(text.utf8)) }

  /// Writes data as it is into a pipe or a file, and with symbols for what would control it to a terminal.
  func write(data bytes: [UInt8]) { write(outputIsTerminal ? VisibleText.lines(bytes) : bytes) }

  /// Writes bytes in which nothing from outside can control a terminal.
  func write(_ bytes: [UInt8]) {
    let full = pending.withLock { pending -> [UInt8]? in
      if pending.isEmpty, bytes.count >= Self.limit { return bytes }
      pending += bytes
      guard pending.count >= Self.limit else { return nil }
      defer { pending.removeAll(keepingCapacity: true) }
      return pending
    }
    if let full { deliver(full) }
  }

  /// Sends what was collected.
  func flush() { deliver(taken()) }

  /// Writes text that somebody waits for, and sends it.
  ///
  /// - Parameter end: Called before the process ends because the text cannot be written.
  func writeAtOnce(_ text: String, beforeEnding end: () -> Void = {}) {
    deliver(taken() + VisibleText.lines(Array(text.utf8)), beforeEnding: end)
  }

  /// Returns what was collected and lets go of it.
  private func taken() -> [UInt8] {
    pending.withLock { pending in
      defer { pending.removeAll(keepingCapacity: true) }
      return pending
    }
  }

  /// Writes a line for people, unless they want it quiet.
  func note(_ line: String) {
    if !isQuiet { complain(line) }
  }

  /// Writes lines for people, whatever they want. Names in them cannot control the terminal.
  func complain(_ lines: String) {
    flush()
    _ = errors.send(Array((SafeText.lines(of: lines).joined(separator: "\n") + "\n").utf8))
  }

  /// Writes a question for whoever sits at the terminal, and stays behind its last line.
  func ask(_ question: String) {
    flush()
    _ = errors.send(Array(SafeText.lines(of: question).joined(separator: "\n").utf8))
  }

  /// Draws the present line of a terminal anew; nothing elsewhere.
  func redraw(_ line: String) {
    guard !isQuiet, errorsAreTerminal else { return }
    _ = errors.send(Array("\r\(SafeText.oneLine(line))\u{1B}[K".utf8))
  }

  private func deliver(_ data: [UInt8], beforeEnding end: () -> Void = {}) {
    guard let failure = output.send(data) else { return }
    end()
    if failure == EPIPE {
      // Whoever started us may have had it ignored.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    let error = UsageError(
      "cannot write to standard output", cause: String(cString: strerror(failure)), status: .inputOutput)
    _ = errors.send(Array("scrollback: \(error.typed)\n".utf8))
    exit(error.status.rawValue)
  }
}
