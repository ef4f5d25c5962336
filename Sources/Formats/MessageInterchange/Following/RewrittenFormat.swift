/// A format of sessions that their program writes anew, as a whole, at each change: JSON, be it one document or an object a line.
///
/// Such a file is read as soon as it is whole, which its brackets tell, and need not have rested.
protocol RewrittenFormat: ImportFormat {}

extension OpenFile {
  private static let lookedAtOnce = 1 << 16

  /// Whether all objects and lists of JSON that begin in it also end in it, so that its program has written all of it.
  ///
  /// - Complexity: O(bytes).
  package var isWholeJSON: Bool {
    var ends = JSONEnds()
    var offset: Int64 = 0
    let end = byteCount
    while offset < end {
      let piece = bytes(at: offset, count: Int(min(Int64(Self.lookedAtOnce), end - offset)))
      // It was cut meanwhile.
      guard !piece.isEmpty else { return false }
      piece.withUnsafeBytes { ends.take($0) }
      offset += Int64(piece.count)
    }
    return ends.areAllThere
  }
}

/// The objects and lists of JSON that are open, piece by piece of its bytes.
struct JSONEnds {
  private var depth = 0
  private var string = JSONStringState()
  private var hasValue = false

  /// Whether there was an object or a list, and none is open.
  var areAllThere: Bool { hasValue && depth == 0 && !string.isOpen }

  /// Looks at the next bytes.
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
