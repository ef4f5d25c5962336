/// Separates a terminal's replies from typed input.
///
/// A pure state machine. It asks for the background colour (OSC 11), then for the device attributes (DA1),
/// which every terminal answers: after that reply, no other will come.
package struct TerminalAnswers: Sendable {
  /// Red, green and blue from 0 to 255; `nil` until reported.
  package private(set) var ground: [Int]?
  /// Whether the last query was answered.
  package private(set) var isFinished = false
  /// The bytes that are no replies.
  package private(set) var typed: [UInt8] = []
  private var waiting: [UInt8] = []

  private static let longest = 64

  package init() {}

  /// The queries.
  ///
  /// GNU screen would keep OSC 11 and repeat it whenever it redraws, even for later programs; so it is passed
  /// through to the outer terminal (DCS), and no DA1 follows.
  package static func questions(isScreen: Bool) -> String {
    isScreen ? "\u{1B}P\u{1B}]11;?\u{7}\u{1B}\\" : "\u{1B}]11;?\u{1B}\\\u{1B}[c"
  }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    waiting += bytes
    while let first = waiting.first {
      guard first == 0x1B else {
        let end = waiting.firstIndex(of: 0x1B) ?? waiting.count
        typed += waiting[..<end]
        waiting.removeFirst(end)
        continue
      }
      switch answer() {
      case .none: typed.append(waiting.removeFirst())
      case .unfinished: return
      case .whole(let length): waiting.removeFirst(length)
      }
    }
  }

  /// Stops waiting: an incomplete reply may have been typed.
  package mutating func giveUp() {
    typed += waiting
    waiting = []
  }

  private enum Answer {
    case none, unfinished
    case whole(Int)
  }

  private mutating func answer() -> Answer {
    let head = Array("\u{1B}]11;".utf8)
    if waiting.starts(with: head) { return groundAnswer(behind: head.count) }
    if head.starts(with: waiting) { return .unfinished }
    let other = Array("\u{1B}[?".utf8)
    guard waiting.starts(with: other) else { return other.starts(with: waiting) ? .unfinished : .none }
    let end = waiting.dropFirst(other.count).firstIndex { !(0x30...0x3B).contains($0) }
    guard let end else { return waiting.count < Self.longest ? .unfinished : .none }
    guard waiting[end] == UInt8(ascii: "c") else { return .none }
    isFinished = true
    return .whole(end + 1)
  }

  private mutating func groundAnswer(behind start: Int) -> Answer {
    guard let end = waiting[start...].firstIndex(where: { $0 < 0x20 }) else {
      return waiting.count < Self.longest ? .unfinished : .none
    }
    var length = end + 1
    if waiting[end] == 0x1B {
      guard length < waiting.count else { return .unfinished }
      guard waiting[length] == UInt8(ascii: "\\") else { return .none }
      length += 1
    } else if waiting[end] != 0x07 {
      return .none
    }
    ground = Self.color(String(decoding: waiting[start..<end], as: UTF8.self)) ?? ground
    return .whole(length)
  }

  /// Red, green and blue from 0 to 255 of `rgb:` or `rgba:` with one to four digits each: XParseColor(3).
  private static func color(_ text: String) -> [Int]? {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let count = ["rgb": 3, "rgba": 4][String(parts[0])] else { return nil }
    let numbers = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { digits -> Int? in
      guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
        let number = Int(digits, radix: 16)
      else { return nil }
      return number * 255 / (1 << (4 * digits.utf8.count) - 1)
    }
    guard numbers.count == count, !numbers.contains(nil) else { return nil }
    return numbers.prefix(3).compactMap(\.self)
  }
}
