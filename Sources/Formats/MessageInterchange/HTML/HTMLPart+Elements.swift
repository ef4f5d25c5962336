/// An element of a page: its opening tag, and what is in it.
struct HTMLElement {
  /// From `<` up to `>`, without it.
  let tag: Bytes
  let content: HTMLPart
  /// Where the element stands in its part, with its tags.
  let range: Range<Int>

  var html: String { content.html }
  var text: String { HTMLText.plain(html, showsEmoji: true) }
}

extension HTMLPart {
  /// The first element that has the class, possibly among others, at or after a position.
  func element(of name: StaticString, from start: Int = 0) -> HTMLElement? {
    var position = start
    while let open = bytes.position(of: UInt8(ascii: "<"), from: position) {
      let tag = tag(at: open)
      if Self.hasClass(name, tag) { return element(at: open) }
      position = open + max(tag.count, 1)
    }
    return nil
  }

  /// The first element with a name, as `<q`, at or after a position.
  func element(named name: StaticString, from start: Int = 0) -> HTMLElement? {
    var position = start
    while let open = bytes.position(of: name, from: position) {
      position = open + name.utf8CodeUnitCount
      if position < bytes.count, !Self.isOfName(bytes[position]) { return element(at: open) }
    }
    return nil
  }

  private static func hasClass(_ name: StaticString, _ tag: Bytes) -> Bool {
    guard tag.position(of: name) != nil, let classes = HTMLText.attribute(" class=", of: tag) else {
      return false
    }
    return classes.split(separator: " ").contains { $0 == "\(name)" }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }

  /// O(bytes of the element).
  private func element(at open: Int) -> HTMLElement {
    let tag = tag(at: open)
    let start = min(open + tag.count + 1, bytes.count)
    let name = tag.dropFirst().prefix { Self.isOfName($0) }
    var depth = 1
    var next = start
    while let inner = bytes.position(of: UInt8(ascii: "<"), from: next) {
      next = inner + 1
      let isClosing = next < bytes.count && bytes[next] == UInt8(ascii: "/")
      let word = bytes[(next + (isClosing ? 1 : 0))...].prefix { Self.isOfName($0) }
      guard word.elementsEqual(name) else { continue }
      depth += isClosing ? -1 : 1
      if depth == 0 {
        let end = bytes.position(of: UInt8(ascii: ">"), from: inner).map { $0 + 1 } ?? bytes.count
        return HTMLElement(
          tag: tag, content: HTMLPart(Bytes(rebasing: bytes[start..<inner]), end: inner), range: open..<end)
      }
    }
    return HTMLElement(
      tag: tag, content: HTMLPart(Bytes(rebasing: bytes[start...]), end: bytes.count),
      range: open..<bytes.count)
  }
}
