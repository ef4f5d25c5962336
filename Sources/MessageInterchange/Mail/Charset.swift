#if canImport(Glibc)
  internal import Glibc
#endif

/// Turns bytes of any encoding that mails name into text.
enum Charset {
  /// Returns the text that `bytes` are in the encoding called `name`; UTF-8 or else the fallback if there is no such
  /// encoding or it does not fit.
  static func string(_ bytes: [UInt8], _ name: String?, _ fallback: FallbackEncoding) -> String {
    let isUTF8 = bytes.withUnsafeBytes { UTF8Check.isValid($0) }
    let name = name.flatMap(CharsetNames.known)
    if let name, let text = converted(bytes, name, isLenient: false) { return text }
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    let oneByte = name.flatMap { FallbackEncoding(name: $0) }
    // Of several bytes a character one that is wrong is no reason to read all the others as something else.
    if let name, oneByte == nil, let text = converted(bytes, name, isLenient: true) { return text }
    var decoded: [UInt8] = []
    bytes.withUnsafeBytes { (oneByte ?? fallback).decode($0, into: &decoded) }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Converts by the C library; `nil` where it cannot, and, unless it is lenient, where a byte is none of the encoding.
  private static func converted(_ bytes: [UInt8], _ name: String, isLenient: Bool) -> String? {
    #if canImport(Glibc)
      guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else {
        return nil
      }
      defer { iconv_close(converter) }
      // Four bytes hold what one stands for, or what stands for one that is wrong.
      var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
      var input = bytes.map { CChar(bitPattern: $0) }
      var inputLeft = input.count
      var outputLeft = output.count
      let capacity = output.count
      let isConverted = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          var from = input.baseAddress
          var into = output.baseAddress
          while iconv(converter, &from, &inputLeft, &into, &outputLeft) == Int(bitPattern: UInt.max) {
            guard isLenient, inputLeft > 0, outputLeft > replacement.count, errno != E2BIG else {
              return false
            }
            for byte in replacement {
              into?.pointee = byte
              into = into.map { $0 + 1 }
            }
            outputLeft -= replacement.count
            from = from.map { $0 + 1 }
            inputLeft -= 1
          }
          return true
        }
      }
      guard isConverted else { return nil }
      return String(decoding: output[..<(capacity - outputLeft)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return nil
    #endif
  }

  /// U+FFFD.
  private static let replacement = "\u{FFFD}".utf8.map { CChar(bitPattern: $0) }
}
