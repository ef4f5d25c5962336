import Foundation

/// A value of JSON whose keys stand in the order in which they were given, as programs write them.
indirect enum WrittenJSON {
  case text(String)
  case number(Int64)
  case real(Double)
  case flag(Bool)
  case list([WrittenJSON])
  case object([(key: String, value: WrittenJSON)])

  /// Creates an object.
  static func of(_ parts: KeyValuePairs<String, WrittenJSON>) -> WrittenJSON {
    .object(parts.map { ($0.key, $0.value) })
  }

  /// It as bytes, without spaces.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .text(let text): Self.write(text, to: &bytes)
    case .number(let number): bytes += "\(number)".utf8
    case .real(let number): bytes += "\(number)".utf8
    case .flag(let flag): bytes += "\(flag)".utf8
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let parts):
      bytes.append(UInt8(ascii: "{"))
      for (place, part) in parts.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(part.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        part.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
