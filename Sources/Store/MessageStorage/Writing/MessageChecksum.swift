internal import CChecksum
internal import MessageModel

/// A CRC-32 of a message, which reveals a damaged text, sender or time.
///
/// It covers id, conversation, sender (0 without one), kind and precision as eight little-endian bytes each,
/// the time as eight more if it is not that of the place, and the whole text in UTF-8. The reply reference is
/// not covered, since it may be resolved later.
struct MessageChecksum {
  private var crc: UInt32

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

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if let base = bytes.baseAddress { crc = cchecksum_crc32(crc, base, bytes.count) }
  }

  mutating func add(_ text: inout String) { text.withUTF8 { add(UnsafeRawBufferPointer($0)) } }

  func compare(with stored: Int64, of id: Message.ID, noting damage: DamageNotes) {
    guard self.stored != stored else { return }
    damage.note("message #\(id) is not what was written: its checksum differs")
  }

  /// Signed: SQLite stores it in four bytes, an unsigned number in up to six.
  var stored: Int64 { Int64(Int32(bitPattern: crc)) }
}

extension MessageRow {
  /// Compares a row of ``columns`` with its checksum. Without `rest`, the text in `body`, a text that
  /// continues there is not compared.
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

  static func compare(
    _ wholeByteCount: Int64, with byteCount: Int, of id: Message.ID, noting damage: DamageNotes
  ) {
    guard wholeByteCount <= Int64(byteCount) else { return }
    damage.note("the length of the text of message #\(id) is wrong")
  }
}
