internal import CReadline
internal import ChatSession
internal import Foundation
internal import MessagePictures
internal import TerminalText

@MainActor
final class FullScreen: Surface {
  private var painter: ScreenPainter
  private let terminal = TerminalWriter(descriptor: STDOUT_FILENO)
  private let usesWheel: Bool
  private var rows: Int
  private var columns: Int
  /// What draws pictures, until it has been asked how they are erased.
  private var newDrawer: (any PictureDrawer)?

  let takesLinesAtOnce = false

  init(_ encoder: StyleEncoder, usesWheel: Bool, rows: Int, columns: Int) {
    self.columns = columns
    painter = ScreenPainter(encoder)
    self.usesWheel = usesWheel
    self.rows = rows
  }

  func enter(isView: Bool, _ state: StateFolder, _ context: ReplContext) throws -> any LineInput {
    terminal.write(TerminalSequences.enter(wheel: usesWheel) + TerminalSequences.moveToRow(rows))
    if isView { return ViewInput(terminal) }
    do {
      return try ReadlineEditor(prompt: "> ", history: state.historyFile()) { context.names($0) }
    } catch {
      terminal.write(TerminalSequences.leave)
      throw error
    }
  }

  func draw(_ screen: Screen, isWorking: Bool) {
    guard screen.rows.count == max(1, rows - 1), screen.columns == columns else { return }
    // The question loads what draws pictures, so it waits for the first one.
    if let newDrawer, screen.rows.contains(where: { !$0.pictures.isEmpty }) {
      painter.pictureErasing = newDrawer.erasing
      self.newDrawer = nil
    }
    terminal.write(painter.paint(isWorking ? screen.whileWorking : screen))
  }

  func carryingOut(_ body: () -> Void) { body() }
  func goToLine() { terminal.write(TerminalSequences.moveToRow(rows)) }
  func copy(_ text: String) { terminal.write(TerminalSequences.copy(text)) }
  func willResize() {}

  func didResize(
    _ session: SessionThread<ScreenReader>, rows: Int, columns: Int, _ input: any LineInput
  ) {
    (self.rows, self.columns) = (rows, columns)
    let drawer = drawer()
    session.perform { $0.draw(with: drawer) }
    repaint(input)
  }

  func repaint(_ input: any LineInput) {
    painter.forget()
    terminal.write("\u{1B}[r\u{1B}[2J" + TerminalSequences.moveToRow(rows))
    input.redraw()
  }

  func drawer() -> (any PictureDrawer)? {
    newDrawer = PictureSupport.drawer(
      environment: ProcessInfo.processInfo.environment, cell: TerminalCell.size(of: STDOUT_FILENO))
    return newDrawer
  }

  func suspend(_ input: any LineInput) {
    input.suspend()
    terminal.write(TerminalSequences.leave)
  }

  func resume(_ input: any LineInput) {
    input.resume()
    terminal.write(TerminalSequences.enter(wheel: usesWheel))
  }

  func leave(_ input: any LineInput, isInLine: Bool, keepsHistory: Bool) {
    input.keepDraft()
    input.stop(keepsHistory: keepsHistory)
    terminal.write(TerminalSequences.leave)
  }
}

extension TerminalLoop where S == FullScreen {
  /// - Parameter usesWheel: Whether the mouse wheel scrolls; the terminal then selects text only with Shift.
  convenience init(
    _ context: ReplContext, wake: WakePipe, encoder: StyleEncoder, state: StateFolder,
    config: ConfigFile, isView: Bool,
    usesWheel: Bool, trace: LatencyTrace?
  ) throws {
    let size = terminalSize()
    let isFirstRun = state.historyFile().map { !FileManager.default.fileExists(atPath: $0) } ?? false
    let appends = context.openConversation != nil
    let hint =
      isView ? HelpText.firstView : appends ? HelpText.firstRun : HelpText.firstRunOfSeveral
    let isEmpty = context.openConversation?.messageCount == 0
    var session = try Session(
      context, rows: size.rows, columns: size.columns, isReadOnly: isView,
      hint: isEmpty && !isView ? HelpText.firstStart : isFirstRun && context.tour == nil ? hint : [])
    Self.guardTerminal(wake, TerminalSequences.leave)
    let screen = FullScreen(encoder, usesWheel: usesWheel, rows: size.rows, columns: size.columns)
    let input = try screen.enter(isView: isView, state, context)
    session.draw(with: screen.drawer())
    self.init(session, on: screen, input, wake: wake, config: config, trace: trace)
  }
}
