internal import MessageModel

/// A file that grows, as it is open: under its name there may be another one by now.
package struct OpenFile {
  private let producer: FileProducer

  init(_ producer: FileProducer) { self.producer = producer }

  /// Opens the file at a path.
  ///
  /// - Throws: ``InterchangeError`` if it cannot be read.
  package init(path: String) throws(InterchangeError) { producer = try FileProducer(path: path) }

  /// The number of bytes that it has by now.
  package var byteCount: Int64 { producer.presentByteCount ?? 0 }

  /// Whether it is a database of SQLite.
  package var isDatabase: Bool { bytes(at: 0, count: SQLiteFile.magic.count) == SQLiteFile.magic }

  /// Whether it is an archive, or compressed.
  package var isArchive: Bool {
    let start = bytes(at: 0, count: FileKind.sampleByteCount)
    guard case .archive = start.withUnsafeBytes(FileKind.init) else { return false }
    return true
  }

  private static let pieceByteCount = 1 << 16

  /// Returns the bytes at an offset, at most `count`.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] { producer.bytes(at: offset, count: count) }

  /// Returns the offset behind the last end of a line.
  ///
  /// - Parameter start: Where a line begins; there is nothing to be found before it.
  /// - Complexity: O(bytes behind it).
  package func endOfLines(from start: Int64) -> Int64 {
    var end = byteCount
    while end > start {
      let first = max(start, end - Int64(Self.pieceByteCount))
      let piece = bytes(at: first, count: Int(end - first))
      if let place = piece.lastIndex(of: 0x0A) { return first + Int64(place) + 1 }
      // It may have been cut meanwhile.
      end = first
    }
    return start
  }

  /// Whether what stands behind the last end of a line is whole, so that nothing more of it can come: an object of JSON.
  package func hasWholeLine(from start: Int64) -> Bool {
    let count = byteCount - start
    guard count > 0, count <= Self.longestWholeLine else { return false }
    let line = bytes(at: start, count: Int(count))
    guard line.count == count, line.first == UInt8(ascii: "{") else { return false }
    return line.withUnsafeBytes { UTF8Check.isValid($0) && (try? JSONFields.reading($0)) != nil }
  }

  private static let longestWholeLine: Int64 = 16 << 20
}
