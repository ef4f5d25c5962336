/// Where bytes come from: a file, an entry of an archive, memory.
protocol ByteProducer: AnyObject {
  /// Copies the next bytes into `buffer` and returns how many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int
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
  /// How many bytes were let go of: the offset of the first one in ``buffered``.
  private(set) var offset: Int64 = 0
  /// Whether all that is left is in ``buffered``.
  private(set) var isAtEnd = false
  private var failure: InterchangeError?

  /// Creates a source over `producer` with a buffer of `capacity` bytes.
  init(_ producer: any ByteProducer, capacity: Int = 1 << 17) {
    self.producer = producer
    buffer = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { buffer.deallocate() }

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
    makeRoom()
    let count = try producer.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    end += count
    isAtEnd = count == 0
    return !isAtEnd
  }

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

  private func makeRoom() {
    if start == end {
      start = 0
      end = 0
    } else if end == buffer.count, start >= buffer.count / 2 {
      buffer.copyMemory(from: buffered)
      end -= start
      start = 0
    } else if end == buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
      larger.copyMemory(from: buffered)
      buffer.deallocate()
      buffer = larger
      end -= start
      start = 0
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
