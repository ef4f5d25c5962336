internal import CReadline
internal import ChatSession
internal import Foundation

/// The surface on which a loop shows a session: the full screen, or the flowing one.
@MainActor
protocol Surface: AnyObject {
  associatedtype R: Reader
  /// Whether lines are carried out while readline has given the terminal back, before it asks for the next one.
  var takesLinesAtOnce: Bool { get }

  /// Shows the session as it is.
  ///
  /// - Parameter isWorking: Whether it has been doing something for so long that this is to be seen.
  func draw(_ shown: R.Shown, isWorking: Bool)
  /// Carries out a line that was finished.
  func carryingOut(_ body: () -> Void)
  /// The cursor is to be where the line is typed.
  func goToLine()
  func copy(_ text: String)
  /// The terminal is about to have another size, and has it.
  func willResize()
  func didResize(_ session: SessionThread<R>, rows: Int, columns: Int, _ input: any LineInput)
  /// Draws everything anew, the line being typed first.
  func repaint(_ input: any LineInput)
  /// Gives the terminal to another program, and takes it back.
  func suspend(_ input: any LineInput)
  func resume(_ input: any LineInput)
  /// Gives the terminal back for good.
  ///
  /// - Parameters:
  ///   - isInLine: Whether a line is left that was not finished.
  ///   - keepsHistory: Whether the lines typed are kept for later runs.
  func leave(_ input: any LineInput, isInLine: Bool, keepsHistory: Bool)
}

/// The size of the terminal.
@MainActor
func terminalSize() -> (rows: Int, columns: Int) {
  var rows: Int32 = 24
  var columns: Int32 = 80
  creadline_get_size(&rows, &columns)
  return (Int(rows), Int(columns))
}
