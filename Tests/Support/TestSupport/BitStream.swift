/// Bits on their way into bytes, in the order of JPEG (the highest first, zeros after each byte of ones) or of Deflate
/// (the lowest first).
struct BitStream {
  enum Order {
    case highestFirst, lowestFirst
  }

  private(set) var bytes: [UInt8] = []
  private let order: Order
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0

  init(_ order: Order) { self.order = order }

  /// Writes the lowest `count` bits of a value, at most 32.
  mutating func write(_ value: Int, _ count: Int) {
    let (value, count) = (UInt64(truncatingIfNeeded: value) & ((1 << UInt64(count)) - 1), UInt64(count))
    if order == .lowestFirst {
      pending |= value << pendingCount
      pendingCount += count
      while pendingCount >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        pendingCount -= 8
      }
    } else {
      pending = pending << count | value
      pendingCount += count
      while pendingCount >= 8 {
        pendingCount -= 8
        let byte = UInt8(truncatingIfNeeded: pending >> pendingCount)
        bytes.append(byte)
        if byte == 0xFF { bytes.append(0) }
      }
    }
  }

  /// Fills the last byte up: with ones for JPEG, else with zeros.
  mutating func finish() {
    guard pendingCount > 0 else { return }
    write(order == .highestFirst ? 0xFF : 0, Int(8 - pendingCount))
  }
}
