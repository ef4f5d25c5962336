/// The normalised forms in which texts are searched: NFKC, without invisible characters, with escapes and
/// Base64 decoded; and the same without markup. Escapes may be nested: a text is decoded until nothing
/// changes, at most ``depth`` times.
enum NormalForm {
  /// The most levels of decoding.
  static let depth = 4

  /// Calls `body` with each form except the text itself, and whether markup between adjacent letters was
  /// removed; returns the parts that are encoded deeper than `depth`, which is one more if a format escapes
  /// texts that were checked before. O(bytes) per level of encoding.
  static func each(
    of original: UnsafeBufferPointer<UInt8>, depth: Int = depth,
    _ body: (NormalText, _ isUnmarked: Bool) -> Void
  ) -> [Range<Int>] {
    guard !isPlain(original) else { return [] }
    var text = NormalText(original)
    give(text, isNew: false, body)
    var unread: [Range<Int>] = []
    for _ in 0..<depth {
      let isChanged = decode(&text, body, &unread)
      guard isChanged else { return unread }
    }
    if let last = Escapes.decoded(text) {
      text = UnicodeForm.composed(last) ?? last
      give(text, isNew: true, body)
    }
    unread += Escapes.places(in: text).map(text.origin)
    unread += Base64Text.places(in: text).map(text.origin)
    return unread
  }

  private static func decode(
    _ text: inout NormalText, _ body: (NormalText, Bool) -> Void, _ unread: inout [Range<Int>]
  ) -> Bool {
    var isChanged = false
    if let decoded = Escapes.decoded(text) { (text, isChanged) = (decoded, true) }
    if let composed = UnicodeForm.composed(text) { (text, isChanged) = (composed, true) }
    if isChanged { give(text, isNew: true, body) }
    unread += Base64Text.longPlaces(in: text).map(text.origin)
    if let decoded = Base64Text.decoded(text) {
      (text, isChanged) = (decoded, true)
      give(text, isNew: true, body)
    }
    return isChanged
  }

  private static func give(_ text: NormalText, isNew: Bool, _ body: (NormalText, Bool) -> Void) {
    if isNew { body(text, false) }
    if let unmarked = Marks.removed(from: text) { body(unmarked, true) }
  }

  /// Keeps the length: invalid UTF-8 becomes U+001A.
  static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var valid = bytes
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var place = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): place += scalar.count
      case .error(let length):
        for wrong in place..<min(place + length, valid.count) { valid[wrong] = 0x1A }
        place += length
      case .emptyInput: return String(decoding: valid, as: UTF8.self)
      }
    }
  }

  /// A name for comparison: composed, without invisible characters, lowercased.
  static func folded(_ name: String) -> String {
    var name = name
    let composed = name.withUTF8 {
      UnicodeForm.composed(NormalText($0)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    return (composed ?? name).lowercased()
  }

  static func composed(_ word: String) -> String {
    var word = word
    let composed = word.withUTF8 {
      UnicodeForm.composed(NormalText($0)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    return composed ?? word
  }

  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    while place < bytes.count {
      let kind = kinds[Int(bytes[place])]
      guard kind != .sign else { return false }
      guard kind == .letter else {
        place += 1
        continue
      }
      let start = place
      while place < bytes.count, kinds[Int(bytes[place])] == .letter { place += 1 }
      if Base64Text.mayBe(start..<place, in: bytes) { return false }
    }
    return true
  }

  private enum Kind: UInt8 {
    /// `letter` occurs in Base64, `sign` may begin an escape or a mark.
    case other, letter, sign
  }

  private static let kinds: [Kind] = (UInt8.min...UInt8.max).map { byte in
    if Base64Text.isLetter(byte), byte != UInt8(ascii: "_"), byte != UInt8(ascii: "+") { return .letter }
    let isPlain = (0x20..<0x7F).contains(byte) || byte == UInt8(ascii: "\t")
    return isPlain && !Escapes.begins(with: byte) && !Marks.isMark(byte) ? .other : .sign
  }
}

/// A normalised text in UTF-8 with the bytes of the original for each byte.
struct NormalText {
  private struct Origin {
    var start: UInt32
    var end: UInt32
  }

  private(set) var bytes: [UInt8] = []
  private var origins: [Origin] = []

  init(_ original: UnsafeBufferPointer<UInt8>) {
    bytes = Array(original)
    origins = (0..<UInt32(clamping: original.count)).map { Origin(start: $0, end: $0 + 1) }
  }

  init(reserving count: Int) {
    bytes.reserveCapacity(count)
    origins.reserveCapacity(count)
  }

  /// `range` must not be empty.
  func origin(of range: Range<Int>) -> Range<Int> {
    Int(origins[range.lowerBound].start)..<Int(origins[range.upperBound - 1].end)
  }

  func start(of place: Int) -> Int { Int(origins[place].start) }

  mutating func append(_ range: Range<Int>, of other: NormalText) {
    bytes += other.bytes[range]
    origins += other.origins[range]
  }

  mutating func append(_ meaning: some Sequence<UInt8>, for range: Range<Int>, of other: NormalText) {
    let origin = Origin(
      start: other.origins[range.lowerBound].start, end: other.origins[range.upperBound - 1].end)
    for byte in meaning {
      bytes.append(byte)
      origins.append(origin)
    }
  }

  mutating func removeLast(_ count: Int) {
    bytes.removeLast(count)
    origins.removeLast(count)
  }
}
