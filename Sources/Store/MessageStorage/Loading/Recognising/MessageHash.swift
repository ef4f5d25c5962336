internal import MessageModel

/// A keyed hash of a message's sender, kind, precision and text, by which imports recognise it.
enum MessageHash {
  static func of(
    sender: UnsafeRawBufferPointer?, kind: Int, precision: Int, text: UnsafeRawBufferPointer,
    key: (UInt64, UInt64)
  ) -> UInt64 {
    var hash = SipHash(key: key)
    if let sender { hash.combine(sender) }
    hash.combine(sender == nil ? 0xFE : 0xFF)
    hash.combine(UInt8(truncatingIfNeeded: kind))
    hash.combine(UInt8(truncatingIfNeeded: precision))
    hash.combine(text)
    return hash.finish()
  }

  static func of(_ row: RawStatement, from column: Int32, key: (UInt64, UInt64)) -> UInt64 {
    func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
      let (kind, precision) = (Int(row.int(column + 1)), Int(row.int(column + 2)))
      guard !row.isNull(column) else {
        return of(sender: nil, kind: kind, precision: precision, text: text, key: key)
      }
      return row.withBytes(column) { of(sender: $0, kind: kind, precision: precision, text: text, key: key) }
    }
    guard !row.isNull(column + 4) else { return row.withBytes(column + 3) { hash($0) } }
    let whole = row.withBytes(column + 3) { Array($0) } + row.withBytes(column + 4) { Array($0) }
    return whole.withUnsafeBytes { hash($0) }
  }

  static let columns = """
    (SELECT name FROM sender WHERE sender.id = message.sender), kind, precision, text,
    CASE WHEN bytes IS NOT NULL THEN (SELECT text FROM body WHERE body.id = message.id) END
    """
}
