internal import Foundation

/// Valid only while the line is in memory.
typealias Bytes = UnsafeRawBufferPointer

extension UnsafeRawBufferPointer {
  func position(of byte: UInt8, from start: Int = 0) -> Int? {
    guard let baseAddress, start < count,
      let found = memchr(baseAddress + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }

  func has(_ literal: StaticString, at offset: Int = 0) -> Bool {
    guard let baseAddress, offset + literal.utf8CodeUnitCount <= count else { return false }
    return memcmp(baseAddress + offset, literal.utf8Start, literal.utf8CodeUnitCount) == 0
  }

  func equals(_ other: Bytes) -> Bool {
    guard count == other.count, let baseAddress, let others = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(baseAddress, others, count) == 0
  }

  func position(of literal: StaticString, from start: Int = 0) -> Int? {
    var position = start
    while let found = self.position(of: literal.utf8Start.pointee, from: position) {
      if has(literal, at: found) { return found }
      position = found + 1
    }
    return nil
  }

  /// Whether `literal` occurs between quotes.
  func hasQuoted(_ literal: StaticString) -> Bool {
    var position = 0
    while let found = self.position(of: UInt8(ascii: "\""), from: position) {
      position = found + 1
      let end = position + literal.utf8CodeUnitCount
      if end < count, self[end] == UInt8(ascii: "\""), has(literal, at: position) { return true }
    }
    return false
  }

  func dropping(_ count: Int) -> Bytes { Bytes(rebasing: self[count...]) }

  func first(_ count: Int) -> Bytes { Bytes(rebasing: self[..<count]) }

  func after(_ literal: StaticString) -> Bytes? {
    has(literal) ? dropping(literal.utf8CodeUnitCount) : nil
  }

  var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }

  var withoutLeadingSpaces: Bytes {
    var start = 0
    while start < count, self[start] == 0x20 { start += 1 }
    return dropping(start)
  }

  var string: String { String(decoding: self, as: UTF8.self) }
}
