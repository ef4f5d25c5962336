internal import ChatSession
internal import Foundation
internal import MessageInterchange

/// Lines of a pipe, terminal or file, returned as they arrive. Only end of file ends the stream; errors are
/// reported. An empty non-blocking stream is waited for: another program may have made it non-blocking.
struct ArrivingLines {
  private let descriptor: Int32
  private let stop: StopSignals?
  private var buffer: [UInt8] = []
  private var (start, searched) = (0, 0)
  private var hasEnded = false
  /// The bytes searched for line ends, each once.
  private(set) var searchedByteCount = 0

  private static let pieceByteCount = 65_536

  init(descriptor: Int32, until stop: StopSignals? = nil) {
    self.descriptor = descriptor
    self.stop = stop
  }

  /// Waits for a line and returns it with all others available; `nil` at the end or after a stop signal. A
  /// last line without a line end counts unless the stream failed after it, which throws: it may be
  /// incomplete. O(bytes).
  mutating func next(atMost limit: Int = 1) throws(UsageError) -> [String]? {
    while true {
      if stop?.received != nil { return nil }
      let lines = taken(limit)
      if !lines.isEmpty { return lines }
      if hasEnded { return nil }
      try read()
    }
  }

  private mutating func read() throws(UsageError) {
    dropTaken()
    var failure: Int32?
    withUnsafeTemporaryAllocation(byteCount: Self.pieceByteCount, alignment: 1) { piece in
      guard stop?.waits(for: descriptor) != false else { return }
      let count = Foundation.read(descriptor, piece.baseAddress, piece.count)
      if count > 0 {
        buffer.append(contentsOf: piece[..<count])
      } else if count == 0 {
        hasEnded = true
      } else {
        failure = errno
      }
    }
    switch failure {
    case nil, EINTR: return
    case EAGAIN: waitUntilReadable(descriptor)
    case .some(let number):
      throw UsageError(
        "cannot read standard input further", cause: String(cString: strerror(number)), status: .inputOutput)
    }
  }

  /// Moves the remaining bytes once per read, not once per line.
  private mutating func dropTaken() {
    buffer.removeFirst(start)
    searched -= start
    start = 0
  }

  private mutating func taken(_ limit: Int) -> [String] {
    var lines: [String] = []
    while lines.count < limit, let end = nextLineFeed() {
      lines.append(Self.line(buffer[start..<end]))
      (start, searched) = (end + 1, end + 1)
    }
    if hasEnded, lines.count < limit, start < buffer.count {
      lines.append(Self.line(buffer[start...]))
      (start, searched) = (buffer.count, buffer.count)
    }
    return lines
  }

  private mutating func nextLineFeed() -> Int? {
    let from = searched
    let found = buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, let end = memchr(base + from, 0x0A, bytes.count - from) else {
        return nil
      }
      return UnsafeRawPointer(end) - base
    }
    searched = found ?? buffer.count
    searchedByteCount += searched - from
    return found
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
  }
}
