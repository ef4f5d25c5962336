/// The strings and submessages in Protocol Buffers' encoding
/// (<https://protobuf.dev/programming-guides/encoding/>); numbers are skipped.
enum ProtobufFields {
  static func forEach(in bytes: Bytes, _ body: (UInt64, Bytes) -> Void) {
    var position = 0
    while position < bytes.count, let tag = varint(bytes, &position) {
      switch tag & 7 {
      case 0: guard varint(bytes, &position) != nil else { return }
      case 1: position += 8
      case 2:
        guard let count = varint(bytes, &position), count <= UInt64(bytes.count - position) else { return }
        body(tag >> 3, Bytes(rebasing: bytes[position..<position + Int(count)]))
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
