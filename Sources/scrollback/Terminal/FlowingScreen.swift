internal import CReadline
internal import Foundation
internal import MessageShell
internal import ShellCommands
internal import TerminalText

/// A terminal without a window: messages are printed above the line being typed and stay in its scrollback.
@MainActor
final class FlowingScreen: Surface {
  private let printer: RowsAboveLine

  let takesLinesAtOnce = true

  init(_ printer: RowsAboveLine) { self.printer = printer }

  func draw(_ session: inout Session<PrintingReader>) -> [Job] { [] }

  func showing(
    _ session: inout Session<PrintingReader>, _ body: (inout Session<PrintingReader>) -> Effects
  ) -> Effects {
    let before = session.prompt
    let effects = body(&session)
    printer.showLine(session.prompt, before: before)
    return effects
  }

  func carryingOut(_ body: () -> Void) {
    printer.hasLine = false
    body()
    printer.hasLine = true
  }

  func goToLine() {}
  // It was printed.
  func copy(_ text: String) {}
  func willResize() { creadline_hide_line() }

  func didResize(
    _ session: inout Session<PrintingReader>, rows: Int, columns: Int, _ input: any LineInput
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
  /// Takes the terminal over, and prints the newest messages.
  convenience init(
    printing context: ReplContext, isPlain: Bool, isReadOnly: Bool, wake: WakePipe, encoder: StyleEncoder,
    state: StateFolder, trace: LatencyTrace?
  ) throws {
    let size = DescriptorSink(STDOUT_FILENO).size ?? (24, 80)
    let printer = RowsAboveLine()
    let session = try Session(
      context, isReadOnly: isReadOnly,
      at: PrintingReader.Terminal(
        isPlain ? StyleEncoder(.none) : encoder, rows: size.rows, columns: size.columns, isPlain: isPlain),
      write: { text in MainActor.assumeIsolated { printer.write(text) } },
      complain: { text in
        MainActor.assumeIsolated { printer.write(SafeText.lines(of: text).joined(separator: "\n") + "\n") }
      })
    Self.guardTerminal(wake, isPlain ? "" : "\u{1B}[?2004l\u{1B}[0m")
    let input = try ReadlineEditor(
      prompt: session.prompt, mode: isPlain ? CREADLINE_PLAIN : CREADLINE_FLOWING,
      history: state.historyFile(), names: { context.names($0) })
    printer.hasLine = true
    self.init(session, on: FlowingScreen(printer), input, wake: wake, state: state, trace: trace)
  }
}
