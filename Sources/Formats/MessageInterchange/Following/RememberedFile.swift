internal import Foundation
internal import MessageModel

/// A file that was read, as it is remembered between runs.
package struct RememberedFile: Hashable, Sendable {
  /// Its attributes when it was read.
  package var facts: FileFacts
  /// The fingerprint of a file that lines are appended to.
  package var mark: FileMark?
  /// The path of the log that was rotated to this file; `nil` for other files.
  package var log: String?

  /// Creates the record of a file.
  package init(_ facts: FileFacts, mark: FileMark? = nil, log: String? = nil) {
    (self.facts, self.mark, self.log) = (facts, mark, log)
  }
}

extension RememberedFile: LosslessStringConvertible {
  /// Parses ``description``, also that of earlier versions, which only contained the attributes.
  package init?(_ description: String) {
    let words = description.split(separator: " ", maxSplits: 9)
    guard words.count >= 6, let facts = FileFacts(words[..<6].joined(separator: " ")) else { return nil }
    self.facts = facts
    if words.count >= 9 { mark = FileMark(words[6..<9].joined(separator: " ")) }
    if words.count == 10 { log = String(words[9]) }
  }

  package var description: String {
    let mark = mark?.description ?? (log == nil ? nil : "0 0 0")
    return [facts.description, mark, log].compactMap { $0 }.joined(separator: " ")
  }
}

/// The attributes that show whether a file changed since it was read.
package struct FileFacts: Hashable, Sendable, LosslessStringConvertible {
  /// The device; with ``number`` it identifies the file under any name.
  package var device: Int64
  package var number: Int64
  package var byteCount: Int64
  /// The last change, in nanoseconds since 1970.
  package var changedAt: Int64
  /// Size and last change of a database's log; 0 without one.
  package var logByteCount: Int64 = 0
  package var logChangedAt: Int64 = 0

  /// Returns `nil` if there is no regular file. `hasLog`: it is a database, whose newest rows may be in a
  /// log.
  package init?(of path: String, hasLog: Bool = false) {
    guard let facts = Self.look(at: path) else { return nil }
    device = Int64(truncatingIfNeeded: facts.st_dev)
    number = Int64(truncatingIfNeeded: facts.st_ino)
    byteCount = Int64(facts.st_size)
    changedAt = Self.changedAt(facts)
    guard hasLog, let log = Self.look(at: path + "-wal") ?? Self.look(at: path + "-journal") else { return }
    logByteCount = Int64(log.st_size)
    logChangedAt = Self.changedAt(log)
  }

  /// Parses ``description``.
  package init?(_ description: String) {
    let numbers = description.split(separator: " ").map { Int64($0) }
    guard numbers.count == 6, let device = numbers[0], let number = numbers[1], let byteCount = numbers[2],
      let changedAt = numbers[3], let logByteCount = numbers[4], let logChangedAt = numbers[5]
    else { return nil }
    self.device = device
    self.number = number
    self.byteCount = byteCount
    self.changedAt = changedAt
    self.logByteCount = logByteCount
    self.logChangedAt = logChangedAt
  }

  package var description: String {
    "\(device) \(number) \(byteCount) \(changedAt) \(logByteCount) \(logChangedAt)"
  }

  /// Whether both describe the same file, which may have changed.
  package func isSameFile(as other: FileFacts) -> Bool { device == other.device && number == other.number }

  private static func look(at path: String) -> stat? {
    var facts = stat()
    guard PathBytes.withBytes(of: path, { stat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return facts
  }

  static func changedAt(_ facts: stat) -> Int64 {
    #if canImport(Glibc)
      Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
    #else
      Int64(facts.st_mtimespec.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtimespec.tv_nsec)
    #endif
  }
}

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
