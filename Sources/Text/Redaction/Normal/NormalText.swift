/// A normalised text in UTF-8 with the bytes of the original for each byte.
struct NormalText {
  private struct Origin {
    var start: UInt32
    var end: UInt32
  }

  private(set) var bytes: [UInt8] = []
  private var origins: [Origin] = []

  init(_ original: UnsafeBufferPointer<UInt8>) {
    bytes = Array(original)
    origins = (0..<UInt32(clamping: original.count)).map { Origin(start: $0, end: $0 + 1) }
  }

  init(reserving count: Int) {
    bytes.reserveCapacity(count)
    origins.reserveCapacity(count)
  }

  /// `range` must not be empty.
  func origin(of range: Range<Int>) -> Range<Int> {
    Int(origins[range.lowerBound].start)..<Int(origins[range.upperBound - 1].end)
  }

  func start(of place: Int) -> Int { Int(origins[place].start) }

  mutating func append(_ range: Range<Int>, of other: NormalText) {
    bytes += other.bytes[range]
    origins += other.origins[range]
  }

  mutating func append(_ meaning: some Sequence<UInt8>, for range: Range<Int>, of other: NormalText) {
    let origin = Origin(
      start: other.origins[range.lowerBound].start, end: other.origins[range.upperBound - 1].end)
    for byte in meaning {
      bytes.append(byte)
      origins.append(origin)
    }
  }

  mutating func removeLast(_ count: Int) {
    bytes.removeLast(count)
    origins.removeLast(count)
  }
}
