internal import MessageModel

/// Encodes values as JSON: keys in the order of encoding, absent values left out, no spaces.
///
/// It writes all JSON that commands print. Strings are escaped as in JSON Lines, so that none can control a
/// terminal.
public enum AnswerEncoder {
  /// Returns a value as JSON on one line, without the line end.
  ///
  /// - Throws: `EncodingError` for a number that JSON does not have, and what the value throws.
  public static func bytes(of value: some Encodable) throws -> [UInt8] {
    let output = JSONOutput()
    try output.write(value)
    return output.bytes
  }

  /// Appends a value as one line of JSON.
  ///
  /// - Throws: As ``bytes(of:)``; the bytes are then unchanged.
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

/// The fields of an answer that occurs by the thousand.
///
/// They bypass containers, whose use of runtime types doubles the number of instructions. Other encoders get
/// them through a container of their own.
struct AnswerFields<Key: CodingKey> {
  private let json: JSONEncoding?
  private let other: Other?

  /// By reference: inline storage would cost every writer of JSON as much as a field.
  private final class Other {
    var container: KeyedEncodingContainer<Key>

    init(_ container: KeyedEncodingContainer<Key>) { self.container = container }
  }

  init(_ encoder: any Encoder) {
    json = encoder as? JSONEncoding
    json?.beginObject()
    other = json == nil ? Other(encoder.container(keyedBy: Key.self)) : nil
  }

  func add(_ key: Key, _ value: (some JSONScalar)?) throws {
    guard let value else { return }
    if let json {
      json.add(key.stringValue, value)
    } else {
      try other?.container.encode(value, forKey: key)
    }
  }

  /// Writes a field with parts of its own, unless it is `nil`.
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

/// A value that is one token in JSON, written without an encoder.
protocol JSONScalar: Encodable {
  /// Appends the same as ``encode(to:)`` would.
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
