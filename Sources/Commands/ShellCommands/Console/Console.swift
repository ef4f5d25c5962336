internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import Synchronization
internal import TerminalText

/// The output of a command: data to one stream, everything else to another. Data is buffered in blocks of 64
/// KiB. A closed pipe ends the process by SIGPIPE; any other write error ends it with a message and status
/// 74, since further output would have a gap.
final class Console: Sendable {
  private let output: any ByteSink
  private let errors: any ByteSink
  private let pending = Mutex<[UInt8]>([])
  /// Whether progress, warnings and summaries are suppressed.
  let isQuiet: Bool
  private let color: TerminalTraits.ColorChoice
  private let theme: Theme
  private let environment: [String: String]

  private static let limit = 65_536

  init(in shell: Shell, isQuiet: Bool = false, color: TerminalTraits.ColorChoice = .auto) {
    output = shell.output
    errors = shell.errors
    environment = shell.environment
    theme = shell.settings["theme"].flatMap { Theme(rawValue: $0) } ?? .auto
    self.isQuiet = isQuiet
    self.color = color
  }

  var outputIsTerminal: Bool { output.isTerminal }
  var errorsAreTerminal: Bool { errors.isTerminal }

  var size: (rows: Int, columns: Int)? { output.size }

  var encoder: StyleEncoder { encoder(isTerminal: outputIsTerminal) }

  private func encoder(isTerminal: Bool) -> StyleEncoder {
    TerminalTraits.printing(environment: environment, color: color, theme: theme, isTerminal: isTerminal)
  }

  func printing(
    zone: TimeZone, naming: PrintedText.Naming = .none, partsDays: Bool = true, isFile: Bool = false
  ) -> PrintedText.Settings {
    let isTerminal = outputIsTerminal && !isFile
    var settings = PrintedText.Settings(
      zone: zone, encoder: encoder(isTerminal: isTerminal), naming: naming, partsDays: partsDays)
    if isTerminal { settings.columns = { self.size?.columns } }
    return settings
  }

  /// Writes text with control characters made visible.
  func write(_ text: String) { write(VisibleText.lines(Array(text.utf8))) }

  /// Writes text with our own styles. Outside text in it must already be made visible.
  func write(styled text: String) { write(Array(text.utf8)) }

  /// Writes data unchanged to a pipe or file; to a terminal, with control characters made visible.
  func write(data bytes: [UInt8]) { write(outputIsTerminal ? VisibleText.lines(bytes) : bytes) }

  /// Writes bytes that are known to be safe for a terminal.
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

  func flush() { deliver(taken()) }

  /// Writes text that a reader waits for, and flushes. Calls `end` before a write error ends the process.
  func writeAtOnce(_ text: String, beforeEnding end: () -> Void = {}) {
    deliver(taken() + VisibleText.lines(Array(text.utf8)), beforeEnding: end)
  }

  private func taken() -> [UInt8] {
    pending.withLock { pending in
      defer { pending.removeAll(keepingCapacity: true) }
      return pending
    }
  }

  /// Writes a line to standard error unless quiet.
  func note(_ line: String) {
    if !isQuiet { complain(line) }
  }

  /// Writes lines to standard error, even if quiet, with control characters made visible.
  func complain(_ lines: String) {
    flush()
    _ = errors.send(Array((SafeText.lines(of: lines).joined(separator: "\n") + "\n").utf8))
  }

  func ask(_ question: String) {
    flush()
    _ = errors.send(Array(SafeText.lines(of: question).joined(separator: "\n").utf8))
  }

  func redraw(_ line: String) {
    guard !isQuiet, errorsAreTerminal else { return }
    _ = errors.send(Array("\r\(SafeText.oneLine(line))\u{1B}[K".utf8))
  }

  private func deliver(_ data: [UInt8], beforeEnding end: () -> Void = {}) {
    guard let failure = output.send(data) else { return }
    end()
    if failure == EPIPE {
      // SIGPIPE may have been ignored by the parent process.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    let error = UsageError(
      "cannot write to standard output", cause: String(cString: strerror(failure)), status: .inputOutput)
    _ = errors.send(Array("scrollback: \(error.typed)\n".utf8))
    exit(error.status.rawValue)
  }
}

extension Console {
  func write(answers: some Sequence<some Encodable>) throws {
    var bytes: [UInt8] = []
    for answer in answers {
      try AnswerEncoder.write(answer, to: &bytes)
      guard bytes.count >= 65_536 else { continue }
      write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    write(bytes)
  }

  /// Writes answers as JSON or as a table, which must not contain terminal control characters.
  func write(
    answers: some Sequence<some Encodable>, asJSON: Bool, table: (TableLayout) throws -> String
  ) throws {
    if asJSON { try write(answers: answers) } else { write(styled: try table(tableLayout)) }
  }

  var tableLayout: TableLayout { TableLayout(encoder: encoder, columns: size?.columns) }

  func write<Answer: Encodable>(_ answer: Answer, asJSON: Bool, text: (Answer) -> String) throws {
    if asJSON { try write(answers: CollectionOfOne(answer)) } else { write(text(answer)) }
  }
}

enum DamageReport {
  /// Reports the first damage met while the store was read; ``ExitStatus/done`` then becomes
  /// ``ExitStatus/incomplete``.
  static func status(
    _ status: ExitStatus = .done, after store: SynchronousMessageStore, _ console: Console
  ) -> ExitStatus {
    let (count, first) = store.damageSeen
    guard count > 0, let example = first.first else { return status }
    let error = UsageError(
      "the store is damaged, and not all of it could be read",
      cause: count == 1 ? example : "\(example), and \(NumberText.grouped(count - 1)) more",
      remedy: "scrollback check")
    console.complain("scrollback: \(error.typed)")
    return status == .done ? .incomplete : status
  }
}

extension CostlyMessages {
  /// Reports skipped messages and returns the exit status; `status` if there are none.
  static func tell(of store: SynchronousMessageStore, _ console: Console, else status: ExitStatus)
    -> ExitStatus
  {
    guard let error = error(store.takeCostlyMessages()) else { return status }
    console.complain("scrollback: \(error.typed)")
    return error.status
  }
}
