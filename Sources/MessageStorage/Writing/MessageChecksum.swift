internal import CChecksum

/// The checksum of a message: a CRC-32 that tells a damaged text, sender or time from a true one.
///
/// It covers the id, the conversation, the sender (0 if nobody), the kind and the precision, each as eight bytes with the
/// lowest first, and the whole text in UTF-8. What it answers is not covered: that may come to be known later.
struct MessageChecksum {
  private var crc: UInt32

  init(conversation: Int64, id: Int64, sender: Int64?, kind: Int64, precision: Int64) {
    let numbers = (
      id.littleEndian, conversation.littleEndian, (sender ?? 0).littleEndian, kind.littleEndian,
      precision.littleEndian
    )
    crc = withUnsafeBytes(of: numbers) { cchecksum_crc32(0, $0.baseAddress, $0.count) }
  }

  /// Goes on with a piece of the text.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if let base = bytes.baseAddress { crc = cchecksum_crc32(crc, base, bytes.count) }
  }

  /// As it is stored: a signed number takes four bytes, an unsigned one up to six.
  var stored: Int64 { Int64(Int32(bitPattern: crc)) }
}

extension MessageRow {
  /// Notes that the message in the present row of a statement of ``columns`` differs from its checksum, if it does.
  ///
  /// - Parameter rest: What `body` has of its text; without it a text that goes on there is not looked at.
  static func compare(_ row: RawStatement, rest: String? = nil, noting damage: DamageNotes) {
    guard row.isNull(6) || rest != nil else {
      if row.int(6) <= Int64(row.byteCount(5)) {
        damage.note("the length of the text of message #\(row.int(0)) is wrong")
      }
      return
    }
    guard let stored = row.optionalInt(11) else { return }
    var sum = MessageChecksum(
      conversation: row.int(1), id: row.int(0), sender: row.optionalInt(2), kind: row.int(3),
      precision: row.int(4))
    row.withBytes(5) { sum.add($0) }
    if var rest { rest.withUTF8 { sum.add(UnsafeRawBufferPointer($0)) } }
    guard sum.stored != stored else { return }
    damage.note("message #\(row.int(0)) is not what was written: its checksum differs")
  }
}
