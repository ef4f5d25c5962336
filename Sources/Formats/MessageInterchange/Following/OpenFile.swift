internal import MessageModel

/// An open file that grows; its path may lead to another one by now.
package struct OpenFile {
  private let producer: FileProducer

  init(_ producer: FileProducer) { self.producer = producer }

  package init(path: String) throws(InterchangeError) { producer = try FileProducer(path: path) }

  /// Its current size.
  package var byteCount: Int64 { producer.presentByteCount ?? 0 }

  /// Whether it is an SQLite database.
  package var isDatabase: Bool { bytes(at: 0, count: SQLiteFile.magic.count) == SQLiteFile.magic }

  /// Whether it is an archive or compressed.
  package var isArchive: Bool {
    let start = bytes(at: 0, count: FileKind.sampleByteCount)
    guard case .archive = start.withUnsafeBytes(FileKind.init) else { return false }
    return true
  }

  private static let pieceByteCount = 1 << 16

  /// At most `count` bytes at an offset.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] { producer.bytes(at: offset, count: count) }

  /// The offset after the last line end.
  ///
  /// - Parameter start: The beginning of a line, returned if no line ends after it.
  /// - Complexity: O(bytes after the last line end).
  package func endOfLines(from start: Int64) -> Int64 {
    var end = byteCount
    while end > start {
      let first = max(start, end - Int64(Self.pieceByteCount))
      let piece = bytes(at: first, count: Int(end - first))
      if let place = piece.lastIndex(of: 0x0A) { return first + Int64(place) + 1 }
      end = first
    }
    return start
  }

  /// Whether the text after the last line end is a complete JSON object.
  package func hasWholeLine(from start: Int64) -> Bool {
    let count = byteCount - start
    guard count > 0, count <= Self.longestWholeLine else { return false }
    let line = bytes(at: start, count: Int(count))
    guard line.count == count, line.first == UInt8(ascii: "{") else { return false }
    return line.withUnsafeBytes { UTF8Check.isValid($0) && (try? JSONFields.reading($0)) != nil }
  }

  private static let longestWholeLine: Int64 = 16 << 20
}

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
