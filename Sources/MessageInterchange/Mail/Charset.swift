#if canImport(Glibc)
  internal import Glibc
#endif

/// Turns bytes of any encoding that mails name into text.
enum Charset {
  /// Returns the text that `bytes` are in the encoding called `name`; UTF-8 or else the fallback if there is no such
  /// encoding or it does not fit.
  static func string(_ bytes: [UInt8], _ name: String?, _ fallback: FallbackEncoding) -> String {
    let isUTF8 = bytes.withUnsafeBytes { UTF8Check.isValid($0) }
    let name = name?.lowercased() ?? ""
    if !["", "utf-8", "utf8", "us-ascii"].contains(name), let converted = converted(bytes, name) {
      return converted
    }
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    var decoded: [UInt8] = []
    let encoding = FallbackEncoding(name: name) ?? fallback
    bytes.withUnsafeBytes { encoding.decode($0, into: &decoded) }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Converts by the C library; `nil` where it cannot.
  private static func converted(_ bytes: [UInt8], _ name: String) -> String? {
    #if canImport(Glibc)
      guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else {
        return nil
      }
      defer { iconv_close(converter) }
      var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
      var input = bytes.map { CChar(bitPattern: $0) }
      var inputLeft = input.count
      var outputLeft = output.count
      let capacity = output.count
      let isConverted = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          var from = input.baseAddress
          var into = output.baseAddress
          return iconv(converter, &from, &inputLeft, &into, &outputLeft) != Int(bitPattern: UInt.max)
        }
      }
      guard isConverted else { return nil }
      return String(decoding: output[..<(capacity - outputLeft)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return nil
    #endif
  }
}
