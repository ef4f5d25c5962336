// Codable forms, as in JSON Lines.

extension Message.ID: Codable {
  /// Decodes a string of decimal digits: programs with floating-point numbers alone cannot represent an id.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("the id of a message") { Message.ID($0) }
  }

  /// Encodes a string of decimal digits.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: description) }
}

extension Timestamp: Codable {
  /// Decodes an ISO 8601 time; without a zone it is in UTC.
  ///
  /// - Throws: `DecodingError` for anything else, and times that do not exist.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("a time") { Timestamp(iso8601: $0) }
  }

  /// Encodes the moment in UTC to the millisecond: `2024-05-01T12:34:56.789Z`.
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
  /// Decodes a ``name``.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("a precision") { TimePrecision(name: $0) }
  }

  /// Encodes the ``name``.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: name) }
}

extension Message.Kind: Codable {
  /// Decodes a ``name``.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("a kind of message") { Message.Kind(name: $0) }
  }

  /// Encodes the ``name``.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: name) }
}

extension Message.SendingState: Codable {
  /// Decodes a ``name``.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("how far a message was sent") { Message.SendingState(name: $0) }
  }

  /// Encodes the ``name``.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: name) }
}

extension PictureState: Codable {
  /// Decodes the word of a state.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    self = try decoder.word("what became of a picture") { PictureState(word: $0) }
  }

  /// Encodes the word of the state.
  public func encode(to encoder: any Encoder) throws { try encoder.write(word: word) }
}

extension MessagePredicate.Feature {
  /// Decodes a word.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws { self = try decoder.wordOfSeveral() }
}

extension PageRequest.Order {
  /// Decodes a word.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws { self = try decoder.wordOfSeveral() }
}

extension DecodingError {
  /// Marks errors whose sentence was written for people by this program.
  private struct Told: Error {}

  /// Creates an error with a sentence for people.
  package static func told(_ sentence: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(Context(codingPath: path, debugDescription: sentence, underlyingError: Told()))
  }

  /// The sentence for people, if the error has one.
  package var sentence: String? {
    guard case .dataCorrupted(let context) = self, context.underlyingError is Told else { return nil }
    return context.debugDescription
  }
}

extension Decoder {
  /// Decodes one of a type's words.
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
