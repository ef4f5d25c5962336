internal import MessageModel

/// Bytes that an encoder and its containers write to, one after the other.
final class JSONOutput {
  var bytes: [UInt8] = []

  /// Appends a value.
  func write<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let text as String: JSONText.write(text, to: &bytes)
    case let number as Int: bytes.append(decimal: Int64(number))
    case let flag as Bool: bytes.append(flag ? "true" : "false")
    case let number as Double: try write(number)
    case let number as Float: try write(Double(number))
    case let number as any BinaryInteger: bytes.append(String(describing: number))
    default:
      let encoder = JSONEncoding(output: self)
      try value.encode(to: encoder)
      encoder.finish()
    }
  }

  private func write(_ number: Double) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no such number"))
    }
    // Whole numbers are written without a fraction, as JavaScript does.
    bytes.append(Int64(exactly: number).map { String($0) } ?? "\(number)")
  }
}
