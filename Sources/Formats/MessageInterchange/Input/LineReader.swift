internal import Foundation

/// Reads the lines of a file as bytes, at bounded memory.
///
/// It throws ``InterchangeError`` if the file cannot be read further.
public struct LineReader {
  /// A line, or the end of the file.
  public enum Next {
    /// A line without its end (LF or CRLF), valid until the next call of the reader.
    case line(UnsafeRawBufferPointer)
    /// A line over the limit was skipped; only its beginning is returned.
    case overlong(start: [UInt8])
    /// The end of the file.
    case end
  }

  static let bound = 64 << 20
  /// Why a longer line is skipped.
  public static let overlong = "the line is longer than \(bound >> 20) MB"

  private let source: ByteSource
  private let bound: Int
  private var pending = 0
  /// The number of the last line returned, from 1.
  public private(set) var number = 0
  /// Whether the last line returned has no line end: it is the last one of its source.
  private(set) var isUnended = false

  /// Creates a reader of the lines of `file`.
  public init(_ file: InputFile) { self.init(file.source) }

  init(_ source: ByteSource, bound: Int = LineReader.bound) {
    self.source = source
    self.bound = bound
  }

  /// Reads the next line.
  ///
  /// - Complexity: O(length of the line); each byte is looked at once.
  public mutating func next() throws(InterchangeError) -> Next {
    source.consume(pending)
    pending = 0
    var searched = 0
    while true {
      let bytes = source.buffered
      if let end = Self.lineFeed(in: bytes, from: searched) {
        pending = end + 1
        return line(bytes, count: end)
      }
      if try isTooLong(bytes.count, searched) { return try passOver() }
      searched = bytes.count
      guard try source.fill() else {
        if searched == 0 { return .end }
        pending = searched
        isUnended = true
        return line(source.buffered, count: searched)
      }
    }
  }

  /// Whether an incomplete line of `count` bytes exceeds the bound. Beyond ``ByteSource/patience`` it looks
  /// ahead for the end, so that a line which is too long need not be buffered.
  private func isTooLong(_ count: Int, _ lastCount: Int) throws(InterchangeError) -> Bool {
    if count > bound { return true }
    guard count > ByteSource.patience, lastCount <= ByteSource.patience else { return false }
    let ends = try source.lookAhead(bound - count) { Self.lineFeed(in: $0, from: 0) != nil }
    return ends == false
  }

  /// Puts the last line back, so that the next call returns it again.
  public mutating func putBack() {
    pending = 0
    number -= 1
  }

  private mutating func line(_ bytes: UnsafeRawBufferPointer, count: Int) -> Next {
    number += 1
    let hasReturn = count > 0 && bytes[count - 1] == 0x0D
    return .line(UnsafeRawBufferPointer(rebasing: bytes[..<(hasReturn ? count - 1 : count)]))
  }

  private mutating func passOver() throws(InterchangeError) -> Next {
    number += 1
    let start = Array(source.buffered.prefix(200))
    var isComplete = false
    while !isComplete {
      if let end = Self.lineFeed(in: source.buffered, from: 0) {
        source.consume(end + 1)
        isComplete = true
      } else {
        source.consume(source.buffered.count)
        isComplete = try !source.fill()
      }
    }
    return .overlong(start: start)
  }

  private static func lineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}

extension LineReader {
  /// Returns the next line within the bound and reports longer ones; `nil` at the end.
  mutating func next(reportingTo sink: inout RecordSink) throws(InterchangeError) -> Bytes? {
    while true {
      switch try next() {
      case .line(let line): return line
      case .overlong(let start):
        start.withUnsafeBytes { sink.skip(line: number, reason: Self.overlong, record: $0) }
      case .end: return nil
      }
    }
  }
}
