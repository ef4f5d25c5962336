internal import MessageModel

/// The `Encoder` of one value.
///
/// What encodes itself directly is written as it comes. A container that is asked for within another may be written to
/// later: its bytes are put in their place at the end. Coding paths are not kept, since nothing but numbers can fail.
final class JSONEncoding: Encoder {
  let output: JSONOutput
  /// What the value has turned out to be.
  private var shape = Shape.undecided
  private(set) var count = 0
  /// Containers that were asked for within this one, and where they belong.
  private var inner: [(place: Int, encoding: JSONEncoding)] = []

  private enum Shape {
    case undecided, object, list, single
  }

  init(output: JSONOutput) { self.output = output }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.object, "{")
    return KeyedEncodingContainer(JSONObject<Key>(encoding: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.list, "[")
    return JSONList(encoding: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    shape = .single
    return JSONSingle(encoding: self)
  }

  /// Several containers of a value, as of a class and what it inherits from, are one.
  private func open(_ shape: Shape, _ sign: StaticString) {
    guard self.shape != shape else { return }
    self.shape = shape
    output.bytes.append(sign)
  }

  /// Writes what stands before the next element.
  func beginElement() {
    if count > 0 { output.bytes.append(",") }
    count += 1
  }

  /// Returns the encoder of an element that is written later.
  func later() -> JSONEncoding {
    let encoding = JSONEncoding(output: JSONOutput())
    inner.append((output.bytes.count, encoding))
    return encoding
  }

  /// Writes the end of the value.
  func finish() {
    for (place, encoding) in inner.reversed() {
      encoding.finish()
      output.bytes.insert(contentsOf: encoding.output.bytes, at: place)
    }
    switch shape {
    case .undecided: output.bytes.append("{}")
    case .object: output.bytes.append("}")
    case .list: output.bytes.append("]")
    case .single: break
    }
  }
}

private struct JSONObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { [] }

  private func begin(_ key: String) {
    encoding.beginElement()
    JSONText.write(key, to: &encoding.output.bytes)
    encoding.output.bytes.append(":")
  }

  private func later(_ key: String) -> JSONEncoding {
    begin(key)
    return encoding.later()
  }

  func encodeNil(forKey key: Key) {
    begin(key.stringValue)
    encoding.output.bytes.append("null")
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    begin(key.stringValue)
    try encoding.output.write(value)
  }

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
  func encode<Value: Encodable>(_ value: Value) throws { try encoding.output.write(value) }
}
