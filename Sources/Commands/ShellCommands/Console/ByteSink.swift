internal import Foundation
internal import Synchronization

package protocol ByteSink: Sendable {
  var isTerminal: Bool { get }
  /// The size of the terminal; `nil` if it is none.
  var size: (rows: Int, columns: Int)? { get }
  /// Writes all bytes; returns the `errno` of a failure.
  func send(_ bytes: [UInt8]) -> Int32?
}

package struct DescriptorSink: ByteSink {
  private let descriptor: Int32

  /// Writes to a descriptor that the caller owns.
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

/// A sink that keeps its bytes, for tests.
package final class CapturedBytes: ByteSink {
  private let kept = Mutex<[UInt8]>([])
  package let isTerminal: Bool
  package let size: (rows: Int, columns: Int)?

  /// A sink with a size passes for a terminal, others for a pipe.
  package init(size: (rows: Int, columns: Int)? = nil) {
    self.size = size
    isTerminal = size != nil
  }

  package var text: String { String(decoding: kept.withLock { $0 }, as: UTF8.self) }

  package func send(_ bytes: [UInt8]) -> Int32? {
    kept.withLock { $0 += bytes }
    return nil
  }
}
