internal import MessageModel

#if canImport(Glibc)
  internal import Glibc
#endif

/// Decodes bytes of any encoding that mails name.
enum Charset {
  /// Decodes as `name`; if that is unknown or does not fit, as UTF-8 or else the fallback.
  static func string(_ bytes: [UInt8], _ name: String?, _ fallback: FallbackEncoding) -> String {
    let isUTF8 = bytes.withUnsafeBytes { UTF8Check.isValid($0) }
    let name = name.flatMap(CharsetNames.known)
    if let name, let text = converted(bytes, name, isLenient: false) { return text }
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    let oneByte = name.flatMap { FallbackEncoding(name: $0) }
    // In a multi-byte encoding one invalid byte does not make the whole text another encoding.
    if let name, oneByte == nil, let text = converted(bytes, name, isLenient: true) { return text }
    var decoded: [UInt8] = []
    bytes.withUnsafeBytes { (oneByte ?? fallback).decode($0, into: &decoded) }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func converted(_ bytes: [UInt8], _ name: String, isLenient: Bool) -> String? {
    #if canImport(Glibc)
      guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else {
        return nil
      }
      defer { iconv_close(converter) }
      var output: [UInt8] = []
      output.reserveCapacity(bytes.count)
      let isConverted = withUnsafeTemporaryAllocation(of: CChar.self, capacity: pieceByteCount) { piece in
        bytes.withUnsafeBytes { input in
          var from = UnsafeMutablePointer(mutating: input.bindMemory(to: CChar.self).baseAddress)
          var inputLeft = input.count
          while true {
            var into = piece.baseAddress
            var room = piece.count
            let isDone = iconv(converter, &from, &inputLeft, &into, &room) != Int(bitPattern: UInt.max)
            let reason = errno
            output.append(
              contentsOf: UnsafeRawBufferPointer(
                UnsafeBufferPointer(rebasing: piece[..<(piece.count - room)])))
            if isDone { return true }
            if reason == E2BIG { continue }
            guard isLenient, inputLeft > 0 else { return false }
            output.append(contentsOf: replacement)
            from = from.map { $0 + 1 }
            inputLeft -= 1
          }
        }
      }
      return isConverted ? String(decoding: output, as: UTF8.self) : nil
    #else
      return nil
    #endif
  }

  private static let pieceByteCount = 1 << 16

  private static let replacement = Array("\u{FFFD}".utf8)
}
