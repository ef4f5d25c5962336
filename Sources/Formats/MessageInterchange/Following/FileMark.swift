internal import MessageModel

/// A fingerprint that recognises a log under another name: how far it was read, its first bytes, and the last
/// ones read.
package struct FileMark: Hashable, Sendable {
  /// The number of bytes read.
  package let byteCount: Int64
  private let head: UInt64
  private let end: UInt64

  private static let pieceByteCount: Int64 = 256

  /// Describes a file that was read up to an offset; `nil` at offset 0.
  package init?(of file: OpenFile, upTo byteCount: Int64) {
    guard byteCount > 0 else { return nil }
    self.byteCount = byteCount
    head = Self.headHash(of: file, byteCount)
    end = Self.endHash(of: file, byteCount)
  }

  /// Whether a file begins with the bytes that were read.
  package func isBeginning(of file: OpenFile) -> Bool {
    file.byteCount >= byteCount && hasSameHead(as: file) && Self.endHash(of: file, byteCount) == end
  }

  /// Whether a file has the same first bytes.
  package func hasSameHead(as file: OpenFile) -> Bool { Self.headHash(of: file, byteCount) == head }

  /// Also looks into a compressed file: O(bytes that were read) if its first bytes match.
  func isBeginning(ofFileAt path: String) -> Bool {
    guard let producer = try? FileProducer(path: path) else { return false }
    let source = ByteSource(producer)
    guard let start = try? source.peek(FileKind.sampleByteCount), case .archive = FileKind(start) else {
      return isBeginning(of: OpenFile(producer))
    }
    guard producer.seek(to: 0), let archive = try? ArchiveReader(producer, name: path),
      let entry = try? archive.next(), entry.path == nil
    else { return false }
    return (try? isBeginning(of: ArchiveEntryProducer(archive))) ?? false
  }

  private func isBeginning(of content: ArchiveEntryProducer) throws(InterchangeError) -> Bool {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    var (head, end) = (FNVHash.start, FNVHash.start)
    let headEnd = min(byteCount, Self.pieceByteCount)
    let endStart = max(byteCount - Self.pieceByteCount, 0)
    var offset: Int64 = 0
    while offset < byteCount {
      let count = try content.read(into: piece)
      guard count > 0 else { return false }
      let read = offset..<offset + Int64(count)
      func add(_ wanted: Range<Int64>, to hash: inout UInt64) {
        let part = wanted.clamped(to: read)
        let bytes = piece[Int(part.lowerBound - offset)..<Int(part.upperBound - offset)]
        hash = FNVHash.of(UnsafeRawBufferPointer(rebasing: bytes), after: hash)
      }
      add(0..<headEnd, to: &head)
      add(endStart..<byteCount, to: &end)
      offset = read.upperBound
      if offset >= headEnd, head != self.head { return false }
    }
    return end == self.end
  }

  private static func headHash(of file: OpenFile, _ byteCount: Int64) -> UInt64 {
    hash(file.bytes(at: 0, count: Int(min(byteCount, pieceByteCount))))
  }

  private static func endHash(of file: OpenFile, _ byteCount: Int64) -> UInt64 {
    let start = max(byteCount - pieceByteCount, 0)
    return hash(file.bytes(at: start, count: Int(byteCount - start)))
  }

  private static func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { FNVHash.of($0) } }
}

extension FileMark: LosslessStringConvertible {
  /// Parses ``description``.
  package init?(_ description: String) {
    let words = description.split(separator: " ")
    guard words.count == 3, let byteCount = Int64(words[0]), byteCount > 0,
      let head = UInt64(words[1], radix: 16), let end = UInt64(words[2], radix: 16)
    else { return nil }
    (self.byteCount, self.head, self.end) = (byteCount, head, end)
  }

  package var description: String {
    "\(byteCount) \(String(head, radix: 16)) \(String(end, radix: 16))"
  }
}
