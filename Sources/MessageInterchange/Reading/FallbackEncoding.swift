/// An encoding of one byte a character, for lines that are not UTF-8.
public enum FallbackEncoding: String, Hashable, Sendable, CaseIterable {
  case windows1252 = "windows-1252"
  case latin1 = "iso-8859-1"
  case latin9 = "iso-8859-15"

  /// The encoding with this name, in any case and with the usual other names (`cp1252`, `latin1`), or `nil`.
  public init?(name: String) {
    switch name.lowercased() {
    case "windows-1252", "cp1252", "1252": self = .windows1252
    case "iso-8859-1", "latin1", "latin-1", "iso8859-1": self = .latin1
    case "iso-8859-15", "latin9", "latin-9", "iso8859-15": self = .latin9
    default: return nil
    }
  }

  /// Appends what `bytes` stand for to `result`, in UTF-8. Every byte stands for something.
  func decode(_ bytes: UnsafeRawBufferPointer, into result: inout [UInt8]) {
    for byte in bytes {
      let scalar = scalar(of: byte)
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

  private func scalar(of byte: UInt8) -> UInt16 {
    switch self {
    case .windows1252 where byte >= 0x80 && byte < 0xA0: Self.windowsExtras[Int(byte - 0x80)]
    case .latin9: Self.latin9Changes[byte] ?? UInt16(byte)
    default: UInt16(byte)
    }
  }

  // https://encoding.spec.whatwg.org/index-windows-1252.txt
  private static let windowsExtras: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D,
    0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A,
    0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static let latin9Changes: [UInt8: UInt16] = [
    0xA4: 0x20AC, 0xA6: 0x0160, 0xA8: 0x0161, 0xB4: 0x017D, 0xB8: 0x017E, 0xBC: 0x0152, 0xBD: 0x0153,
    0xBE: 0x0178,
  ]
}
