internal import MessageModel

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

final class FileProducer: ByteProducer {
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private let path: String
  let byteCount: Int64?
  private(set) var position: Int64 = 0
  /// Capped at the file's size, since archives are not read from front to back.
  var doneByteCount: Int64 { min(readByteCount, byteCount ?? readByteCount) }
  private var readByteCount: Int64 = 0

  init(path: String) throws(InterchangeError) {
    descriptor = PathBytes.withBytes(of: path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw InterchangeError(errno: errno, reading: path) }
    self.path = path
    ownsDescriptor = true
    byteCount = Self.size(of: descriptor)
  }

  /// The caller keeps the descriptor.
  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    path = name
    ownsDescriptor = false
    byteCount = Self.size(of: descriptor)
  }

  deinit {
    if ownsDescriptor { close(descriptor) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InterchangeError) -> Int {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, min(buffer.count, 1 << 18))
      #else
        let count = Darwin.read(descriptor, buffer.baseAddress, min(buffer.count, 1 << 18))
      #endif
      if count >= 0 {
        position += Int64(count)
        readByteCount += Int64(count)
        return count
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilReadable(descriptor)
      case let number: throw InterchangeError(errno: number, reading: path)
      }
    }
  }

  func seek(to offset: Int64) -> Bool {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { return false }
    position = offset
    return true
  }

  func goBack(_ count: Int) -> Bool {
    guard byteCount != nil, lseek(descriptor, off_t(-count), SEEK_CUR) >= 0 else { return false }
    position -= Int64(count)
    readByteCount -= Int64(count)
    return true
  }

  var presentByteCount: Int64? { Self.size(of: descriptor) }

  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(pread(descriptor, buffer.baseAddress, count, off_t(offset)), 0)
    }
  }

  private static func size(of descriptor: Int32) -> Int64? {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(facts.st_size)
  }
}

/// Waits until a descriptor is readable or has ended. Another program that shares it may have made it
/// non-blocking.
package func waitUntilReadable(_ descriptor: Int32) {
  var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  poll(&ready, 1, -1)
}
