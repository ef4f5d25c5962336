internal import MessageModel

/// Bytes that an encoder and its containers write to, one after the other.
final class JSONOutput {
  var bytes: [UInt8] = []

  /// Appends a value: what it is asks no runtime, which would cost more than the writing.
  func write<Value: Encodable>(_ value: Value) throws {
    let encoder = JSONEncoding(output: self)
    try value.encode(to: encoder)
    encoder.finish()
  }

  func write(_ number: Double) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no such number"))
    }
    // Whole numbers are written without a fraction, as JavaScript does.
    bytes.append(Int64(exactly: number).map { String($0) } ?? "\(number)")
  }
}
