internal import MessageModel

/// The `Encoder` of one value.
///
/// Values are written as they are encoded. A nested container may be written later; its bytes are inserted at
/// the end. No coding paths are kept, since only numbers can cause an error.
final class JSONEncoding: Encoder {
  let output: JSONOutput
  /// The kind of value, known once it opens a container.
  private var shape = Shape.undecided
  private(set) var count = 0
  /// Nested containers, with their places in the output.
  private var inner: [(place: Int, encoding: JSONEncoding)] = []

  private enum Shape {
    case undecided, object, list, single
  }

  init(output: JSONOutput) { self.output = output }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    beginObject()
    return KeyedEncodingContainer(JSONObject<Key>(encoding: self))
  }

  func beginObject() { open(.object, UInt8(ascii: "{")) }

  /// Writes the key of a field, and the separator before it.
  func beginField(_ key: String) {
    beginElement()
    Self.write(key, to: &output.bytes)
  }

  func add(_ key: String, _ value: some JSONScalar) {
    let isFirst = count == 0
    count += 1
    // One access to the bytes: Swift checks each access for exclusivity, which takes time.
    Self.write(key, value, isFirst: isFirst, to: &output.bytes)
  }

  private static func write(
    _ key: String, _ value: some JSONScalar, isFirst: Bool, to bytes: inout [UInt8]
  ) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    write(key, to: &bytes)
    value.write(to: &bytes)
  }

  private static func write(_ key: String, to bytes: inout [UInt8]) {
    JSONText.write(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.list, UInt8(ascii: "["))
    return JSONList(encoding: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    shape = .single
    return JSONSingle(encoding: self)
  }

  /// A value may open a container several times, as a class and its superclass do: all write to the same one.
  private func open(_ shape: Shape, _ sign: UInt8) {
    guard self.shape != shape else { return }
    self.shape = shape
    output.bytes.append(sign)
  }

  func beginElement() {
    if count > 0 { output.bytes.append(UInt8(ascii: ",")) }
    count += 1
  }

  func later() -> JSONEncoding {
    let encoding = JSONEncoding(output: JSONOutput())
    inner.append((output.bytes.count, encoding))
    return encoding
  }

  func finish() {
    for (place, encoding) in inner.reversed() {
      encoding.finish()
      output.bytes.insert(contentsOf: encoding.output.bytes, at: place)
    }
    switch shape {
    case .undecided: output.bytes.append("{}")
    case .object: output.bytes.append(UInt8(ascii: "}"))
    case .list: output.bytes.append(UInt8(ascii: "]"))
    case .single: break
    }
  }
}

private struct JSONObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { [] }

  private func later(_ key: String) -> JSONEncoding {
    encoding.beginField(key)
    return encoding.later()
  }

  func encodeNil(forKey key: Key) {
    encoding.beginField(key.stringValue)
    encoding.output.bytes.append("null")
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    encoding.beginField(key.stringValue)
    try encoding.output.write(value)
  }

  // The most frequent types of fields.
  func encode(_ value: String, forKey key: Key) { encoding.add(key.stringValue, value) }
  func encode(_ value: Int, forKey key: Key) { encoding.add(key.stringValue, value) }
  func encode(_ value: Bool, forKey key: Key) { encoding.add(key.stringValue, value) }

  func nestedContainer<Inner>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> { later(key.stringValue).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    later(key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { later("super") }
  func superEncoder(forKey key: Key) -> any Encoder { later(key.stringValue) }
}

private struct JSONList: UnkeyedEncodingContainer {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { [] }
  var count: Int { encoding.count }

  private func later() -> JSONEncoding {
    encoding.beginElement()
    return encoding.later()
  }

  func encodeNil() {
    encoding.beginElement()
    encoding.output.bytes.append("null")
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    encoding.beginElement()
    try encoding.output.write(value)
  }

  func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
    later().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { later().unkeyedContainer() }
  func superEncoder() -> any Encoder { later() }
}

private struct JSONSingle: SingleValueEncodingContainer {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { [] }

  func encodeNil() { encoding.output.bytes.append("null") }
  func encode(_ value: String) { value.write(to: &encoding.output.bytes) }
  func encode(_ value: Bool) { value.write(to: &encoding.output.bytes) }
  func encode(_ value: Double) throws { try encoding.output.write(value) }
  func encode(_ value: Float) throws { try encoding.output.write(Double(value)) }
  func encode(_ value: Int) { value.write(to: &encoding.output.bytes) }
  func encode(_ value: Int8) { write(value) }
  func encode(_ value: Int16) { write(value) }
  func encode(_ value: Int32) { write(value) }
  func encode(_ value: Int64) { write(value) }
  func encode(_ value: UInt) { write(value) }
  func encode(_ value: UInt8) { write(value) }
  func encode(_ value: UInt16) { write(value) }
  func encode(_ value: UInt32) { write(value) }
  func encode(_ value: UInt64) { write(value) }
  func encode<Value: Encodable>(_ value: Value) throws { try encoding.output.write(value) }

  private func write(_ number: some BinaryInteger) { encoding.output.bytes.append(String(number)) }
}

final class JSONOutput {
  var bytes: [UInt8] = []

  /// Appends a value without runtime type checks, which would cost more than writing it.
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
    // Integers are written without a fraction, as in JavaScript.
    bytes.append(Int64(exactly: number).map { String($0) } ?? "\(number)")
  }
}
