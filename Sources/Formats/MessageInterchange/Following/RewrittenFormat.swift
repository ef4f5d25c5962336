/// A format of sessions that their program rewrites as a whole at each change, as a JSON document or JSON
/// Lines.
///
/// Such a file is read as soon as its brackets are balanced, without waiting until it rests.
protocol RewrittenFormat: ImportFormat {}

extension OpenFile {
  private static let lookedAtOnce = 1 << 16

  /// Whether all JSON objects and lists are closed, so that the program has finished writing.
  ///
  /// - Complexity: O(bytes).
  package var isWholeJSON: Bool {
    var ends = JSONEnds()
    var offset: Int64 = 0
    let end = byteCount
    while offset < end {
      let piece = bytes(at: offset, count: Int(min(Int64(Self.lookedAtOnce), end - offset)))
      guard !piece.isEmpty else { return false }
      piece.withUnsafeBytes { ends.take($0) }
      offset += Int64(piece.count)
    }
    return ends.areAllThere
  }
}

struct JSONEnds {
  private var depth = 0
  private var string = JSONStringState()
  private var hasValue = false

  var areAllThere: Bool { hasValue && depth == 0 && !string.isOpen }

  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      if string.isOpen {
        _ = string.ends(with: byte)
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): string.open()
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        hasValue = true
      default: continue
      }
    }
  }
}
