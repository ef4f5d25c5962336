internal import CChecksum
internal import GRDB
internal import MessageModel

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

/// Compares the checksums of a store with its messages, and fills in those that are missing.
struct ChecksumCheck {
  let db: Database

  /// What is known of one message.
  struct Finding {
    var id: Int64
    /// What its checksum should be.
    var sum: Int64
    /// Whether it has one.
    var hasSum: Bool
  }

  /// Calls `body` with the messages whose checksum is missing or is not that of what is there, some hundreds at a time.
  ///
  /// - Complexity: O(bytes of all texts).
  func each(_ body: ([Finding]) throws -> Void) throws {
    var place: (conversation: Int64, id: Int64)? = (.min, .min)
    while let start = place {
      var found: [Finding] = []
      place = try look(after: start) { found.append($0) }
      if !found.isEmpty { try body(found) }
    }
  }

  /// Looks at the next messages, and returns the last of them; `nil` if there were no more.
  private func look(
    after place: (conversation: Int64, id: Int64), _ body: (Finding) -> Void
  ) throws -> (conversation: Int64, id: Int64)? {
    let statement = try RawStatement(
      db,
      """
      SELECT id, conversation, sender, kind, precision, checksum, text,
        iif(bytes IS NULL, NULL, (SELECT text FROM body WHERE body.id = message.id)) FROM message
        WHERE (conversation, id) > (?1, ?2) ORDER BY conversation, id LIMIT 1000
      """)
    statement.bind(place.conversation, at: 1)
    statement.bind(place.id, at: 2)
    defer { statement.reset() }
    var last: (conversation: Int64, id: Int64)?
    while try statement.step() {
      var sum = MessageChecksum(
        conversation: statement.int(1), id: statement.int(0), sender: statement.optionalInt(2),
        kind: statement.int(3), precision: statement.int(4))
      statement.withBytes(6) { sum.add($0) }
      statement.withBytes(7) { sum.add($0) }
      let (stored, found) = (statement.optionalInt(5), sum.stored)
      if stored != found { body(Finding(id: statement.int(0), sum: found, hasSum: stored != nil)) }
      last = (statement.int(1), statement.int(0))
    }
    return last
  }

  /// Gives messages their checksums.
  func fill(_ findings: [Finding]) throws {
    let statement = try RawStatement(db, "UPDATE message SET checksum = ?1 WHERE id = ?2")
    for finding in findings {
      statement.bind(finding.sum, at: 1)
      statement.bind(finding.id, at: 2)
      try statement.run()
    }
  }
}
