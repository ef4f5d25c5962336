import Foundation

/// A zip with one file, which is not compressed.
struct StoredArchive {
  private(set) var bytes = Data()

  init(of content: Data, named name: String) {
    let facts: [(Int, Int)] = [
      (20, 2), (1 << 11, 2), (0, 6), (Self.checksum(of: content), 4), (content.count, 4), (content.count, 4),
      (name.utf8.count, 2), (0, 2),
    ]
    add([0x50, 0x4B, 3, 4], facts)
    bytes.append(contentsOf: name.utf8)
    bytes.append(content)
    let directory = bytes.count
    add([0x50, 0x4B, 1, 2], [(20, 2)] + facts + [(0, 14)])
    bytes.append(contentsOf: name.utf8)
    let end = bytes.count
    add([0x50, 0x4B, 5, 6], [(0, 4), (1, 2), (1, 2), (end - directory, 4), (directory, 4), (0, 2)])
  }

  /// Numbers, the lowest byte first, each with its size in bytes.
  private mutating func add(_ mark: [UInt8], _ numbers: [(value: Int, byteCount: Int)]) {
    bytes.append(contentsOf: mark)
    for (value, byteCount) in numbers {
      for place in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * min(place, 7)))) }
    }
  }

  private static let table: [UInt32] = (UInt32(0)..<256).map { (start: UInt32) -> UInt32 in
    var rest = start
    for _ in 0..<8 {
      let isOdd = rest & 1 == 1
      rest >>= 1
      if isOdd { rest ^= 0xEDB8_8320 }
    }
    return rest
  }

  private static func checksum(of content: Data) -> Int {
    var sum = UInt32.max
    table.withUnsafeBufferPointer { table in
      for byte in content {
        let place = Int((sum ^ UInt32(byte)) & 0xFF)
        sum = (sum >> 8) ^ table[place]
      }
    }
    return Int(~sum)
  }
}
