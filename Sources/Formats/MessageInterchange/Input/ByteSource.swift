internal import Foundation

protocol ByteProducer: AnyObject {
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int

  /// Moves back so that the next read repeats the last `count` bytes; returns `false` if it cannot.
  func goBack(_ count: Int) -> Bool
}

extension ByteProducer {
  func goBack(_ count: Int) -> Bool { false }
}

/// The bytes of one input: a reader looks at ``buffered``, reads more with ``fill()`` and drops what it has
/// read with ``consume(_:)``. The buffer grows only while a reader keeps all of it, so the reader bounds the
/// memory.
final class ByteSource {
  private let producer: any ByteProducer
  private var buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private(set) var offset: Int64 = 0
  private(set) var isAtEnd = false
  private var failure: InterchangeError?
  /// The offset at which reading stops for now, though the producer may have more; `nil` to read everything.
  private var limit: Int64?

  private let capacity: Int

  /// The bytes of one record that are buffered before looking ahead for its end.
  static let patience = 4 << 20

  init(_ producer: any ByteProducer, capacity: Int = 1 << 17, endingAt limit: Int64? = nil) {
    self.producer = producer
    self.limit = limit
    self.capacity = capacity
    let memory = malloc(capacity)
    buffer = UnsafeMutableRawBufferPointer(start: memory, count: memory == nil ? 0 : capacity)
  }

  deinit { free(buffer.baseAddress) }

  /// `realloc` moves large blocks without copying most of them.
  private func resize(to count: Int) throws(InterchangeError) {
    guard let memory = realloc(buffer.baseAddress, count) else {
      throw InterchangeError(
        .inputOutput, "cannot read the file further", cause: "no memory is left for \(count) bytes")
    }
    buffer = UnsafeMutableRawBufferPointer(start: memory, count: count)
  }

  var buffered: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[start..<end])
  }

  func consume(_ count: Int) {
    assert(count <= end - start, "More bytes were let go of than there are.")
    start += count
    offset += Int64(count)
  }

  func fill() throws(InterchangeError) -> Bool {
    if let failure { throw failure }
    guard !isAtEnd else { return false }
    try makeRoom()
    let left = limit.map { Int(clamping: max($0 - offset - Int64(end - start), 0)) } ?? .max
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[end...].prefix(left))
    let count = room.isEmpty ? 0 : try producer.read(into: room)
    end += count
    isAtEnd = count == 0
    return !isAtEnd
  }

  /// Whether the input stops at a limit for now and is continued later.
  var isReadOn: Bool { limit != nil }

  func goOn(to limit: Int64) {
    self.limit = limit
    isAtEnd = false
  }

  func rest() throws(InterchangeError) {
    guard start == end else { return }
    (start, end) = (0, 0)
    try resize(to: min(capacity, Self.restingCapacity))
  }

  private static let restingCapacity = 512

  /// Reads until at least `count` bytes are buffered or the input ends, and returns them. A failure after
  /// some bytes is thrown only by the next call that needs more.
  func peek(_ count: Int) throws(InterchangeError) -> UnsafeRawBufferPointer {
    do throws(InterchangeError) {
      while end - start < count, try fill() {}
    } catch {
      guard end > start else { throw error }
      failure = error
    }
    return UnsafeRawBufferPointer(rebasing: buffered.prefix(count))
  }

  /// Reads about `limit` bytes ahead, without keeping them, until `isEnough` is `true` for the next bytes
  /// (none at the end). Returns whether it was; `nil`, with nothing read, if the source cannot go back.
  func lookAhead(_ limit: Int, until isEnough: (UnsafeRawBufferPointer) -> Bool) throws(InterchangeError)
    -> Bool?
  {
    guard failure == nil, !isAtEnd, producer.goBack(0) else { return nil }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    var (seen, isFound) = (0, false)
    while seen <= limit, !isFound {
      let count = try producer.read(into: piece)
      seen += count
      isFound = isEnough(UnsafeRawBufferPointer(rebasing: piece[..<count])) || count == 0
    }
    guard producer.goBack(seen) else {
      throw InterchangeError(.inputOutput, "cannot read the file further", cause: "it cannot be read again")
    }
    return isFound
  }

  /// Shows `isEnough` the bytes from here on, without consuming them, until it is `true` or the input ends.
  ///
  /// Of a file that can go back, up to `limit` bytes are read and none kept. Those of any other are kept for
  /// the reader, so that it is shown at most ``mostKeptAhead``.
  func survey(_ limit: Int, until isEnough: (UnsafeRawBufferPointer) -> Bool) throws(InterchangeError) {
    guard !isEnough(buffered), try lookAhead(limit, until: isEnough) == nil else { return }
    var seen = end - start
    while seen < Self.mostKeptAhead {
      let bytes = try peek(seen + Self.surveyedAtOnce)
      guard bytes.count > seen, !isEnough(UnsafeRawBufferPointer(rebasing: bytes[seen...])) else { return }
      seen = bytes.count
    }
  }

  private static let mostKeptAhead = 6 << 20
  private static let surveyedAtOnce = 1 << 17

  private func makeRoom() throws(InterchangeError) {
    if start == end {
      start = 0
      end = 0
      // The memory that one long record needed is not kept for the others.
      if buffer.count != capacity { try resize(to: capacity) }
    } else if end == buffer.count, start >= buffer.count / 2 {
      buffer.copyMemory(from: buffered)
      end -= start
      start = 0
    } else if end == buffer.count {
      try resize(to: buffer.count * 2)
    }
  }
}

