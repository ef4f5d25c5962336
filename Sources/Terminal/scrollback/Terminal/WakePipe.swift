internal import Foundation

/// A pipe that wakes the terminal's loop: signal handlers write the signal's number, other threads one of the
/// codes below.
struct WakePipe: Sendable {
  let reader: Int32
  let writer: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  static let storeChanged: UInt8 = 0
  static let reported: UInt8 = 255

  func wake(_ word: UInt8) {
    var byte = word
    _ = write(writer, &byte, 1)  // A full pipe wakes as well.
  }

  /// Returns what was written since the last call.
  func drain() -> Set<Int32> {
    var buffer = [UInt8](repeating: 0, count: 256)
    var found: Set<Int32> = []
    while true {
      let count = read(reader, &buffer, buffer.count)
      guard count > 0 else { return found }
      found.formUnion(buffer[..<count].map(Int32.init))
    }
  }
}
