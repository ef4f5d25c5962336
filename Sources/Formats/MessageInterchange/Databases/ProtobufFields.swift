/// The strings and submessages in Protocol Buffers' encoding
/// (<https://protobuf.dev/programming-guides/encoding/>), and its whole numbers.
enum ProtobufFields {
  static func forEach(in bytes: Bytes, _ body: (UInt64, Bytes) -> Void) {
    walk(bytes, number: { _, _ in }, content: body)
  }

  static func forEachNumber(in bytes: Bytes, _ body: (UInt64, UInt64) -> Void) {
    walk(bytes, number: body, content: { _, _ in })
  }

  private static func walk(
    _ bytes: Bytes, number: (UInt64, UInt64) -> Void, content: (UInt64, Bytes) -> Void
  ) {
    var position = 0
    while position < bytes.count, let tag = varint(bytes, &position) {
      switch tag & 7 {
      case 0:
        guard let value = varint(bytes, &position) else { return }
        number(tag >> 3, value)
      case 1: position += 8
      case 2:
        guard let count = varint(bytes, &position), count <= UInt64(bytes.count - position) else { return }
        content(tag >> 3, Bytes(rebasing: bytes[position..<position + Int(count)]))
        position += Int(count)
      case 5: position += 4
      default: return
      }
    }
  }

  private static func varint(_ bytes: Bytes, _ position: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
