internal import MessageModel

/// A value that JSON has as one word, and that writes it without an encoder.
protocol JSONScalar: Encodable {
  /// Appends the value, as ``encode(to:)`` has it.
  func write(to json: inout [UInt8])
}

extension String: JSONScalar {
  func write(to json: inout [UInt8]) { JSONText.write(self, to: &json) }
}

extension Int: JSONScalar {
  func write(to json: inout [UInt8]) { json.append(decimal: Int64(self)) }
}

extension Bool: JSONScalar {
  func write(to json: inout [UInt8]) { json.append(self ? "true" : "false") }
}

extension Message.ID: JSONScalar {
  func write(to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    json.append(decimal: rawValue)
    json.append(UInt8(ascii: "\""))
  }
}

extension Timestamp: JSONScalar {
  func write(to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    ISO8601.write(self, to: &json)
    json.append(UInt8(ascii: "\""))
  }
}

extension Message.Kind: JSONScalar {
  func write(to json: inout [UInt8]) { name.write(to: &json) }
}

extension TimePrecision: JSONScalar {
  func write(to json: inout [UInt8]) { name.write(to: &json) }
}

extension Message.SendingState: JSONScalar {
  func write(to json: inout [UInt8]) { name.write(to: &json) }
}
