internal import Foundation
internal import MessageModel

/// A single-byte encoding for lines that are not UTF-8.
public struct FallbackEncoding: Hashable, Sendable {
  /// The name as the user gave it.
  public let name: String
  private let upperHalf: [UInt16]

  private init(_ name: String, _ upperHalf: [UInt16]) {
    self.name = name
    self.upperHalf = upperHalf
  }

  /// Windows-1252, used in Western Europe and America.
  public static let windows1252 = FallbackEncoding("windows-1252", windowsExtras + Array(0xA0...0xFF))
  /// ISO 8859-1.
  public static let latin1 = FallbackEncoding("iso-8859-1", Array(0x80...0xFF))
  /// ISO 8859-15: ISO 8859-1 with the euro sign.
  public static let latin9 = FallbackEncoding(
    "iso-8859-15", (0x80...0xFF).map { (byte: UInt16) in latin9Changes[byte] ?? byte })

  /// Creates the encoding with this name, in any case and with common aliases (`cp1252`, `latin1`).
  ///
  /// Returns `nil` if the system knows no single-byte encoding of that name that contains ASCII.
  public init?(name: String) {
    switch name.lowercased() {
    case "windows-1252", "cp1252", "1252": self = .windows1252
    case "iso-8859-1", "latin1", "latin-1", "iso8859-1": self = .latin1
    case "iso-8859-15", "latin9", "latin-9", "iso8859-15": self = .latin9
    default:
      guard let upperHalf = Self.upperHalf(of: name) else { return nil }
      self.init(name.lowercased(), upperHalf)
    }
  }

  /// Names of common encodings, to suggest to users.
  public static let commonNames = [
    "windows-1252", "iso-8859-1", "iso-8859-2", "iso-8859-13", "iso-8859-15", "windows-1250", "windows-1251",
    "koi8-r",
    "cp437", "cp850",
  ]

  /// Decodes `bytes` as UTF-8 if they are valid UTF-8, otherwise in this encoding.
  public func string(_ bytes: UnsafeRawBufferPointer) -> String {
    if UTF8Check.isValid(bytes) { return bytes.string }
    var decoded: [UInt8] = []
    decode(bytes, into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  func decode(_ bytes: UnsafeRawBufferPointer, into result: inout [UInt8]) {
    for byte in bytes {
      let scalar = byte < 0x80 ? UInt16(byte) : upperHalf[Int(byte - 0x80)]
      if scalar < 0x80 {
        result.append(UInt8(scalar))
      } else if scalar < 0x800 {
        result.append(UInt8(0xC0 | scalar >> 6))
        result.append(UInt8(0x80 | scalar & 0x3F))
      } else {
        result.append(UInt8(0xE0 | scalar >> 12))
        result.append(UInt8(0x80 | scalar >> 6 & 0x3F))
        result.append(UInt8(0x80 | scalar & 0x3F))
      }
    }
  }

  /// The UTF-16 unit of each byte from 0x80 on; `nil` unless the encoding is single-byte and contains ASCII.
  private static func upperHalf(of name: String) -> [UInt16]? {
    guard let converter = iconv_open("UTF-16LE", name), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    let isASCII = (UInt8(0x20)..<0x7F).allSatisfy { unit(of: $0, converter) == UInt16($0) }
    let upperHalf = (UInt8(0x80)...0xFF).map { unit(of: $0, converter) }
    // In a multi-byte encoding the lead bytes stand for nothing alone.
    guard isASCII, upperHalf.count(where: { $0 != nil }) > 90 else { return nil }
    return upperHalf.enumerated().map { $1 ?? UInt16($0 + 0x80) }
  }

  private static func unit(of byte: UInt8, _ converter: iconv_t) -> UInt16? {
    _ = iconv(converter, nil, nil, nil, nil)
    var input = CChar(bitPattern: byte)
    var output: (CChar, CChar, CChar, CChar) = (0, 0, 0, 0)
    var (inputLeft, outputLeft) = (1, 4)
    let status = withUnsafeMutablePointer(to: &input) { input in
      withUnsafeMutableBytes(of: &output) { output in
        var from: UnsafeMutablePointer<CChar>? = input
        var into = output.baseAddress?.assumingMemoryBound(to: CChar.self)
        return iconv(converter, &from, &inputLeft, &into, &outputLeft)
      }
    }
    guard status != Int(bitPattern: UInt.max), outputLeft == 2 else { return nil }
    let unit = UInt16(UInt8(bitPattern: output.1)) << 8 | UInt16(UInt8(bitPattern: output.0))
    return (0xD800...0xDFFF).contains(unit) ? nil : unit
  }

  // https://encoding.spec.whatwg.org/index-windows-1252.txt
  private static let windowsExtras: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  private static let latin9Changes: [UInt16: UInt16] = [
    0xA4: 0x20AC, 0xA6: 0x0160, 0xA8: 0x0161, 0xB4: 0x017D, 0xB8: 0x017E, 0xBC: 0x0152, 0xBD: 0x0153,
    0xBE: 0x0178,
  ]
}
