/// Splits a long text into overlapping windows, to search it in bounded memory.
///
/// Anything shorter than an eighth of a window (32 KiB) in any form of the text is whole in one of them,
/// however long its encoding: the overlap is measured in each form, up to four windows' bytes (1 MiB).
package struct TextWindows: Sendable {
  private var buffer: [UInt8] = []
  private var isFirst = true
  private var wanted: Int
  private let depth: Int
  private let size: Int
  /// Whether something was skipped whose encoding is longer than a window.
  package private(set) var isCut = false

  package static let size = 256 << 10

  private var margin: Int { size / 8 }
  private var most: Int { size * 4 }

  init(depth: Int = NormalForm.depth, size: Int = Self.size) {
    (self.depth, self.size, wanted) = (depth, size, size)
  }

  struct Window {
    struct Form {
      let text: NormalText
      let isUnmarked: Bool
    }

    let bytes: [UInt8]
    let forms: [Form]
    let unread: [Range<Int>]
    /// The bytes at each form's start that only give context, and at its end those that are repeated.
    private let context: Int
    private let margin: Int

    fileprivate init(_ bytes: [UInt8], depth: Int, context: Int, margin: Int) {
      (self.bytes, self.context, self.margin) = (bytes, context, margin)
      (forms, unread) = bytes.withUnsafeBufferPointer { bytes in
        var forms = [Form(text: NormalText(bytes), isUnmarked: false)]
        let unread = NormalForm.each(of: bytes, depth: depth) { text, isUnmarked in
          forms.append(Form(text: text, isUnmarked: isUnmarked))
        }
        return (forms, unread)
      }
    }

    init(whole bytes: [UInt8], depth: Int) { self.init(bytes, depth: depth, context: 0, margin: 0) }

    /// Whether a finding belongs to this window rather than to a neighbouring one.
    func counts(_ range: Range<Int>, in form: NormalText) -> Bool {
      range.lowerBound >= context && range.upperBound <= form.bytes.count - margin
    }

    fileprivate var next: Int {
      forms.reduce(bytes.count) { start, form in
        let place = form.text.bytes.count - 2 * margin
        return place <= 0 ? 0 : min(start, form.text.origin(of: place..<place + 1).lowerBound)
      }
    }
  }

  /// Adds bytes; returns the result of `find` in the first full window that has one.
  mutating func take<Found>(_ bytes: some Collection<UInt8>, _ find: (Window) -> Found?) -> Found? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(size)
      buffer += part
      rest = rest.dropFirst(part.count)
      guard buffer.count >= wanted else { continue }
      let window = Window(buffer, depth: depth, context: context, margin: margin)
      if let found = find(window) { return found }
      forget(window.next)
    }
    return nil
  }

  private var context: Int { isFirst ? 0 : size / 256 }

  private mutating func forget(_ count: Int) {
    let excess = buffer.count - most
    if count < excess { isCut = true }
    buffer.removeFirst(max(count, excess, 0))
    isFirst = isFirst && max(count, excess) <= 0
    wanted = max(size, 2 * buffer.count)
  }

  mutating func finish<Found>(_ find: (Window) -> Found?) -> Found? {
    let window = Window(buffer, depth: depth, context: context, margin: 0)
    self = TextWindows(depth: depth, size: size)
    return find(window)
  }
}

/// Parts of output that belong to one text each, in any format. Expressions do not match across them.
enum WrittenParts {
  static let sign: UInt8 = 0x1F

  /// The length of a message's id, and of a checksum, whole or in a file's name.
  private static let idDigits = 15...17
  private static let checksumLetters = [16, 64]

  /// Ids and checksums contain any digits by chance.
  static func hideNumbers(in bytes: inout [UInt8]) {
    var place = 0
    while place < bytes.count {
      guard isHex(bytes[place]) else {
        place += 1
        continue
      }
      let start = place
      while place < bytes.count, isHex(bytes[place]) { place += 1 }
      let run = start..<place
      let isID = idDigits.contains(run.count) && bytes[run].allSatisfy { $0 < UInt8(ascii: "a") }
      if isID || checksumLetters.contains(run.count) { for place in run { bytes[place] = sign } }
    }
  }

  private static func isHex(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || byte &- 0x61 < 6 }

  /// The parts between line ends, quotes, tags, cells and columns, without JSON's numbers.
  static func all(of bytes: [UInt8]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    for place in 0...bytes.count where place == bytes.count || isEnd(place, bytes) {
      let part = start..<place
      start = place + 1
      if !part.isEmpty, !isStructure(part, bytes) { parts.append(part) }
    }
    return parts
  }

  private static func isEnd(_ place: Int, _ bytes: [UInt8]) -> Bool {
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    switch bytes[place] {
    case sign: return false
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): return true
    case UInt8(ascii: ","): return next != 0x20
    case 0x20: return next == 0x20
    case let byte: return byte < 0x20
    }
  }

  private static func isStructure(_ part: Range<Int>, _ bytes: [UInt8]) -> Bool {
    ":]}[{(".utf8.contains(bytes[part.lowerBound])
      && bytes[part].allSatisfy { ":[]{}()-.truefalsn0123456789".utf8.contains($0) }
  }
}
