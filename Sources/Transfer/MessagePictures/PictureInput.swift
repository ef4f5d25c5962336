internal import Foundation
internal import MessageModel

/// The bytes of a picture, read piece by piece; a file is never held whole.
final class PictureInput {
  private enum Content {
    case bytes([UInt8])
    case descriptor(Int32)
  }

  private let content: Content
  let byteCount: Int

  /// Throws ``/MessageModel/PictureRefusal/unreadable`` unless it is a readable regular file.
  init(_ source: PictureSource) throws(PictureRefusal) {
    switch source {
    case .bytes(let bytes):
      content = .bytes(bytes)
      byteCount = bytes.count
    case .file(let path):
      // Opening a pipe or device must not block.
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

  /// `nil` on failure.
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
