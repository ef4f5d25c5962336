internal import Foundation
internal import Synchronization

/// A sink of bytes: a stream of the process, or memory.
package protocol ByteSink: Sendable {
  /// Whether somebody sees them at once.
  var isTerminal: Bool { get }
  /// The rows and columns of the terminal; `nil` if there is none.
  var size: (rows: Int, columns: Int)? { get }
  /// Writes bytes, and returns why some could not be written.
  func send(_ bytes: [UInt8]) -> Int32?
}

/// An open file, pipe or terminal.
package struct DescriptorSink: ByteSink {
  private let descriptor: Int32

  /// Writes to a descriptor that stays its owner's.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  package var size: (rows: Int, columns: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  package func send(_ bytes: [UInt8]) -> Int32? {
    var sent = 0
    return bytes.withUnsafeBytes { buffer in
      while sent < buffer.count {
        let count = Foundation.write(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
        if count > 0 { sent += count } else if errno != EINTR && errno != EAGAIN { return errno }
      }
      return nil
    }
  }
}

/// Bytes that are kept instead of written.
package final class CapturedBytes: ByteSink {
  private let kept = Mutex<[UInt8]>([])
  package let isTerminal: Bool
  package let size: (rows: Int, columns: Int)?

  /// Creates a sink that passes for a pipe or, if it has a size, for a terminal.
  package init(size: (rows: Int, columns: Int)? = nil) {
    self.size = size
    isTerminal = size != nil
  }

  /// The text written until now.
  package var text: String { String(decoding: kept.withLock { $0 }, as: UTF8.self) }

  package func send(_ bytes: [UInt8]) -> Int32? {
    kept.withLock { $0 += bytes }
    return nil
  }
}
