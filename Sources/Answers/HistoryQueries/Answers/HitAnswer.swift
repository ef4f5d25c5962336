internal import MessageStorage

/// A message that a search has found: the keys of the message, and then those of the hit.
public struct HitAnswer: Codable, Hashable, Sendable {
  /// The message.
  public var message: MessageAnswer
  /// The matches in it, and the messages around it.
  public var found: Found

  /// The facts of a hit besides its message.
  public struct Found: Codable, Hashable, Sendable {
    /// The matches in the text; `nil` if that lies behind what a page carries, or is something that is not there.
    public var matches: [MatchAnswer]?
    /// The surroundings of the first place found, on one line.
    public var snippet: SnippetAnswer
    /// The messages of the same conversation before it, oldest first, if they were wanted.
    public var before: [MessageAnswer]?
    /// The messages of the same conversation after it, oldest first, if they were wanted.
    public var after: [MessageAnswer]?
  }

  init(_ message: MessageAnswer, _ hit: SearchHit) {
    self.message = message
    found = Found(
      matches: MatchAnswer.list(hit.matches),
      snippet: SnippetAnswer(text: hit.snippet.text, matches: MatchAnswer.list(hit.snippet.matches)))
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if it is something else, or a part of it is.
  public init(from decoder: any Decoder) throws {
    message = try MessageAnswer(from: decoder)
    found = try Found(from: decoder)
  }

  /// Writes it as docs/json.md tells.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try message.encode(to: encoder)
    try found.encode(to: encoder)
  }
}

/// A part of a text, in bytes of its UTF-8.
public struct MatchAnswer: Codable, Hashable, Sendable {
  /// The first byte.
  public var start: Int
  /// The first byte behind it.
  public var end: Int

  static func list(_ ranges: [Range<Int>]) -> [MatchAnswer]? {
    ranges.isEmpty ? nil : ranges.map { MatchAnswer(start: $0.lowerBound, end: $0.upperBound) }
  }
}

/// A short part of a text on one line, with `…` where it was cut.
public struct SnippetAnswer: Codable, Hashable, Sendable {
  /// The part, with its cuts.
  public var text: String
  /// The matches in it.
  public var matches: [MatchAnswer]?
}
