/// A page's part, in which elements are found by class.
struct HTMLPart {
  let bytes: Bytes
  let end: Int

  init(_ bytes: Bytes, end: Int = 0) {
    self.bytes = bytes
    self.end = end
  }

  var html: String { bytes.string }
  var text: String { HTMLText.plain(html, showsEmoji: true) }

  func tag(at position: Int) -> Bytes {
    let end = bytes.position(of: UInt8(ascii: ">"), from: position) ?? bytes.count
    return Bytes(rebasing: bytes[position..<end])
  }

  func opening(_ words: StaticString) -> Bytes? {
    start(of: words).map { tag(at: $0) }
  }

  func start(of words: StaticString) -> Int? {
    bytes.position(of: words).map { found in bytes[..<found].lastIndex(of: UInt8(ascii: "<")) ?? found }
  }

  /// The first `div` or `span` that has the class, possibly among others.
  func content(of name: StaticString) -> HTMLPart? {
    var position = 0
    while let found = bytes.position(of: name, from: position) {
      position = found + name.utf8CodeUnitCount
      guard found > 0, Self.endsWord(bytes[found - 1]), position < bytes.count, Self.endsWord(bytes[position])
      else {
        continue
      }
      return bytes.position(of: UInt8(ascii: ">"), from: position).map { inside(from: $0 + 1) }
    }
    return nil
  }

  private static func endsWord(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == 0x20 }

  func first(_ name: StaticString, from start: Int = 0, before end: Int = .max) -> HTMLPart? {
    var position = start
    while let found = bytes.position(of: name, from: position), found < end {
      position = found + name.utf8CodeUnitCount
      let isWhole =
        found > 0 && bytes[found - 1] == UInt8(ascii: "\"")
        && position < bytes.count && bytes[position] == UInt8(ascii: "\"")
      guard isWhole else { continue }
      guard let open = bytes.position(of: UInt8(ascii: ">"), from: position) else { return nil }
      return inside(from: open + 1)
    }
    return nil
  }

  private func inside(from start: Int) -> HTMLPart {
    var depth = 1
    var next = start
    while let tag = bytes.position(of: UInt8(ascii: "<"), from: next) {
      if bytes.has("<div", at: tag) || bytes.has("<span", at: tag) { depth += 1 }
      if bytes.has("</div", at: tag) || bytes.has("</span", at: tag) { depth -= 1 }
      if depth == 0 { return HTMLPart(Bytes(rebasing: bytes[start..<tag]), end: tag) }
      next = tag + 1
    }
    return HTMLPart(Bytes(rebasing: bytes[start...]), end: bytes.count)
  }
}

struct HTMLBlock {
  private static let bound = 4 << 20
  /// More than the bytes of a beginning, which may be cut at the end of the buffer.
  private static let tagByteCount = 64

  let bytes: Bytes
  let offset: Int64
  let isLast: Bool

  /// Why its message is not read; `nil` if it is whole.
  var fault: String? {
    if !isLast, bytes.count > Self.bound - Self.tagByteCount {
      return "it is longer than \(Self.bound >> 20) MB"
    }
    return isCut ? "it is cut off" : nil
  }

  /// Whether the file ends within it: its author may be in the rest. A whole block closes what it opens, and
  /// the last one of a whole page closes that, too.
  private var isCut: Bool {
    isLast && bytes.position(of: "</html") == nil && count(of: "<div") > count(of: "</div")
  }

  private func count(of tag: StaticString) -> Int {
    var (count, position) = (0, 0)
    while let found = bytes.position(of: tag, from: position) {
      count += 1
      position = found + 1
    }
    return count
  }

  /// Peeks at the next block; `beginning` finds where the one after it begins. O(bytes of the block).
  init(
    nextOf source: ByteSource, beginning: (Bytes, _ position: Int) -> Int?
  ) throws(InterchangeError) {
    offset = source.offset
    var searched = 1
    while true {
      let buffered = source.buffered
      if let next = beginning(buffered, searched) {
        (bytes, isLast) = (buffered.first(next), false)
        return
      }
      if buffered.count > Self.bound {
        (bytes, isLast) = (buffered.first(buffered.count - Self.tagByteCount), false)
        return
      }
      searched = max(1, buffered.count - Self.tagByteCount)
      if try !source.fill() {
        (bytes, isLast) = (source.buffered, true)
        return
      }
    }
  }
}
