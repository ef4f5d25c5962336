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

/// SipHash-1-3 (<https://github.com/veorq/SipHash>): fast for short inputs, and collision-resistant for
/// anyone without the key. `Hasher` is the same function, but under a key that changes at each start of the
/// program.
struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  private var tail: UInt64 = 0
  private var byteCount = 0

  init(key: (UInt64, UInt64)) {
    v0 = key.0 ^ 0x736f_6d65_7073_6575
    v1 = key.1 ^ 0x646f_7261_6e64_6f6d
    v2 = key.0 ^ 0x6c79_6765_6e65_7261
    v3 = key.1 ^ 0x7465_6462_7974_6573
  }

  mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count, byteCount & 7 != 0 {
      combine(bytes[index])
      index += 1
    }
    while index + 8 <= bytes.count {
      compress(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
      byteCount += 8
    }
    while index < bytes.count {
      combine(bytes[index])
      index += 1
    }
  }

  mutating func combine(_ byte: UInt8) {
    tail |= UInt64(byte) << UInt64((byteCount & 7) * 8)
    byteCount += 1
    if byteCount & 7 == 0 {
      compress(tail)
      tail = 0
    }
  }

  func finish() -> UInt64 {
    var end = self
    end.compress(tail | UInt64(byteCount & 0xff) << 56)
    end.v2 ^= 0xff
    for _ in 0..<3 { end.round() }
    return end.v0 ^ end.v1 ^ end.v2 ^ end.v3
  }

  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 = v0 &+ v1
    v1 = Self.rotated(v1, by: 13) ^ v0
    v0 = Self.rotated(v0, by: 32)
    v2 = v2 &+ v3
    v3 = Self.rotated(v3, by: 16) ^ v2
    v0 = v0 &+ v3
    v3 = Self.rotated(v3, by: 21) ^ v0
    v2 = v2 &+ v1
    v1 = Self.rotated(v1, by: 17) ^ v2
    v2 = Self.rotated(v2, by: 32)
  }

  private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
    word << count | word >> (64 - count)
  }
}
