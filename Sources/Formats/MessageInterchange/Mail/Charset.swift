internal import MessageModel

#if canImport(Glibc)
  internal import Glibc
#endif

enum Charset {
  /// Decodes as `name`; if that is unknown or does not fit, as UTF-8 or else the fallback.
  static func string(_ bytes: [UInt8], _ name: String?, _ fallback: FallbackEncoding) -> String {
    let isUTF8 = bytes.withUnsafeBytes { UTF8Check.isValid($0) }
    let name = name.flatMap(CharsetNames.known)
    if let name, let text = converted(bytes, name, isLenient: false) { return text }
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    if name == nil, let text = cutUTF8(bytes) { return text }
    let oneByte = name.flatMap { FallbackEncoding(name: $0) }
    // In a multi-byte encoding one invalid byte does not make the whole text another encoding.
    if let name, oneByte == nil, let text = converted(bytes, name, isLenient: true) { return text }
    var decoded: [UInt8] = []
    bytes.withUnsafeBytes { (oneByte ?? fallback).decode($0, into: &decoded) }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The text of a cut file, which ends within a character; `nil` if it is not UTF-8 before that.
  private static func cutUTF8(_ bytes: [UInt8]) -> String? {
    let lines = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
    guard let last = lines.suffix(3).lastIndex(where: { $0 >= 0xC2 }) else { return nil }
    let whole = lines[..<last]
    guard whole.contains(where: { $0 >= 0x80 }), whole.withUnsafeBytes({ UTF8Check.isValid($0) }) else {
      return nil
    }
    return String(decoding: whole, as: UTF8.self)
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

/// Maps the names of encodings in mails to the C library's. Names that browsers accept are accepted, too
/// (<https://encoding.spec.whatwg.org/#names-and-labels>).
enum CharsetNames {
  /// The C library's name; `nil` for UTF-8, which needs no conversion, and for meaningless names.
  static func known(_ written: String) -> String? {
    let name = written.lowercased().filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:+".contains($0))
    }
    let plain = name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
    if meaningless.contains(plain) || plain.contains("unknown") || isUTF8(plain) { return nil }
    return aliases[plain] ?? part(of: plain, behind: "8859").map { "iso-8859-\($0)" }
      ?? codePage(plain).map { "cp\($0)" } ?? plain
  }

  private static let meaningless: Set<String> = [
    "", "ascii", "us-ascii", "ansi_x3.4-1968", "ansi_x3.4-1986", "default", "binary", "none", "7bit", "8bit",
    "user-defined",
  ]

  private static func isUTF8(_ name: String) -> Bool {
    name.replacing("-", with: "").replacing("_", with: "").firstRange(of: "utf8") != nil
  }

  /// The part of ISO 8859, however written: `iso-8859-8-i` and `-e` add the direction of lines,
  /// `iso_8859-1:1987` the year; `iso8859_15` and `88591` are just spellings.
  private static func part(of name: String, behind standard: String) -> Int? {
    guard let found = name.firstRange(of: standard) else { return nil }
    let digits = name[found.upperBound...].drop { "-_.".contains($0) }.prefix { $0.isNumber }
    return Int(digits).flatMap { (1...16).contains($0) ? $0 : nil }
  }

  /// The number of a Microsoft code page: `windows-1252`, `cp-1252`, `win1252`, `dos-874`, `ms949`.
  private static func codePage(_ name: String) -> Int? {
    let letters = name.prefix { $0.isLetter }
    guard ["windows", "cp", "win", "dos", "ms", "ibm", "ansi"].contains(String(letters)) else { return nil }
    let digits = name.dropFirst(letters.count).drop { "-_.".contains($0) }.prefix { $0.isNumber }
    return digits.count >= 3 ? Int(digits) : nil
  }

  /// Names unknown to the C library, and encodings used with more characters than the standard has.
  private static let aliases = [
    "visual": "iso-8859-8", "logical": "iso-8859-8", "latin-1": "iso-8859-1", "latin-2": "iso-8859-2",
    "latin-9": "iso-8859-15", "unicode-1-1-utf-7": "utf-7", "ks_c_5601-1987": "cp949",
    "ks_c_5601-1989": "cp949",
    "ks_c_5601": "cp949", "ksc5601": "cp949", "ksc_5601": "cp949", "korean": "cp949", "euc-kr": "cp949",
    "gb2312": "gb18030", "gb_2312": "gb18030", "gb_2312-80": "gb18030", "gbk": "gb18030",
    "chinese": "gb18030",
    "big5": "big5-hkscs", "cn-big5": "big5-hkscs",
    "sjis": "cp932", "shift_jis": "cp932", "shift-jis": "cp932", "ms_kanji": "cp932", "windows-31j": "cp932",
    "eucjp": "euc-jp", "mac": "macintosh", "mac-roman": "macintosh", "macroman": "macintosh",
    "mac-ce": "mac-centraleurope", "mac-ukrainian": "mac-cyrillic", "koi": "koi8-r", "koi8": "koi8-r",
    "koi8-ru": "koi8-u", "sun_eu_greek": "iso-8859-7",
  ]
}
