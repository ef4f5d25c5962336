/// A small terminal: what a screen shows after the bytes that were written to it.
///
/// It knows what full-screen programs use of xterm: cursor moves, erasing, styles, scroll regions, the alternate
/// screen, wrapping, and letters of no, one or two columns. What it does not know it lists in ``unknownSequences``.
package struct TerminalModel: Sendable {
  /// One place of the screen.
  package struct Cell: Hashable, Sendable {
    /// The letter with its marks; empty for the right half of a wide one.
    package var text = " "
    package var rendition = Rendition()
  }

  /// The look of letters.
  package struct Rendition: Hashable, Sendable {
    package var isBold = false
    package var isDim = false
    package var isUnderlined = false
    package var isItalic = false
    package var isStruck = false
    package var isReversed = false
    /// The parameters of the colour as they were sent, `31` or `38;5;208`; empty for the terminal's own.
    package var color = ""
    /// The same of what is behind the letter: `41` or `48;5;208`.
    package var ground = ""

    /// Whether it stands out by what is behind it, in a colour or in reverse.
    package var standsOut: Bool { isReversed || !ground.isEmpty }
  }

  /// A place on the screen; both count from 0.
  package struct Position: Hashable, Sendable {
    package var row = 0
    package var column = 0

    /// Creates a place; the top left one if nothing is said.
    package init(row: Int = 0, column: Int = 0) {
      self.row = row
      self.column = column
    }
  }

  package internal(set) var rows: Int
  package internal(set) var columns: Int
  package internal(set) var cells: [[Cell]]
  /// The place of the next letter.
  package internal(set) var cursor = Position()
  /// Whether the alternate screen is shown.
  package internal(set) var isAlternate = false
  package internal(set) var isCursorVisible = true
  /// The title that was set, if one was.
  package internal(set) var title: String?
  /// The number of times that the bell rang.
  package internal(set) var bells = 0
  /// Private modes that are on, other than those that have a property here: `2004`, `1000`.
  package internal(set) var modes: Set<Int> = []
  /// Whether a synchronized update (mode 2026) has begun: the screen is half of one and half of the next.
  package internal(set) var isUpdating = false
  /// The number of them that have ended, which is how often the program has painted.
  package internal(set) var updateCount = 0
  /// Sequences that were not understood.
  package internal(set) var unknownSequences: [String] = []

  var rendition = Rendition()
  var saved = (cursor: Position(), rendition: Rendition())
  var margins: ClosedRange<Int>
  var wraps = true
  var isAtEnd = false
  var mainScreen: (cells: [[Cell]], cursor: Position)?
  var parser = Parser()

  /// Creates an empty screen.
  package init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    margins = 0...(rows - 1)
  }

  /// Takes in what a program wrote; sequences and letters may be cut anywhere.
  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if let token = parser.next(byte) { perform(token) }
    }
  }

  /// Changes the size as most terminals do with the alternate screen: what does not fit is lost, nothing reflows.
  package mutating func resize(rows: Int, columns: Int) {
    for index in cells.indices {
      cells[index] = Array(cells[index].prefix(columns))
      cells[index] += Array(repeating: Cell(), count: columns - cells[index].count)
    }
    cells = Array(cells.prefix(rows))
    let empty = Array(repeating: Cell(), count: columns)
    cells += Array(repeating: empty, count: rows - cells.count)
    self.rows = rows
    self.columns = columns
    margins = 0...(rows - 1)
    cursor = Position(row: min(cursor.row, rows - 1), column: min(cursor.column, columns - 1))
  }

  // MARK: Reading

  /// The text of a row without the spaces at its end.
  package func text(ofRow row: Int) -> String {
    let text = cells[row].map(\.text).joined()
    return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
  }

  /// All rows from the top, without the spaces at their ends.
  package var lines: [String] { cells.indices.map(text(ofRow:)) }

  /// The screen as a drawing in a frame, for messages of failed tests.
  package var picture: String {
    let bar = "+" + String(repeating: "-", count: columns) + "+"
    return ([bar] + lines.map { "|" + $0 } + [bar]).joined(separator: "\n")
  }

  /// Whether a row contains `text`.
  package func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}

extension TerminalModel {
  /// The rows that a window of so many rows and columns has for messages: all but the line being typed, the status line
  /// and, where there is room, the date at the top.
  package static func messageRows(rows: Int, columns: Int) -> Range<Int> {
    (rows >= 16 && columns >= 60 ? 1 : 0)..<(rows - 2)
  }

  /// The rows of messages in a window, without its date and its scroll bar.
  package var messageLines: [String] {
    let isRoomy = rows >= 16 && columns >= 60
    return Self.messageRows(rows: rows, columns: columns).map { row in
      guard isRoomy else { return text(ofRow: row) }
      let text = cells[row].dropLast().map(\.text).joined()
      return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }
  }
}
