internal import ChatSession
internal import Foundation
internal import MessageInterchange

/// Lines of a pipe, terminal or file, handed out as they arrive.
///
/// The end of the stream and an error are told apart: only a stream that says that there is nothing more has ended. One
/// that has nothing *yet* (another program may have made it non-blocking) is waited for.
struct ArrivingLines {
  private let descriptor: Int32
  /// The signals that end the waiting; `nil` for none.
  private let stop: StopSignals?
  private var buffer: [UInt8] = []
  /// The place in the buffer where the next line begins, and the one up to which no end of it was found.
  private var (start, searched) = (0, 0)
  private var hasEnded = false
  /// The number of bytes looked at for the end of a line: each once.
  private(set) var searchedByteCount = 0

  private static let pieceByteCount = 65_536

  /// Creates a reader of the lines of a descriptor, which stays its owner's.
  init(descriptor: Int32, until stop: StopSignals? = nil) {
    self.descriptor = descriptor
    self.stop = stop
  }

  /// Waits for a line, and returns it with those that are there already; `nil` at the end or when a signal asks to stop.
  ///
  /// A last line without an end counts, unless it cannot be known whether it is whole: the stream failed behind it.
  ///
  /// - Throws: ``UsageError`` with status 74 if the stream cannot be read further.
  /// - Complexity: O(bytes), however long the lines.
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

  /// Lets go of what was handed out, before more is read: so the rest is moved once a piece and not once a line.
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
