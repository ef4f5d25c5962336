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
  /// Reads the word of a state.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("what became of a picture") { PictureState(word: $0) }
  }

  /// Writes the word of the state.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: word) }
}

extension MessagePredicate.Feature {
  /// Reads its word.
  ///
  /// - Throws: `DecodingError` if it is another word, or none.
  public init(from decoder: any Decoder) throws { self = try decoder.wordOfSeveral() }
}

extension PageRequest.Order {
  /// Reads its word.
  ///
  /// - Throws: `DecodingError` if it is another word, or none.
  public init(from decoder: any Decoder) throws { self = try decoder.wordOfSeveral() }
}

extension DecodingError {
  /// Marks an error whose sentence is ours, and not of what reads JSON.
  private struct Told: Error {}

  /// Returns the error that tells a sentence of ours.
  package static func told(_ sentence: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(Context(codingPath: path, debugDescription: sentence, underlyingError: Told()))
  }

  /// The sentence of ours that it tells; `nil` if it is another error.
  package var sentence: String? {
    guard case .dataCorrupted(let context) = self, context.underlyingError is Told else { return nil }
    return context.debugDescription
  }
}

extension Decoder {
  /// Reads one of the words that a type has.
  package func wordOfSeveral<Word: RawRepresentable & CaseIterable>() throws -> Word
  where Word.RawValue == String {
    let text = try singleValueContainer().decode(String.self)
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map { "'\($0.rawValue)'" }
    throw DecodingError.told(
      "'\(VisibleText.of(String(text.prefix(60))))' is not one of \(words.joined(separator: ", "))",
      at: codingPath)
  }

  fileprivate func word<Value>(_ wanted: String, _ read: (String) -> Value?) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    if let value = read(text) { return value }
    throw DecodingError.told(
      "'\(VisibleText.of(String(text.prefix(60))))' is not \(wanted)", at: codingPath)
  }
}

extension Encoder {
  fileprivate func write(word: String) throws {
    var container = singleValueContainer()
    try container.encode(word)
  }
}
