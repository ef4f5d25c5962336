extension TerminalModel {
  // MARK: Moving

  mutating func move(toRow row: Int) {
    cursor.row = min(max(0, row), rows - 1)
    isAtEnd = false
  }

  mutating func move(toColumn column: Int) {
    cursor.column = min(max(0, column), columns - 1)
    isAtEnd = false
  }

  mutating func lineFeed() {
    if cursor.row == margins.upperBound { scroll(by: 1) } else { move(toRow: cursor.row + 1) }
    isAtEnd = false
  }

  /// Moves the rows between the margins up, or down if negative.
  mutating func scroll(by count: Int) {
    let empty = Array(repeating: Cell(), count: columns)
    for _ in 0..<min(abs(count), margins.count) {
      cells.remove(at: count > 0 ? margins.lowerBound : margins.upperBound)
      cells.insert(empty, at: count > 0 ? margins.upperBound : margins.lowerBound)
    }
  }

  // MARK: Erasing

  mutating func erase(_ row: Int, _ range: Range<Int>) {
    for column in range { cells[row][column] = Cell() }
  }

  mutating func eraseLine(_ part: Int) {
    switch part {
    case 0: erase(cursor.row, cursor.column..<columns)
    case 1: erase(cursor.row, 0..<(cursor.column + 1))
    default: erase(cursor.row, 0..<columns)
    }
  }

  mutating func eraseScreen(_ part: Int) {
    if part < 2 { eraseLine(part) }
    let whole = part == 0 ? (cursor.row + 1)..<rows : part == 1 ? 0..<cursor.row : 0..<rows
    for row in whole { erase(row, 0..<columns) }
  }

  mutating func deleteLetters(_ count: Int) {
    let count = min(count, columns - cursor.column)
    cells[cursor.row].removeSubrange(cursor.column..<(cursor.column + count))
    cells[cursor.row] += Array(repeating: Cell(), count: count)
  }

  mutating func insertSpaces(_ count: Int) {
    let spaces = Array(repeating: Cell(), count: min(count, columns - cursor.column))
    cells[cursor.row].insert(contentsOf: spaces, at: cursor.column)
    cells[cursor.row].removeLast(spaces.count)
  }

  // MARK: Drawing

  mutating func draw(_ scalar: Unicode.Scalar) {
    if joinsLast(scalar) { return }
    let width = Self.isWide(scalar) ? 2 : 1
    if isAtEnd, wraps {
      move(toColumn: 0)
      lineFeed()
    } else if width == 2, cursor.column == columns - 1, wraps {
      move(toColumn: 0)
      lineFeed()
    }
    guard cursor.column + width <= columns else { return }
    cells[cursor.row][cursor.column] = Cell(text: String(scalar), rendition: rendition)
    if width == 2 { cells[cursor.row][cursor.column + 1] = Cell(text: "", rendition: rendition) }
    advance(by: width)
  }

  private mutating func advance(by width: Int) {
    let next = cursor.column + width
    cursor.column = min(next, columns - 1)
    isAtEnd = next >= columns
  }

  /// Adds to the last letter what makes one picture with it, as terminals do that know grapheme clusters.
  private mutating func joinsLast(_ scalar: Unicode.Scalar) -> Bool {
    let isMark: Bool =
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: scalar.value != 0xAD
      default: (0x1160...0x11FF).contains(scalar.value)
      }
    guard let last = lastLetter else { return isMark }
    let text = cells[cursor.row][last].text
    let joined = text + String(scalar)
    let isSequence = joined.count == 1 && text != " " && !text.unicodeScalars.allSatisfy(\.isASCII)
    guard isMark || (isSequence && Self.isPicture(scalar)) else { return false }
    cells[cursor.row][last].text = joined
    let isPair = (0x1F1E6...0x1F1FF).contains(scalar.value)
    if scalar.value == 0xFE0F || isPair { widen(last) }
    return true
  }

  /// The column of the letter just before the cursor.
  private var lastLetter: Int? {
    var column = isAtEnd ? cursor.column : cursor.column - 1
    while column > 0, cells[cursor.row][column].text.isEmpty { column -= 1 }
    return column >= 0 ? column : nil
  }

  private mutating func widen(_ column: Int) {
    guard column + 1 < columns, column + 1 == cursor.column, !isAtEnd else { return }
    cells[cursor.row][column + 1] = Cell(text: "", rendition: rendition)
    advance(by: 1)
  }

  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmojiPresentation || scalar.properties.isEmojiModifier || scalar.properties.isEmoji
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1F1E6...0x1F1FF: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
