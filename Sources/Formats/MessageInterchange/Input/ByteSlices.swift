internal import Foundation

/// A part of a line, while the line is in memory.
typealias Bytes = UnsafeRawBufferPointer

extension UnsafeRawBufferPointer {
  /// The position of the first `byte` at or after `start`.
  func position(of byte: UInt8, from start: Int = 0) -> Int? {
    guard let baseAddress, start < count,
      let found = memchr(baseAddress + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }

  /// Whether these bytes stand at `offset`.
  func has(_ literal: StaticString, at offset: Int = 0) -> Bool {
    guard let baseAddress, offset + literal.utf8CodeUnitCount <= count else { return false }
    return memcmp(baseAddress + offset, literal.utf8Start, literal.utf8CodeUnitCount) == 0
  }

  /// Whether these are the same bytes as others.
  func equals(_ other: Bytes) -> Bool {
    guard count == other.count, let baseAddress, let others = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(baseAddress, others, count) == 0
  }

  /// The position of the first place at or after `start` where these bytes stand.
  func position(of literal: StaticString, from start: Int = 0) -> Int? {
    var position = start
    while let found = self.position(of: literal.utf8Start.pointee, from: position) {
      if has(literal, at: found) { return found }
      position = found + 1
    }
    return nil
  }

  /// Returns the rest without the first `count` bytes, which must be there.
  func dropping(_ count: Int) -> Bytes { Bytes(rebasing: self[count...]) }

  /// The first `count` bytes, which must be there.
  func first(_ count: Int) -> Bytes { Bytes(rebasing: self[..<count]) }

  /// Returns the rest behind `literal`, if these bytes begin with it.
  func after(_ literal: StaticString) -> Bytes? {
    has(literal) ? dropping(literal.utf8CodeUnitCount) : nil
  }

  /// Whether there is nothing but spaces, tabs and returns.
  var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }

  /// The bytes without the spaces at their beginning.
  var withoutLeadingSpaces: Bytes {
    var start = 0
    while start < count, self[start] == 0x20 { start += 1 }
    return dropping(start)
  }

  /// The string that these bytes are in UTF-8; what is not becomes U+FFFD.
  var string: String { String(decoding: self, as: UTF8.self) }
}
