public import Foundation
internal import MessageModel
internal import Synchronization
public import TerminalText

/// Where a command writes: data to one stream, everything else to another.
///
/// Data is collected and written by 64 KiB. A reader that has gone away ends the process by SIGPIPE, as it should; data
/// that cannot be written for another reason ends it with a sentence and status 74: what came after it would have a hole.
public final class Console: Sendable {
  private let output: Int32
  private let errors: Int32
  private let pending = Mutex<[UInt8]>([])
  /// Whether progress, warnings and summaries are kept back.
  public let isQuiet: Bool
  private let color: TerminalTraits.ColorChoice
  private let environment: [String: String]

  private static let limit = 65_536

  /// Creates a console over two file descriptors.
  ///
  /// - Parameter environment: What tells of the terminal; see ``TerminalTraits``.
  public init(
    output: Int32 = 1, errors: Int32 = 2, isQuiet: Bool = false, color: TerminalTraits.ColorChoice = .auto,
    environment: [String: String] = [:]
  ) {
    self.output = output
    self.errors = errors
    self.isQuiet = isQuiet
    self.color = color
    self.environment = environment
  }

  /// Whether data goes to a terminal.
  public var outputIsTerminal: Bool { isatty(output) == 1 }
  /// Whether notes go to a terminal.
  public var errorsAreTerminal: Bool { isatty(errors) == 1 }

  /// The rows and columns of the terminal that data goes to; `nil` if it goes elsewhere.
  public var size: (rows: Int, columns: Int)? {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// How lines are styled that are printed here.
  public var encoder: StyleEncoder { encoder(isTerminal: outputIsTerminal) }

  private func encoder(isTerminal: Bool) -> StyleEncoder {
    TerminalTraits.printing(environment: environment, color: color, isTerminal: isTerminal)
  }

  /// Returns how messages are printed here or, if `isFile`, into a file.
  public func printing(
    zone: TimeZone, naming: PrintedText.Naming = .none, partsDays: Bool = true, isFile: Bool = false
  ) -> PrintedText.Settings {
    let isTerminal = outputIsTerminal && !isFile
    var settings = PrintedText.Settings(
      zone: zone, encoder: encoder(isTerminal: isTerminal), naming: naming, partsDays: partsDays)
    if isTerminal { settings.columns = { self.size?.columns } }
    return settings
  }

  /// Writes text, which cannot control a terminal, whatever is in it.
  public func write(_ text: String) { write(VisibleText.lines(Array(text.utf8))) }

  /// Writes text with styles of ours. What came from outside in it must have been made visible before.
  public func write(styled text: String) { write(Array(text.utf8)) }

  /// Writes data as it is into a pipe or a file, and with symbols for what would control it to a terminal.
  func write(data bytes: [UInt8]) { write(outputIsTerminal ? VisibleText.lines(bytes) : bytes) }

  /// Writes bytes in which nothing from outside can control a terminal.
  public func write(_ bytes: [UInt8]) {
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
  public func flush() {
    let rest = pending.withLock { pending in
      defer { pending.removeAll(keepingCapacity: true) }
      return pending
    }
    deliver(rest)
  }

  /// Writes a line for people, unless they want it quiet.
  public func note(_ line: String) {
    if !isQuiet { complain(line) }
  }

  /// Writes lines for people, whatever they want. Names in them cannot control the terminal.
  public func complain(_ lines: String) {
    flush()
    send(Array((SafeText.lines(of: lines).joined(separator: "\n") + "\n").utf8), to: errors)
  }

  /// Draws the present line of a terminal anew; nothing elsewhere.
  func redraw(_ line: String) {
    guard !isQuiet, errorsAreTerminal else { return }
    send(Array("\r\(SafeText.oneLine(line))\u{1B}[K".utf8), to: errors)
  }

  private func deliver(_ data: [UInt8]) {
    guard let failure = send(data, to: output) else { return }
    if failure == EPIPE {
      // Whoever started us may have had it ignored.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    let error = UsageError(
      "cannot write to standard output", cause: String(cString: strerror(failure)), status: .inputOutput)
    _ = send(Array("scrollback: \(error.description)\n".utf8), to: errors)
    exit(error.status.rawValue)
  }

  /// Writes bytes, and returns why some could not be written.
  @discardableResult
  private func send(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var sent = 0
    return bytes.withUnsafeBytes { buffer in
      while sent < buffer.count {
        let count = Foundation.write(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
        if count > 0 { sent += count } else if errno != EINTR && errno != EAGAIN { return errno }
      }
      return nil
    }
  }
}