final class MemoryProducer: ByteProducer {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
    }
    position += count
    return count
  }
}

/// Converts UTF-16, of spreadsheets and Windows programs; a lone surrogate or odd last byte becomes U+FFFD.
final class UTF16Producer: ByteProducer {
  private let source: ByteSource
  private let isLittleEndian: Bool
  private var high: UInt32?
  private var output: [UInt8] = []
  private var givenCount = 0

  init?(_ source: ByteSource) throws(InterchangeError) {
    let start = try source.peek(4)
    guard start.count >= 2 else { return nil }
    switch (start[0], start[1]) {
    // Two zero bytes after it make it the mark of UTF-32.
    case (0xFF, 0xFE) where start.count < 4 || start[2] != 0 || start[3] != 0: isLittleEndian = true
    case (0xFE, 0xFF): isLittleEndian = false
    default: return nil
    }
    self.source = source
    source.consume(2)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int {
    if givenCount == output.count { try decodeMore() }
    let count = min(buffer.count, output.count - givenCount)
    output.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[givenCount..<givenCount + count]))
    }
    givenCount += count
    return count
  }

  private func decodeMore() throws(InterchangeError) {
    output.removeAll(keepingCapacity: true)
    givenCount = 0
    while output.isEmpty {
      if source.buffered.count < 2, try !source.fill() { return finish() }
      let bytes = source.buffered
      for position in stride(from: 0, to: bytes.count - 1, by: 2) {
        let (first, second) = (UInt32(bytes[position]), UInt32(bytes[position + 1]))
        take(isLittleEndian ? second << 8 | first : first << 8 | second)
      }
      source.consume(bytes.count & ~1)
    }
  }

  private func take(_ unit: UInt32) {
    if let first = high {
      high = nil
      if (0xDC00...0xDFFF).contains(unit) {
        return append(0x10000 + (first - 0xD800) << 10 + (unit - 0xDC00))
      }
      append(0xFFFD)
    }
    if (0xD800...0xDBFF).contains(unit) { high = unit } else { append(unit) }
  }

  private func append(_ value: UInt32) {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private func finish() {
    if high != nil || !source.buffered.isEmpty { append(0xFFFD) }
    high = nil
    source.consume(source.buffered.count)
  }
}
