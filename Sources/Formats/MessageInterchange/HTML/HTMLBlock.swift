/// A part of a page, from the tag that begins it to the one that begins the next.
struct HTMLBlock {
  /// The longest one that is read, in bytes of HTML.
  private static let bound = 4 << 20
  /// More bytes than a beginning has: so many stay, since one may be cut where what was read ends.
  private static let tagByteCount = 64

  /// In the buffer of the source, as long as that does not go on.
  let bytes: Bytes
  let offset: Int64
  /// Whether it ends with the page.
  let isLast: Bool

  /// Whether it was cut since it is too long.
  var isTooLong: Bool { !isLast && bytes.count > Self.bound - Self.tagByteCount }

  /// Why one that is too long is passed over.
  static let lengthReason = "it is longer than \(bound >> 20) MB"

  /// Looks at what comes next in a source, which is to be told when it was read.
  ///
  /// - Parameter beginning: Returns where a block begins in bytes, from a position on; `nil` if none does.
  /// - Complexity: O(bytes of it).
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
