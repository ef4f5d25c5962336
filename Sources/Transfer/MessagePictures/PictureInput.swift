internal import Foundation
internal import MessageModel

/// The bytes of a picture, read piece by piece from where they are; a whole file is never held.
final class PictureInput {
  private enum Content {
    case bytes([UInt8])
    case descriptor(Int32)
  }

  private let content: Content
  /// The number of bytes.
  let byteCount: Int

  /// Opens a picture.
  ///
  /// - Throws: ``/MessageModel/PictureRefusal/unreadable`` if there is no regular file that can be read.
  init(_ source: PictureSource) throws(PictureRefusal) {
    switch source {
    case .bytes(let bytes):
      content = .bytes(bytes)
      byteCount = bytes.count
    case .file(let path):
      // A pipe or a device must not be waited for.
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw .unreadable }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw .unreadable
      }
      content = .descriptor(descriptor)
      byteCount = Int(status.st_size)
    }
  }

  deinit {
    if case .descriptor(let descriptor) = content { close(descriptor) }
  }

  /// Reads bytes from a place on and returns how many: 0 at the end, `nil` if reading failed.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard offset >= 0, let start = buffer.baseAddress else { return 0 }
    switch content {
    case .bytes(let bytes):
      guard offset < bytes.count else { return 0 }
      let piece = bytes[offset..<min(bytes.count, offset + buffer.count)]
      piece.withUnsafeBytes { buffer.copyMemory(from: $0) }
      return piece.count
    case .descriptor(let descriptor):
      while true {
        let count = pread(descriptor, start, buffer.count, off_t(offset))
        if count >= 0 { return count }
        guard errno == EINTR else { return nil }
      }
    }
  }

  /// Returns bytes from a place on: fewer at the end, none if reading failed.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        guard let got = read(at: offset + filled, into: rest), got > 0 else { return }
        filled += got
      }
    }
  }
}
