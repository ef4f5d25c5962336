internal import MessageModel

/// Writes values as JSON: keys in the order in which they are encoded, nothing but what is there, no spaces.
///
/// All JSON that commands print is written by it. Strings are escaped as in JSON Lines: what could control a terminal is
/// never written as it stands.
public enum AnswerEncoder {
  /// Returns a value as JSON in one line, without its end.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot say, and what the value throws.
  public static func bytes(of value: some Encodable) throws -> [UInt8] {
    let output = JSONOutput()
    try output.write(value)
    return output.bytes
  }

  /// Appends a value as one line of JSON.
  ///
  /// - Throws: As ``bytes(of:)``; the bytes are as they were then.
  public static func write(_ value: some Encodable, to bytes: inout [UInt8]) throws {
    let output = JSONOutput()
    swap(&output.bytes, &bytes)
    let start = output.bytes.count
    defer { swap(&output.bytes, &bytes) }
    do {
      try output.write(value)
      output.bytes.append(0x0A)
    } catch {
      output.bytes.removeLast(output.bytes.count - start)
      throw error
    }
  }
}

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
