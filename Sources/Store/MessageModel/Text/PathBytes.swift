/// Paths of files, which are bytes, as text.
///
/// File names need not be UTF-8, which a `String` cannot represent. Each invalid byte of a path becomes a
/// private-use character from U+10FE80 on, so that the path can be converted back. It is shown to people as a
/// shell would accept it, `\xff` (``shown(_:)``).
package enum PathBytes {
  private static let first: UInt32 = 0x10_FE00
  private static let range = (first + 0x80)...(first + 0xFF)

  package static func text(_ path: UnsafePointer<CChar>) -> String {
    if let text = String(validatingCString: path), !isEscaped(text) { return text }
    var count = 0
    while path[count] != 0 { count += 1 }
    return UnsafeRawBufferPointer(start: path, count: count).withMemoryRebound(to: UInt8.self) { text($0) }
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    var start = 0
    while start < bytes.count {
      let length = characterLength(bytes[start])
      let end = min(start + length, bytes.count)
      if end == start + length,
        let character = String(validating: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)?
          .unicodeScalars.first, !range.contains(character.value)
      {
        text.append(character)
        start = end
      } else {
        text.append(escape(of: bytes[start]))
        start += 1
      }
    }
    return String(text)
  }

  /// The number of bytes of a character by its first one.
  private static func characterLength(_ byte: UInt8) -> Int {
    switch byte {
    case 0xC0..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0...: 4
    default: 1
    }
  }

  /// ASCII bytes are never escaped.
  private static func escape(of byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(first + UInt32(byte)) ?? "\u{FFFD}"
  }

  /// Calls `body` with the path's bytes for system calls.
  package static func withBytes<Result>(
    of path: String, _ body: (UnsafePointer<CChar>) throws -> Result
  ) rethrows -> Result {
    guard isEscaped(path) else { return try path.withCString(body) }
    var bytes: [CChar] = []
    for scalar in path.unicodeScalars {
      if range.contains(scalar.value) {
        bytes.append(CChar(truncatingIfNeeded: scalar.value - first))
      } else {
        bytes += UTF8.encode(scalar).map { $0.map { CChar(bitPattern: $0) } } ?? []
      }
    }
    bytes.append(0)
    return try bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else {
        preconditionFailure("An array with a zero has no first element.")
      }
      return try body(start)
    }
  }

  /// Whether a path has escaped bytes.
  ///
  /// - Complexity: O(bytes), a few instructions each.
  package static func isEscaped(_ path: String) -> Bool {
    path.utf8.contains(0xF4) && path.unicodeScalars.contains { range.contains($0.value) }
  }

  /// Returns a path, or a text that contains one, for people.
  package static func shown(_ text: String) -> String {
    guard isEscaped(text) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if range.contains(scalar.value) {
        shown += "\\x" + String(scalar.value - first, radix: 16)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
