/// An XML file's tags with their attributes; text between them is skipped. It reads files that XML parsers
/// refuse because they reference single surrogates (``CharacterReferences``).
struct XMLTags {
  enum Next {
    /// `<name …>`, or with a slash before the name `</name>`.
    case tag(Tag, offset: Int64)
    /// A tag over the limit was skipped.
    case overlong(offset: Int64)
    case end
  }

  /// Valid until the next call.
  struct Tag {
    var inside: Bytes

    var name: Bytes {
      let start = inside.first == UInt8(ascii: "/") ? 1 : 0
      let end = inside[start...].firstIndex { XMLTags.isSpace($0) || $0 == UInt8(ascii: "/") }
      return inside.first(end ?? inside.count)
    }
    var isClosed: Bool { inside.last == UInt8(ascii: "/") }
  }

  private static let bound = 64 << 20

  private let source: ByteSource
  private var pending = 0

  init(_ source: ByteSource) { self.source = source }

  /// Ignores comments and declarations.
  mutating func next() throws(InterchangeError) -> Next {
    source.consume(pending)
    pending = 0
    while try findOpen() {
      let offset = source.offset
      guard let end = try findClose() else { return .overlong(offset: offset) }
      let inside = Bytes(rebasing: source.buffered[1..<end])
      if let first = inside.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") {
        pending = end + 1
        return .tag(Tag(inside: inside), offset: offset)
      }
      source.consume(end + 1)
    }
    return .end
  }

  mutating func content(before end: StaticString) throws(InterchangeError) -> Bytes? {
    source.consume(pending)
    pending = 0
    var searched = 0
    while true {
      if let found = source.buffered.position(of: end, from: searched) {
        pending = found + end.utf8CodeUnitCount
        return source.buffered.first(found)
      }
      // `end` may cross the end of the buffer.
      searched = max(0, source.buffered.count - end.utf8CodeUnitCount)
      guard source.buffered.count <= Self.bound else { return nil }
      guard try source.fill() else { throw Self.cut }
    }
  }

  private func findOpen() throws(InterchangeError) -> Bool {
    while true {
      if let open = source.buffered.position(of: UInt8(ascii: "<")) {
        source.consume(open)
        return true
      }
      source.consume(source.buffered.count)
      guard try source.fill() else { return false }
    }
  }

  private func findClose() throws(InterchangeError) -> Int? {
    var quote: UInt8?
    var position = 1
    var isPassing = false
    while true {
      let bytes = source.buffered
      while position < bytes.count {
        let byte = bytes[position]
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: ">") {
          guard isPassing else { return position }
          source.consume(position + 1)
          return nil
        }
        position += 1
      }
      if position > Self.bound || isPassing {
        source.consume(position)
        position = 0
        isPassing = true
      }
      guard try source.fill() else { throw Self.cut }
    }
  }

  private static let cut = InterchangeError(
    .unreadable, "cannot read the file further",
    cause: "it ends in the middle of a tag; what came before is kept")

  fileprivate static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

extension XMLTags.Tag {
  func forEachAttribute(_ body: (Bytes, Bytes) -> Void) {
    var position = name.count
    while let equals = inside.position(of: UInt8(ascii: "="), from: position) {
      var start = position
      while start < equals, XMLTags.isSpace(inside[start]) { start += 1 }
      var end = equals
      while end > start, XMLTags.isSpace(inside[end - 1]) { end -= 1 }
      var open = equals + 1
      while open < inside.count, XMLTags.isSpace(inside[open]) { open += 1 }
      guard open < inside.count, inside[open] == UInt8(ascii: "\"") || inside[open] == UInt8(ascii: "'"),
        let close = inside.position(of: inside[open], from: open + 1)
      else { return }
      body(Bytes(rebasing: inside[start..<end]), Bytes(rebasing: inside[(open + 1)..<close]))
      position = close + 1
    }
  }

  static func text(_ value: Bytes) -> String { CharacterReferences.decoded(value, as: .xml) }
}
