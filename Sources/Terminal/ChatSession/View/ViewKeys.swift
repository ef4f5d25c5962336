internal import TerminalText

/// The keys of `less`, for a read-only window.
///
/// A pure state machine from bytes to a ``Session``'s events. Some keys open a line at the bottom: `/` and
/// `?` to search, `:` for a REPL command, `&` for a filter.
package struct ViewKeys: Sendable {
  /// The line at the bottom with the key that opened it; empty if there is none.
  package private(set) var prompt = ""
  private var bytes: [UInt8] = []
  private var count = ""
  /// A key that awaits a letter: `m`, `'` or `Z`.
  private var pending: Character?

  package init() {}

  package mutating func append(_ input: some Sequence<UInt8>) -> [ReplEvent] {
    bytes += input
    var events: [ReplEvent] = []
    while let key = nextKey() {
      if let event = prompt.isEmpty ? pressed(key) : typed(key) { events.append(event) }
    }
    return events
  }

  /// Drops a line being typed.
  package mutating func discard() { self = ViewKeys() }

  /// The last row's text, cut at the left if too long.
  package func shown(columns: Int) -> String {
    let text = prompt.isEmpty ? (pending.map { "\($0)" } ?? ":") + count : prompt
    var safe = SafeText.oneLine(text)[...]
    while DisplayWidth.columns(of: safe) > max(1, columns) { safe.removeFirst() }
    return String(safe)
  }

  private mutating func nextKey() -> String? {
    guard let first = bytes.first else { return nil }
    var length = first == 0x1B ? escapeLength() : UTF8.length(first)
    // A sequence split between reads is waited for; a lone Escape is not.
    if length > bytes.count, first != 0x1B { return nil }
    length = min(length, bytes.count)
    defer { bytes.removeFirst(length) }
    return String(decoding: bytes[..<length], as: UTF8.self)
  }

  private func escapeLength() -> Int {
    guard bytes.count > 1 else { return 1 }
    if bytes[1] == UInt8(ascii: "O") { return 3 }
    if bytes[1] == UInt8(ascii: "]") {
      // A late reply of the terminal.
      let end = bytes.firstIndex { $0 == 0x07 || $0 == UInt8(ascii: "\\") }
      return end.map { $0 + 1 } ?? bytes.count
    }
    guard bytes[1] == UInt8(ascii: "[") else { return bytes[1] == 0x1B ? 1 : 2 }
    let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
    return end.map { $0 + 1 } ?? bytes.count
  }

  private mutating func typed(_ key: String) -> ReplEvent? {
    switch key {
    case "\r", "\n": return submit()
    case "\u{1B}", "\u{3}", "\u{7}": prompt = ""
    case "\u{7F}", "\u{8}": prompt.removeLast()
    case "\u{15}": prompt = String(prompt.prefix(1))
    default:
      if key.unicodeScalars.allSatisfy({ $0.value >= 0x20 }), prompt.utf8.count < 4_096 { prompt += key }
    }
    return nil
  }

  private mutating func submit() -> ReplEvent? {
    let kind = prompt.first
    let text = String(prompt.dropFirst())
    prompt = ""
    switch kind {
    case "/": return text.isEmpty ? .key(.repeatHit) : .search(text, .newer)
    case "?": return text.isEmpty ? .key(.reverseHit) : .search(text, .older)
    case "&": return .line("/filter \(text)")
    case "|": return text.isEmpty ? nil : .line("/export | \(text)")
    default:
      if text.isEmpty { return nil }
      // The slash is optional here.
      return .line(text.hasPrefix("/") ? text : "/" + text)
    }
  }

  private mutating func pressed(_ key: String) -> ReplEvent? {
    if let waiting = pending {
      pending = nil
      return complete(waiting, key)
    }
    if key.count == 1, let digit = key.first, digit.isASCII,
      digit.isNumber || (digit == "." && !count.isEmpty)
    {
      if count.count < 20 { count.append(digit) }
      return nil
    }
    let number = count
    count = ""
    switch key {
    case "/", "?", ":", "&", "|": prompt = key
    case "=", "\u{7}": return .line("/stats")
    case "\u{1B}k": prompt = "&add "
    case "m", "'", "Z": pending = key.first
    case "%", "p": return .line("/goto \(number.isEmpty ? "0" : number)%")
    case "g", "<", "\u{1B}[H", "\u{1B}[1~", "\u{1B}<": return end(.oldest, number)
    case "G", ">", "\u{1B}[F", "\u{1B}[4~", "\u{1B}>": return end(.newest, number)
    case "q", "Q": return .key(.close)
    case "h", "H": return .line("/help")
    case "\u{1B}": return .interrupted
    case _ where key.hasPrefix("\u{1B}[<64;"): return .key(.rowsOlder)
    case _ where key.hasPrefix("\u{1B}[<65;"): return .key(.rowsNewer)
    case _ where key.hasPrefix("\u{1B}[<0;") && key.hasSuffix("M"): return click(key)
    default: return Self.moves[key].map { .key($0, count: Int(number) ?? 1) }
    }
    return nil
  }

  /// `ESC [ < 0 ; column ; row M`, from 1.
  private func click(_ key: String) -> ReplEvent? {
    let numbers = key.dropFirst(3).dropLast().split(separator: ";").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    return .click(MouseClick(row: numbers[2] - 1, column: numbers[1] - 1))
  }

  private func end(_ key: ReplKey, _ number: String) -> ReplEvent {
    number.isEmpty ? .key(key) : .line("/goto \(number)")
  }

  private func complete(_ key: Character, _ letter: String) -> ReplEvent? {
    switch key {
    case "Z": return letter == "Z" ? .line("/quit") : nil
    case "'" where letter == "'": return .line("/back")
    case "'" where letter == "^": return .key(.oldest)
    case "'" where letter == "$": return .key(.newest)
    default:
      guard letter.count == 1, letter.first?.isLetter == true else { return nil }
      return .line(key == "m" ? "/mark \(letter)" : "/goto '\(letter)")
    }
  }

  private static let moves: [String: ReplKey] = [
    "j": .rowNewer, "e": .rowNewer, "\r": .choose, "\n": .choose, "\u{1B}[B": .rowNewer,
    "\u{1B}OB": .rowNewer, "\u{E}": .rowNewer,
    "k": .rowOlder, "y": .rowOlder, "\u{1B}[A": .rowOlder, "\u{1B}OA": .rowOlder, "\u{10}": .rowOlder,
    " ": .pageNewer, "f": .pageNewer, "\u{6}": .pageNewer, "\u{16}": .pageNewer, "\u{1B}[6~": .pageNewer,
    "b": .pageOlder, "\u{2}": .pageOlder, "\u{1B}v": .pageOlder, "\u{1B}[5~": .pageOlder,
    "d": .halfNewer, "\u{4}": .halfNewer, "u": .halfOlder, "\u{15}": .halfOlder,
    "n": .repeatHit, "N": .reverseHit, "\u{1B}n": .nextHit, "\u{1B}p": .previousHit, "\u{1B}u": .unread,
    "\u{1B}a": .nextUnread,
    "+": .zoomIn, "-": .zoomOut, "\u{1B}i": .invertFilter, "\u{1B}j": .dropFilter,
    "M": .map, "\u{1B}m": .map, "C": .switcher, "\u{1B}c": .switcher, "\u{1B}[D": .dayOlder,
    "\u{1B}OD": .dayOlder, "\u{1B}[C": .dayNewer,
    "\u{1B}OC": .dayNewer, "L": .hits, "\u{1B}h": .hits, "o": .answered, "\u{1B}o": .answered,
    "\u{1B},": .back, "\u{F}": .back,
    "v": .pick, "\u{1B}[1;2A": .pickOlder, "\u{1B}[1;2B": .pickNewer,
    "[": .dayOlder, "]": .dayNewer, "\u{1B}[1;5A": .dayOlder, "\u{1B}[1;5B": .dayNewer,
    "s": .steps, "\u{1B}s": .steps,
    "F": .newest, "r": .redraw, "R": .redraw, "\u{C}": .redraw,
  ]
}

extension UTF8 {
  /// 1 for a byte that begins no character.
  fileprivate static func length(_ first: UInt8) -> Int {
    switch first {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
