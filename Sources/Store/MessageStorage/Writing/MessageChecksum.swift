internal import CChecksum
internal import MessageModel

/// The checksum of a message: a CRC-32 that tells a damaged text, sender or time from a true one.
///
/// It covers the id, the conversation, the sender (0 if nobody), the kind and the precision, each as eight bytes with the
/// lowest first, the time as eight more where it is not that of the place, and the whole text in UTF-8. What it answers is not
/// covered: that may come to be known later.
struct MessageChecksum {
  private var crc: UInt32

  /// - Parameter writtenAt: When it was written, in milliseconds since 1970, where that is not the time of its place.
  init(
    conversation: Int64, id: Int64, sender: Int64?, kind: Int64, precision: Int64, writtenAt: Int64?
  ) {
    let numbers = (
      id.littleEndian, conversation.littleEndian, (sender ?? 0).littleEndian, kind.littleEndian,
      precision.littleEndian
    )
    crc = withUnsafeBytes(of: numbers) { cchecksum_crc32(0, $0.baseAddress, $0.count) }
    if let writtenAt { withUnsafeBytes(of: writtenAt.littleEndian) { add($0) } }
  }

  /// Goes on with a piece of the text.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if let base = bytes.baseAddress { crc = cchecksum_crc32(crc, base, bytes.count) }
  }

  /// Goes on with a piece of the text.
  mutating func add(_ text: inout String) { text.withUTF8 { add(UnsafeRawBufferPointer($0)) } }

  /// Notes that a message differs from the checksum that is stored with it, if it does.
  func compare(with stored: Int64, of id: Message.ID, noting damage: DamageNotes) {
    guard self.stored != stored else { return }
    damage.note("message #\(id) is not what was written: its checksum differs")
  }

  /// As it is stored: a signed number takes four bytes, an unsigned one up to six.
  var stored: Int64 { Int64(Int32(bitPattern: crc)) }
}

extension MessageRow {
  /// Notes that the message in the present row of a statement of ``columns`` differs from its checksum, if it does.
  ///
  /// - Parameters:
  ///   - writtenAt: When it was written, where that is not the time of its place.
  ///   - rest: What `body` has of its text; without it a text that goes on there is not looked at.
  static func compare(
    _ row: RawStatement, writtenAt: Timestamp?, rest: String? = nil, noting damage: DamageNotes
  ) {
    let id = Message.ID(rawValue: row.int(0))
    if rest == nil, let wholeByteCount = row.optionalInt(6) {
      return compare(wholeByteCount, with: row.byteCount(5), of: id, noting: damage)
    }
    guard let stored = row.optionalInt(11) else { return }
    var sum = MessageChecksum(
      conversation: row.int(1), id: row.int(0), sender: row.optionalInt(2), kind: row.int(3),
      precision: row.int(4), writtenAt: writtenAt?.millisecondsSince1970)
    row.withBytes(5) { sum.add($0) }
    if var rest { sum.add(&rest) }
    sum.compare(with: stored, of: id, noting: damage)
  }

  /// Notes that a text that goes on elsewhere is said to be no longer than its beginning, if it is.
  static func compare(
    _ wholeByteCount: Int64, with byteCount: Int, of id: Message.ID, noting damage: DamageNotes
  ) {
    guard wholeByteCount <= Int64(byteCount) else { return }
    damage.note("the length of the text of message #\(id) is wrong")
  }
}
