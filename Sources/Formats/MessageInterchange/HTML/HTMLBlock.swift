struct HTMLBlock {
  private static let bound = 4 << 20
  /// More than the bytes of a beginning, which may be cut at the end of the buffer.
  private static let tagByteCount = 64

  let bytes: Bytes
  let offset: Int64
  let isLast: Bool

  var isTooLong: Bool { !isLast && bytes.count > Self.bound - Self.tagByteCount }

  static let lengthReason = "it is longer than \(bound >> 20) MB"

  /// Peeks at the next block; the caller consumes it. O(bytes of the block).
  ///
  /// - Parameter beginning: Where the next block begins at or after a position; `nil` if none does.
  init(
    nextOf source: ByteSource, beginning: (Bytes, _ position: Int) -> Int?
  ) throws(InterchangeError) {
    offset = source.offset
    var searched = 1
    while true {
      let buffered = source.buffered
      if let next = beginning(buffered, searched) {
        (bytes, isLast) = (buffered.first(next), false)
        return
      }
      if buffered.count > Self.bound {
        (bytes, isLast) = (buffered.first(buffered.count - Self.tagByteCount), false)
        return
      }
      searched = max(1, buffered.count - Self.tagByteCount)
      if try !source.fill() {
        (bytes, isLast) = (source.buffered, true)
        return
      }
    }
  }
}
