/// The transfer encoding of a mail's body (<https://www.rfc-editor.org/rfc/rfc2045>).
enum TransferEncoding {
  static func decoded(_ body: Bytes, _ encoding: String) -> [UInt8] {
    switch encoding.lowercased().trimming({ $0 == " " }) {
    case "base64": base64(body)
    case "quoted-printable": quotedPrintable(body)
    default: Array(body)
    }
  }

  static func base64(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      guard let digit = digit(byte) else {
        if byte == UInt8(ascii: "=") { break }
        continue
      }
      bits = bits << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  static func quotedPrintable(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    let input = Array(bytes)
    var position = 0
    while position < input.count {
      let byte = input[position]
      position += 1
      guard byte == UInt8(ascii: "=") else {
        result.append(byte)
        continue
      }
      if let end = softBreak(input, position) {
        position = end
      } else if position + 2 <= input.count,
        let value = UInt8(String(decoding: input[position..<position + 2], as: UTF8.self), radix: 16)
      {
        result.append(value)
        position += 2
      } else {
        result.append(byte)
      }
    }
    return result
  }

  private static func softBreak(_ input: [UInt8], _ start: Int) -> Int? {
    var position = start
    while position < input.count, input[position] == 0x20 || input[position] == 0x0D { position += 1 }
    return position < input.count && input[position] == 0x0A ? position + 1 : nil
  }
}
