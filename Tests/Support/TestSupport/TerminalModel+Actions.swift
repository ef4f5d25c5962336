extension TerminalModel {
  mutating func perform(_ token: Token) {
    switch token {
    case .letter(let scalar): draw(scalar)
    case .control(let byte): control(byte)
    case .escape(let code): escape(code)
    case .csi(let parameters, let final): sequence(parameters, final)
    case .osc(let text): setTitle(text)
    }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x07: bells += 1
    case 0x08: move(toColumn: cursor.column - 1)
    case 0x09: move(toColumn: (cursor.column / 8 + 1) * 8)
    case 0x0A, 0x0B, 0x0C: lineFeed()
    case 0x0D: move(toColumn: 0)
    default: break
    }
  }

  private mutating func escape(_ code: String) {
    switch code {
    case "7": saved = (cursor, rendition)
    case "8": (cursor, rendition) = saved
    case "D": lineFeed()
    case "M": if cursor.row == margins.lowerBound { scroll(by: -1) } else { move(toRow: cursor.row - 1) }
    case "=", ">", "(B", ")B", "\\": break
    default: unknownSequences.append("ESC " + code)
    }
    isAtEnd = false
  }

  private mutating func setTitle(_ text: String) {
    if text.hasPrefix("0;") || text.hasPrefix("2;") { title = String(text.dropFirst(2)) }
  }

  private mutating func sequence(_ text: String, _ final: Character) {
    if text.hasPrefix("?") {
      setModes(text.dropFirst().split(separator: ";").compactMap { Int($0) }, final)
      return
    }
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let first = numbers.first ?? 0
    let count = max(1, first)
    switch final {
    case "A": move(toRow: cursor.row - count)
    case "B": move(toRow: cursor.row + count)
    case "C": move(toColumn: cursor.column + count)
    case "D": move(toColumn: cursor.column - count)
    case "G": move(toColumn: count - 1)
    case "d": move(toRow: count - 1)
    case "H", "f":
      move(toRow: count - 1)
      move(toColumn: max(1, numbers.dropFirst().first ?? 1) - 1)
    case "J": eraseScreen(first)
    case "K": eraseLine(first)
    case "S": scroll(by: count)
    case "T": scroll(by: -count)
    case "P": deleteLetters(count)
    case "@": insertSpaces(count)
    case "X": erase(cursor.row, cursor.column..<min(columns, cursor.column + count))
    case "m": setLook(numbers)
    case "r": setMargins(numbers)
    case "t", "c", "n": break
    default: unknownSequences.append("CSI \(text)\(final)")
    }
  }

  private mutating func setModes(_ numbers: [Int], _ final: Character) {
    let isOn = final == "h"
    for number in numbers where final == "h" || final == "l" {
      switch number {
      case 7: wraps = isOn
      case 25: isCursorVisible = isOn
      case 1049: showAlternate(isOn)
      case 2026: setUpdating(isOn)
      default: if isOn { modes.insert(number) } else { modes.remove(number) }
      }
    }
  }

  private mutating func setUpdating(_ isOn: Bool) {
    if isUpdating, !isOn { updateCount += 1 }
    isUpdating = isOn
  }

  private mutating func showAlternate(_ isOn: Bool) {
    guard isOn != isAlternate else { return }
    isAlternate = isOn
    if isOn {
      mainScreen = (cells, cursor)
      eraseScreen(2)
    } else if let main = mainScreen {
      (cells, cursor) = main
      resize(rows: rows, columns: columns)
      mainScreen = nil
    }
  }

  private mutating func setMargins(_ numbers: [Int]) {
    let top = max(1, numbers.first ?? 1) - 1
    let bottom = (numbers.count > 1 && numbers[1] > 0 ? min(numbers[1], rows) : rows) - 1
    guard top < bottom else { return }
    margins = top...bottom
    cursor = Position()
    isAtEnd = false
  }

  private mutating func setLook(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: rendition = Rendition()
      case 1: rendition.isBold = true
      case 2: rendition.isDim = true
      case 3: rendition.isItalic = true
      case 4: rendition.isUnderlined = true
      case 9: rendition.isStruck = true
      case 7: rendition.isReversed = true
      case 22: (rendition.isBold, rendition.isDim) = (false, false)
      case 24: rendition.isUnderlined = false
      case 27: rendition.isReversed = false
      case 30...37, 90...97: rendition.color = String(number)
      case 38: rendition.color = Self.takeColor(number, &rest)
      case 39: rendition.color = ""
      case 40...47, 100...107: rendition.ground = String(number)
      case 48: rendition.ground = Self.takeColor(number, &rest)
      case 49: rendition.ground = ""
      default: unknownSequences.append("CSI \(number)m")
      }
    }
  }

  /// Takes the parameters of a colour of many: of a table, `5` and a number, or `2` and three parts.
  private static func takeColor(_ kind: Int, _ rest: inout ArraySlice<Int>) -> String {
    let parameters = rest.prefix(rest.first == 5 ? 2 : 4)
    rest = rest.dropFirst(parameters.count)
    return ([kind] + parameters).map(String.init).joined(separator: ";")
  }
}
