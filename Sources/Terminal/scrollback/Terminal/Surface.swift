internal import CReadline
internal import ChatSession
internal import Foundation

/// What a loop shows a session on: a full screen or flowing lines.
@MainActor
protocol Surface: AnyObject {
  associatedtype R: Reader
  /// Whether lines are executed before readline shows the next prompt.
  var takesLinesAtOnce: Bool { get }

  func draw(_ shown: R.Shown, isWorking: Bool)
  func carryingOut(_ body: () -> Void)
  func goToLine()
  func copy(_ text: String)
  /// Called before and after the terminal's size changes.
  func willResize()
  func didResize(_ session: SessionThread<R>, rows: Int, columns: Int, _ input: any LineInput)
  func repaint(_ input: any LineInput)
  func suspend(_ input: any LineInput)
  func resume(_ input: any LineInput)
  /// - Parameter isInLine: Whether an unfinished line remains.
  func leave(_ input: any LineInput, isInLine: Bool, keepsHistory: Bool)
}

@MainActor
func terminalSize() -> (rows: Int, columns: Int) {
  var rows: Int32 = 24
  var columns: Int32 = 80
  creadline_get_size(&rows, &columns)
  return (Int(rows), Int(columns))
}
