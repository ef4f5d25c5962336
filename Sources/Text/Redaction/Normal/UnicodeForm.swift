internal import Foundation

/// NFKC without invisible characters.
enum UnicodeForm {
  /// `nil` if nothing changes. Invalid UTF-8 is read as ISO 8859-1. O(bytes).
  static func composed(_ text: NormalText) -> NormalText? {
    guard let first = text.bytes.firstIndex(where: { !isPlain($0) }) else { return nil }
    // A mark composes with the letter before it.
    let start = max(first - 1, 0)
    var composer = Composer(text, keeping: start)
    composer.run(from: start)
    return composer.isChanged ? composer.result : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) || [0x09, 0x0A, 0x0D, 0x1B].contains(byte)
  }

  /// Whether a character is visible and never changes, whatever its neighbours.
  fileprivate static func isStable(_ value: UInt32) -> Bool {
    switch value {
    case 0xC0...0x131, 0x134...0x13E, 0x141...0x148, 0x14A...0x17E, 0x391...0x3CE, 0x400...0x482,
      0x48A...0x52F,
      0x531...0x556, 0x561...0x586, 0x5D0...0x5EA, 0x620...0x64A, 0x904...0x939, 0xE01...0xE30,
      0x2012...0x2016,
      0x2018...0x2023, 0x2600...0x27BF, 0x3001...0x3020, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF,
      0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0x1F300...0x1FAFF:
      true
    case _: false
    }
  }

  /// Whether a character composes with the previous one.
  fileprivate static func isExtending(_ scalar: Unicode.Scalar) -> Bool {
    if (0x1160...0x11FF).contains(scalar.value) || (0xFF9E...0xFF9F).contains(scalar.value) { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    case _: return scalar.properties.canonicalCombiningClass != .notReordered
    }
  }
}

private struct Composer {
  private let text: NormalText
  private(set) var result: NormalText
  private(set) var isChanged = false
  /// A letter with marks to compose, and its place.
  private var pending: [Unicode.Scalar] = []
  private var pendingRange = 0..<0
  private var known: [Unicode.Scalar: [UInt8]] = [:]

  /// Longer sequences are composed in parts: Unicode's Stream-Safe Text Format allows 30.
  private static let mostMarks = 31

  init(_ text: NormalText, keeping end: Int) {
    self.text = text
    result = NormalText(reserving: text.bytes.count)
    result.append(0..<end, of: text)
  }

  mutating func run(from start: Int) {
    var place = start
    while place < text.bytes.count {
      let byte = text.bytes[place]
      if byte < 0x80 {
        flush()
        place = takeASCII(place)
      } else {
        let (scalar, end) = Self.scalar(text.bytes, place)
        take(scalar, place..<end)
        place = end
      }
    }
    flush()
  }

  private mutating func takeASCII(_ start: Int) -> Int {
    var place = start
    while place < text.bytes.count, text.bytes[place] < 0x80, text.bytes[place] >= 0x20 { place += 1 }
    if place > start {
      result.append(start..<place, of: text)
      return place
    }
    switch text.bytes[start] {
    case 0x09, 0x0A, 0x0D, 0x1B:
      result.append(start..<start + 1, of: text)
      return start + 1
    case let byte:
      isChanged = true
      return start + 1 + (byte == 0x03 ? colour(start + 1) : 0)
    }
  }

  private func colour(_ start: Int) -> Int {
    func digits(_ place: Int) -> Int {
      text.bytes[min(place, text.bytes.count)...].prefix(2).prefix { $0 &- 0x30 < 10 }.count
    }
    let first = digits(start)
    guard first > 0, start + first < text.bytes.count, text.bytes[start + first] == UInt8(ascii: ",") else {
      return first
    }
    let second = digits(start + first + 1)
    return second > 0 ? first + 1 + second : first
  }

  private mutating func take(_ scalar: Unicode.Scalar, _ range: Range<Int>) {
    if UnicodeForm.isStable(scalar.value) {
      flush()
      return append(Array(scalar.utf8), for: range)
    }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .control {
      isChanged = true
      return
    }
    guard UnicodeForm.isExtending(scalar), pending.count < Self.mostMarks else {
      flush()
      (pending, pendingRange) = ([scalar], range)
      return
    }
    if pending.isEmpty { takeBackLast(before: range) }
    if pending.isEmpty { pendingRange = range }
    pending.append(scalar)
    pendingRange = pendingRange.lowerBound..<range.upperBound
  }

  /// Takes the last character back to compose it with the following marks.
  private mutating func takeBackLast(before range: Range<Int>) {
    guard let last = lastScalar() else { return }
    let count = last.utf8.count
    let origin = lastPlaces(count, before: range.lowerBound)
    result.removeLast(count)
    (pending, pendingRange) = ([last], origin)
  }

  private func lastScalar() -> Unicode.Scalar? {
    let tail = result.bytes.suffix(4)
    guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return nil }
    return String(decoding: tail[start...], as: UTF8.self).unicodeScalars.first
  }

  /// The place of the last character, which has `count` bytes; invisible characters may follow it.
  private func lastPlaces(_ count: Int, before end: Int) -> Range<Int> {
    var start = end
    while start > 0 {
      let (scalar, _) = Self.scalar(text.bytes, characterStart(before: start))
      start = characterStart(before: start)
      if scalar.utf8.count == count, !scalar.properties.isDefaultIgnorableCodePoint { break }
      if end - start > 64 { break }
    }
    return start..<end
  }

  private func characterStart(before place: Int) -> Int {
    var start = place - 1
    while start > 0, place - start < 4, text.bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }

  private mutating func flush() {
    guard !pending.isEmpty else { return }
    if pending.count == 1 {
      let composed = known[pending[0]] ?? Self.composed(pending)
      known[pending[0]] = composed
      append(composed, for: pendingRange)
    } else {
      append(Self.composed(pending), for: pendingRange)
    }
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ bytes: [UInt8], for range: Range<Int>) {
    if !bytes.elementsEqual(text.bytes[range]) { isChanged = true }
    result.append(bytes, for: range, of: text)
  }

  private static func composed(_ scalars: [Unicode.Scalar]) -> [UInt8] {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return Array(String(view).precomposedStringWithCompatibilityMapping.utf8)
  }

  /// An invalid byte is read as ISO 8859-1.
  private static func scalar(_ bytes: [UInt8], _ place: Int) -> (Unicode.Scalar, end: Int) {
    let first = bytes[place]
    let count = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1
    var value = UInt32(first) & (0xFF >> (UInt32(count) + 1))
    guard count > 1, place + count <= bytes.count else { return (Unicode.Scalar(first), place + 1) }
    for byte in bytes[(place + 1)..<place + count] {
      guard byte & 0xC0 == 0x80 else { return (Unicode.Scalar(first), place + 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let least: UInt32 = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000
    guard value >= least, let scalar = Unicode.Scalar(value) else {
      return (Unicode.Scalar(first), place + 1)
    }
    return (scalar, place + count)
  }
}
