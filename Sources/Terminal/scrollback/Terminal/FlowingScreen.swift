internal import CReadline
internal import ChatSession
internal import Foundation
internal import ShellCommands
internal import Synchronization
internal import TerminalText

/// A terminal without a window: messages are printed above the typed line.
@MainActor
final class FlowingScreen: Surface {
  private let printer: RowsAboveLine
  private let printed: PrintedOutput
  private var prompt: String
  private let isPlain: Bool

  let takesLinesAtOnce = true

  init(_ printer: RowsAboveLine, _ printed: PrintedOutput, prompt: String, isPlain: Bool) {
    self.printer = printer
    self.printed = printed
    self.prompt = prompt
    self.isPlain = isPlain
  }

  func draw(_ prompt: String, isWorking: Bool) {
    let text = printed.take()
    if !text.isEmpty { printer.write(text) }
    // A screen reader would read the prompt aloud each time.
    let next = isWorking && !isPlain ? "working … Ctrl-C stops it > " : prompt
    printer.showLine(next, before: self.prompt)
    self.prompt = next
  }

  func carryingOut(_ body: () -> Void) {
    printer.hasLine = false
    body()
    printer.hasLine = true
  }

  func goToLine() {}
  func copy(_ text: String) {}
  func willResize() { creadline_hide_line() }

  func didResize(
    _ session: SessionThread<PrintingReader>, rows: Int, columns: Int, _ input: any LineInput
  ) { creadline_show_line() }

  func repaint(_ input: any LineInput) {}

  func suspend(_ input: any LineInput) {
    creadline_hide_line()
    input.suspend()
  }

  func resume(_ input: any LineInput) { input.resume() }

  func leave(_ input: any LineInput, isInLine: Bool, keepsHistory: Bool) {
    if isInLine {
      printer.hasLine = false
      printer.write("\n")
    }
    input.keepDraft()
    input.stop(keepsHistory: keepsHistory)
  }
}

extension TerminalLoop where S == FlowingScreen {
  convenience init(
    printing context: ReplContext, isPlain: Bool, isReadOnly: Bool, wake: WakePipe, encoder: StyleEncoder,
    state: StateFolder, config: ConfigFile, trace: LatencyTrace?
  ) throws {
    let size = DescriptorSink(STDOUT_FILENO).size ?? (24, 80)
    let printer = RowsAboveLine()
    let printed = PrintedOutput()
    let session = try Session(
      context, isReadOnly: isReadOnly,
      at: PrintingReader.Terminal(
        isPlain ? StyleEncoder(.none) : encoder, rows: size.rows, columns: size.columns, isPlain: isPlain),
      write: { printed.add($0) },
      complain: { printed.add(SafeText.lines(of: $0).joined(separator: "\n") + "\n") })
    printer.write(printed.take())
    Self.guardTerminal(wake, isPlain ? "" : "\u{1B}[?2004l\u{1B}[0m")
    let input = try ReadlineEditor(
      prompt: session.prompt, mode: isPlain ? CREADLINE_PLAIN : CREADLINE_FLOWING,
      history: state.historyFile(), names: { context.names($0) })
    printer.hasLine = true
    let screen = FlowingScreen(printer, printed, prompt: session.prompt, isPlain: isPlain)
    self.init(session, on: screen, input, wake: wake, config: config, trace: trace)
  }
}

final class PrintedOutput: Sendable {
  private let text = Mutex("")

  func add(_ more: String) { text.withLock { $0 += more } }

  func take() -> String {
    text.withLock { text in
      defer { text = "" }
      return text
    }
  }
}

/// Prints above the typed line, which is hidden before the first output.
@MainActor
final class RowsAboveLine {
  private let terminal = TerminalWriter(descriptor: STDOUT_FILENO)
  private var isHidden = false
  /// Whether the typed line is shown: not before the first prompt, and not while a finished line is executed.
  var hasLine = false

  func write(_ text: String) {
    if hasLine, !isHidden {
      creadline_hide_line()
      isHidden = true
    }
    terminal.write(text)
  }

  func showLine(_ prompt: String, before: String) {
    guard hasLine else { return creadline_set_prompt(prompt) }
    if prompt != before, !isHidden { creadline_hide_line() }
    creadline_set_prompt(prompt)
    if isHidden || prompt != before { creadline_show_line() }
    isHidden = false
  }
}
