internal import Foundation

extension Substring {
  /// Finds another text by its bytes, which is many times faster than by characters.
  ///
  /// - Complexity: O(bytes × bytes of the other text) at most, typically O(bytes).
  package func firstBytes(of text: String) -> Range<Index>? {
    var text = text
    let found = text.withUTF8 { wanted in
      utf8.withContiguousStorageIfAvailable { Self.place(of: wanted, in: $0) }
    }
    // Bridged strings have no contiguous UTF-8.
    guard let found else { return firstRange(of: text) }
    guard let start = found else { return nil }
    let lower = utf8.index(startIndex, offsetBy: start)
    return lower..<utf8.index(lower, offsetBy: text.utf8.count)
  }

  private static func place(
    of wanted: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let first = wanted.first, let start = bytes.baseAddress else { return wanted.isEmpty ? 0 : nil }
    var place = 0
    while place + wanted.count <= bytes.count {
      let starts = bytes.count - wanted.count - place + 1
      guard let found = memchr(start + place, Int32(first), starts) else { return nil }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      if (1..<wanted.count).allSatisfy({ bytes[place + $0] == wanted[$0] }) { return place }
      place += 1
    }
    return nil
  }
}
