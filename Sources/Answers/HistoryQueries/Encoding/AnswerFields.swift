/// The fields of an answer that comes by the thousand, as they are written.
///
/// As JSON they are written as they come: by way of containers, which ask the runtime for types, it took twice as many
/// instructions. Any other encoder gets them through a container of its own.
struct AnswerFields<Key: CodingKey> {
  private let json: JSONEncoding?
  private let other: Other?

  /// The container of another encoder, by reference: room for it would cost who writes JSON as much as a field.
  private final class Other {
    var container: KeyedEncodingContainer<Key>

    init(_ container: KeyedEncodingContainer<Key>) { self.container = container }
  }

  init(_ encoder: any Encoder) {
    json = encoder as? JSONEncoding
    json?.beginObject()
    other = json == nil ? Other(encoder.container(keyedBy: Key.self)) : nil
  }

  /// Writes a field, unless there is none.
  ///
  /// - Throws: What the encoder throws.
  func add(_ key: Key, _ value: (some JSONScalar)?) throws {
    guard let value else { return }
    if let json {
      json.add(key.stringValue, value)
    } else {
      try other?.container.encode(value, forKey: key)
    }
  }

  /// Writes a field of several parts, unless there is none.
  ///
  /// - Throws: What the encoder or the value throws.
  func add(_ key: Key, parts value: (some Encodable)?) throws {
    guard let value else { return }
    if let json {
      json.beginField(key.stringValue)
      try json.output.write(value)
    } else {
      try other?.container.encode(value, forKey: key)
    }
  }
}
