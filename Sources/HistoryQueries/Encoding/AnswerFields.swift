/// Where an answer that comes by the thousand writes its fields.
///
/// As JSON they are written as they come: by way of containers, which ask the runtime for types, it took twice as many
/// instructions. Any other encoder gets them through a container of its own.
struct AnswerFields<Key: CodingKey> {
  private let json: JSONEncoding?
  private var container: KeyedEncodingContainer<Key>?

  init(_ encoder: any Encoder) {
    json = encoder as? JSONEncoding
    json?.beginObject()
    container = json == nil ? encoder.container(keyedBy: Key.self) : nil
  }

  /// Writes a field, unless there is none.
  ///
  /// - Throws: What the encoder throws.
  mutating func add(_ key: Key, _ value: (some JSONScalar)?) throws {
    guard let value else { return }
    if let json {
      json.add(key.stringValue, value)
    } else {
      try container?.encode(value, forKey: key)
    }
  }

  /// Writes a field of several parts, unless there is none.
  ///
  /// - Throws: What the encoder or the value throws.
  mutating func add(_ key: Key, parts value: (some Encodable)?) throws {
    guard let value else { return }
    if let json {
      json.beginField(key.stringValue)
      try json.output.write(value)
    } else {
      try container?.encode(value, forKey: key)
    }
  }
}
