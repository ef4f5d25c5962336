import Foundation
import MessageModel
import TerminalText
import TestSupport

/// A screen of a terminal as a picture.
struct ScreenDrawing {
  private let screen: TerminalModel
  private let cell = (width: 8.4, height: 18.0)
  private let margin = 12.0
  private static let ground = "#14181d"
  private static let ink = "#d8dee4"

  init(_ screen: TerminalModel) { self.screen = screen }

  /// A part of a picture.
  struct Thing: Hashable {
    var svg: String
    /// Whether it covers others.
    var isOnTop = false
  }

  /// The size of a picture.
  struct Size {
    var width: Double
    var height: Double
  }

  var size: Size {
    Size(
      width: Double(screen.columns) * cell.width + 2 * margin,
      height: Double(screen.rows) * cell.height + 2 * margin)
  }

  /// What is to be seen.
  var things: [Thing] {
    var things = (0..<screen.rows).flatMap { row in runs(ofRow: row).map { Thing(svg: draw($0, row: row)) } }
    if screen.isCursorVisible { things.append(Thing(svg: cursor, isOnTop: true)) }
    return things
  }

  /// A picture of things, drawn with the letters of whoever looks at it.
  static func picture(of size: Size, styles: [String], _ drawn: [String]) -> String {
    let (width, height) = (number(size.width), number(size.height))
    let head = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)">
      <style>
      text { font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
      \(styles.joined(separator: "\n"))
      </style>
      <rect width="\(width)" height="\(height)" rx="8" fill="\(ground)"/>
      """
    return ([head] + drawn + ["</svg>", ""]).joined(separator: "\n")
  }

  /// Neighbouring cells that look the same; wide letters and pictures are drawn one by one, so that those behind them
  /// stand where they should.
  private func runs(ofRow row: Int) -> [(
    column: Int, columns: Int, text: String, rendition: TerminalModel.Rendition
  )] {
    var runs: [(column: Int, columns: Int, text: String, rendition: TerminalModel.Rendition)] = []
    var isOpen = false
    for (column, cell) in screen.cells[row].enumerated() where !cell.text.isEmpty {
      let next = column + 1 < screen.columns ? screen.cells[row][column + 1].text : " "
      let isWide = next.isEmpty
      if isOpen, !isWide, let last = runs.indices.last, runs[last].rendition == cell.rendition {
        runs[last].text += cell.text
        runs[last].columns += 1
      } else {
        runs.append((column, isWide ? 2 : 1, cell.text, cell.rendition))
      }
      isOpen = !isWide
    }
    return runs.filter { !$0.text.allSatisfy { $0 == " " } || $0.rendition.standsOut }
  }

  private func draw(
    _ run: (column: Int, columns: Int, text: String, rendition: TerminalModel.Rendition), row: Int
  ) -> String {
    let x = margin + Double(run.column) * cell.width
    let y = margin + Double(row) * cell.height
    let width = Double(run.columns) * cell.width
    let color = Self.color(run.rendition.color)
    var attributes = "x=\"\(Self.number(x))\" y=\"\(Self.number(y + 13.5))\""
    attributes += " textLength=\"\(Self.number(width))\""
    let isReversed = run.rendition.isReversed
    attributes += " fill=\"\(isReversed ? Self.ground : color)\""
    if run.rendition.isBold { attributes += " font-weight=\"bold\"" }
    if run.rendition.isDim { attributes += " opacity=\"0.55\"" }
    if run.rendition.isUnderlined { attributes += " text-decoration=\"underline\"" }
    let back =
      "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" height=\"\(Self.number(cell.height))\""
      + " fill=\"\(isReversed ? color : Self.color(run.rendition.ground))\"/>"
    return (run.rendition.standsOut ? back : "")
      + "<text \(attributes)>\(MarkupText.escaped(run.text))</text>"
  }

  private var cursor: String {
    let x = margin + Double(screen.cursor.column) * cell.width
    let y = margin + Double(screen.cursor.row) * cell.height
    return "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(cell.width))\""
      + " height=\"\(Self.number(cell.height))\" fill=\"\(Self.ink)\"/>"
  }

  static func number(_ value: Double) -> String {
    let text = "\((value * 10).rounded() / 10)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The colour that parameters of a terminal ask for.
  private static func color(_ parameters: String) -> String {
    switch parameters {
    case "31": return "#e5534b"
    case "33": return "#d4a72c"
    default: break
    }
    guard let index = parameters.split(separator: ";").last.flatMap({ Int($0) }),
      let parts = Palette.components(of: index)
    else { return ink }
    return "#" + parts.map { String($0 + 0x100, radix: 16).dropFirst() }.joined()
  }
}
