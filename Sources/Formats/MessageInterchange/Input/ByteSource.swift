internal import Foundation

/// A producer of bytes: a file, an entry of an archive, memory.
protocol ByteProducer: AnyObject {
  /// Copies the next bytes into `buffer` and returns how many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int

  /// Goes back, so that the last `count` bytes come again; returns whether it can do that.
  func goBack(_ count: Int) -> Bool
}

extension ByteProducer {
  func goBack(_ count: Int) -> Bool { false }
}

/// The bytes of one input, looked at through a buffer that slides over them.
///
/// A reader looks at ``buffered``, asks for more with ``fill()`` and lets go of what it has read with
/// ``consume(_:)``. The buffer grows only while a reader keeps all of it, so its owner bounds the memory.
final class ByteSource {
  private let producer: any ByteProducer
  private var buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  /// The number of bytes let go of: the offset of the first one in ``buffered``.
  private(set) var offset: Int64 = 0
  /// Whether all that is left is in ``buffered``.
  private(set) var isAtEnd = false
  private var failure: InterchangeError?
  /// The offset at which it ends for now, though its producer may have more by then; `nil` to read all there is.
  private var limit: Int64?

  private let capacity: Int

  /// So many bytes of one record are kept without a look at what follows.
  static let patience = 4 << 20

  /// Creates a source over `producer` with a buffer of `capacity` bytes.
  init(_ producer: any ByteProducer, capacity: Int = 1 << 17, endingAt limit: Int64? = nil) {
    self.producer = producer
    self.limit = limit
    self.capacity = capacity
    let memory = malloc(capacity)
    buffer = UnsafeMutableRawBufferPointer(start: memory, count: memory == nil ? 0 : capacity)
  }

  deinit { free(buffer.baseAddress) }

  /// Memory that grows is moved by the C library, which for much of it copies nothing.
  private func resize(to count: Int) throws(InterchangeError) {
    guard let memory = realloc(buffer.baseAddress, count) else {
      throw InterchangeError(
        .inputOutput, "cannot read the file further", cause: "no memory is left for \(count) bytes")
    }
    buffer = UnsafeMutableRawBufferPointer(start: memory, count: count)
  }

  /// The bytes that were read and not let go of. Valid until the next call of a method.
  var buffered: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[start..<end])
  }

  /// Lets go of the first `count` bytes.
  func consume(_ count: Int) {
    assert(count <= end - start, "More bytes were let go of than there are.")
    start += count
    offset += Int64(count)
  }

  /// Reads more bytes behind those that are there; returns whether there were any.
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

  /// Whether it ends for now alone, and is read on later.
  var isReadOn: Bool { limit != nil }

  /// Goes on behind the end that it had come to, up to `limit`.
  func goOn(to limit: Int64) {
    self.limit = limit
    isAtEnd = false
  }

  /// Keeps little memory until more is read.
  func rest() throws(InterchangeError) {
    guard start == end else { return }
    (start, end) = (0, 0)
    try resize(to: min(capacity, Self.restingCapacity))
  }

  private static let restingCapacity = 512

  /// Reads until at least `count` bytes are there or no more can be read, and returns those.
  ///
  /// If reading fails behind some bytes, that is said when more than those are wanted.
  func peek(_ count: Int) throws(InterchangeError) -> UnsafeRawBufferPointer {
    do throws(InterchangeError) {
      while end - start < count, try fill() {}
    } catch {
      guard end > start else { throw error }
      failure = error
    }
    return UnsafeRawBufferPointer(rebasing: buffered.prefix(count))
  }

  /// Looks at what comes behind the bytes that are there, without keeping it.
  ///
  /// - Parameters:
  ///   - limit: About how many bytes to look at.
  ///   - isEnough: Takes the next ones, none at the end; answers whether to stop.
  /// - Returns: Whether `isEnough` said so; `nil`, with nothing looked at, if the source cannot go back.
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

  private func makeRoom() throws(InterchangeError) {
    if start == end {
      start = 0
      end = 0
      // What one long record needed is not kept for the others.
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

/// Bytes that are in memory already.
final class MemoryProducer: ByteProducer {
  private let bytes: [UInt8]
  private var position = 0

  /// Creates a producer of these bytes.
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
