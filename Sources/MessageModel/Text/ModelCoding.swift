// How values are written where they are `Codable`: as JSON Lines have them.

extension Message.ID: Codable {
  /// Reads decimal digits in a string: programs that have floating-point numbers alone cannot hold an id.
  ///
  /// - Throws: `DecodingError` if it is no string, or the string no id.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("the id of a message") { Message.ID($0) }
  }

  /// Writes decimal digits in a string.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: description) }
}

extension Timestamp: Codable {
  /// Reads a time of ISO 8601; one without a zone is in UTC.
  ///
  /// - Throws: `DecodingError` if it is no string, or the string no time that exists.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("a time") { Timestamp(iso8601: $0) }
  }

  /// Writes the moment in UTC to the millisecond: `2024-05-01T12:34:56.789Z`.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var bytes: [UInt8] = []
    ISO8601.write(self, to: &bytes)
    try encoder.write(word: String(decoding: bytes, as: UTF8.self))
  }

  private init?(iso8601 text: String) {
    var text = text
    guard let reading = text.withUTF8({ ISO8601.read(UnsafeRawBufferPointer($0)) }) else { return nil }
    self = Timestamp(utc: reading.civil).advanced(byMilliseconds: -(reading.offsetMilliseconds ?? 0))
  }
}

extension TimePrecision: Codable {
  /// Reads a ``name``.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("a precision") { TimePrecision(name: $0) }
  }

  /// Writes the ``name``.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: name) }
}

extension Message.Kind: Codable {
  /// Reads a ``name``.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("a kind of message") { Message.Kind(name: $0) }
  }

  /// Writes the ``name``.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: name) }
}

extension Message.SendingState: Codable {
  /// Reads a ``name``.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("how far a message was sent") { Message.SendingState(name: $0) }
  }

  /// Writes the ``name``.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: name) }
}

extension PictureState: Codable {
  /// Reads a ``word``.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("what became of a picture") { PictureState(word: $0) }
  }

  /// Writes the ``word``.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: word) }
}

extension Decoder {
  fileprivate func word<Value>(_ wanted: String, _ read: (String) -> Value?) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    if let value = read(text) { return value }
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "'\(VisibleText.of(String(text.prefix(60))))' is not \(wanted)")
  }
}

extension Encoder {
  fileprivate func write(word: String) throws {
    var container = singleValueContainer()
    try container.encode(word)
  }
}
