/// A text as it is compared, in UTF-8, of which each byte knows the bytes of the original that it stands for.
struct NormalText {
  /// A range in the original.
  private struct Origin {
    var start: UInt32
    var end: UInt32
  }

  private(set) var bytes: [UInt8] = []
  private var origins: [Origin] = []

  /// Creates the form that the original is itself.
  init(_ original: UnsafeBufferPointer<UInt8>) {
    bytes = Array(original)
    origins = (0..<UInt32(clamping: original.count)).map { Origin(start: $0, end: $0 + 1) }
  }

  /// Creates an empty text to be filled.
  init(reserving count: Int) {
    bytes.reserveCapacity(count)
    origins.reserveCapacity(count)
  }

  /// Returns what a range that is not empty stands for.
  func origin(of range: Range<Int>) -> Range<Int> {
    Int(origins[range.lowerBound].start)..<Int(origins[range.upperBound - 1].end)
  }

  /// Returns where what a byte stands for begins.
  func start(of place: Int) -> Int { Int(origins[place].start) }

  /// Appends a part of another form as it stands there.
  mutating func append(_ range: Range<Int>, of other: NormalText) {
    bytes += other.bytes[range]
    origins += other.origins[range]
  }

  /// Appends what a part of another form means.
  mutating func append(_ meaning: some Sequence<UInt8>, for range: Range<Int>, of other: NormalText) {
    let origin = Origin(
      start: other.origins[range.lowerBound].start, end: other.origins[range.upperBound - 1].end)
    for byte in meaning {
      bytes.append(byte)
      origins.append(origin)
    }
  }

  /// Removes the last bytes.
  mutating func removeLast(_ count: Int) {
    bytes.removeLast(count)
    origins.removeLast(count)
  }
}
