/// The keys and short values at the beginning of JSON, however long its texts are: what a format is known by.
///
/// Long strings are cut, long lists and objects end early, and what lies deep is left out. The result is JSON
/// again, in the lines of the source. It takes up to ``byteCount`` bytes of memory.
///
/// It is lenient: half a record of a program that died does not spoil the next lines.
struct JSONAbridgement {
  private struct Level {
    var isList: Bool
    /// Where its text begins.
    var start: Int
    var count = 1
    var nestedCount = 0
  }

  static let byteCount = 1 << 16
  /// The bytes of a string that are kept; times, ids and names are shorter.
  private static let keptOfString = 128
  /// An escape sequence that begins later might be cut.
  private static let keptBeforeEscape = 116
  /// A list or object beyond this length may end early.
  private static let keptOfNested = 4_096
  private static let leastElements = 4
  private static let leastKeys = 128
  private static let leastNested = 16
  private static let deepest = 8
  /// The bytes of further elements of one list that are passed over before giving up.
  private static let mostPassed = 8 << 20

  private(set) var text: [UInt8] = []
  private var levels: [Level] = []
  private var string = JSONStringState()
  /// The bytes kept of the present string; the highest number once it was cut.
  private var keptOfThis = 0
  /// How deep the reader is in what it leaves out of the innermost level; `nil` if it leaves nothing out.
  private var passedDepth: Int?
  private var passedCount = 0
  private var isAtLineStart = true

  /// Whether what follows would add nothing.
  var isFull: Bool { text.count >= Self.byteCount || passedCount > Self.mostPassed }

  init() {}

  init(of bytes: [UInt8]) { bytes.withUnsafeBytes { take($0) } }

  /// Whether bytes begin an object, or a list of objects: lines of logs may begin with a bracket, too.
  static func fits(_ bytes: [UInt8]) -> Bool {
    let signs = Array(bytes.lazy.filter(isSign).prefix(2))
    return ["{\"", "{}", "[{"].contains { signs.elementsEqual($0.utf8) }
  }

  private static func isSign(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x80 }

  mutating func take(_ bytes: Bytes) {
    var position = 0
    while position < bytes.count, !isFull {
      if string.isOpen {
        position = takeText(bytes, from: position)
      } else {
        take(bytes[position])
        position += 1
      }
    }
  }

  private var keepsText: Bool { passedDepth == nil && keptOfThis < .max }

  /// Takes bytes of a string, up to its end; returns where it stopped.
  private mutating func takeText(_ bytes: Bytes, from start: Int) -> Int {
    var position = start
    if !keepsText, !string.isEscaped {
      position = JSONScanner.quoteOrBackslash(in: bytes, from: start)
      passedCount += passedDepth == nil ? 0 : position - start
      guard position < bytes.count else { return position }
    }
    let byte = bytes[position]
    if byte == 0x0A, keepsText {
      beginAnew()
      return position
    }
    keep(byte)
    if string.ends(with: byte), passedDepth == nil { text.append(byte) }
    return position + 1
  }

  private mutating func keep(_ byte: UInt8) {
    guard passedDepth == nil, string.isEscaped || byte != UInt8(ascii: "\"") else { return }
    let isContinuation = byte & 0xC0 == 0x80
    let isEscape = byte == UInt8(ascii: "\\") && !string.isEscaped
    if keptOfThis >= (isEscape ? Self.keptBeforeEscape : Self.keptOfString), !isContinuation {
      keptOfThis = .max
    }
    guard keptOfThis < .max else { return }
    keptOfThis += 1
    text.append(byte)
  }

  /// A line that ends within a string was never finished.
  private mutating func beginAnew() {
    string = JSONStringState()
    levels = []
    passedDepth = nil
  }

  private mutating func take(_ byte: UInt8) {
    if isAtLineStart, byte == UInt8(ascii: "{") { (levels, passedDepth) = ([], nil) }
    isAtLineStart = byte == 0x0A
    if passedDepth != nil { passedCount += 1 }
    switch byte {
    case UInt8(ascii: "\""):
      string.open()
      keptOfThis = 0
      write(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
    case UInt8(ascii: ","): separate()
    case 0x20, 0x09, 0x0D: if let last = text.last, last > 0x20 { write(byte) }
    default: write(byte)
    }
  }

  private mutating func write(_ byte: UInt8) {
    if passedDepth == nil { text.append(byte) }
  }

  private mutating func open(_ byte: UInt8) {
    guard passedDepth == nil else {
      passedDepth? += 1
      return
    }
    let isLeftOut = levels.last.map(leavesOutNested) ?? false
    if !levels.isEmpty { levels[levels.count - 1].nestedCount += 1 }
    levels.append(Level(isList: byte == UInt8(ascii: "["), start: text.count))
    text.append(byte)
    if isLeftOut { pass() }
  }

  private func leavesOutNested(_ level: Level) -> Bool {
    levels.count >= Self.deepest
      || !level.isList && level.nestedCount >= Self.leastNested && isLong(level)
  }

  private mutating func close(_ byte: UInt8) {
    if let depth = passedDepth, depth > 0 {
      passedDepth = depth - 1
      return
    }
    passedDepth = nil
    text.append(byte)
    levels.removeLast(min(levels.count, 1))
  }

  private mutating func separate() {
    guard passedDepth == nil, let level = levels.last else { return write(UInt8(ascii: ",")) }
    let least = level.isList ? Self.leastElements : Self.leastKeys
    if levels.count > 1, level.count >= least, isLong(level) { return pass() }
    levels[levels.count - 1].count += 1
    text.append(UInt8(ascii: ","))
  }

  private func isLong(_ level: Level) -> Bool { text.count - level.start >= Self.keptOfNested }

  private mutating func pass() { (passedDepth, passedCount) = (0, 0) }
}
