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
