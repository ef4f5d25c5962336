internal import MessageStorage

/// A message found by a search: the keys of the message, followed by those of the hit.
public struct HitAnswer: Codable, Hashable, Sendable {
  /// The message.
  public var message: MessageAnswer
  /// The matches in it, and the messages around it.
  public var found: Found

  /// The hit besides its message.
  public struct Found: Codable, Hashable, Sendable {
    /// The matches in the text; `nil` if they lie beyond the part that a page carries, or if the query asks
    /// for the absence of something.
    public var matches: [MatchAnswer]?
    /// The surroundings of the first match, on one line.
    public var snippet: SnippetAnswer
    /// The messages of the same conversation before it, oldest first, if asked for.
    public var before: [MessageAnswer]?
    /// The messages of the same conversation after it, oldest first, if asked for.
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
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    message = try MessageAnswer(from: decoder)
    found = try Found(from: decoder)
  }

  /// Writes it as docs/json.md describes.
  public func encode(to encoder: any Encoder) throws {
    try message.encode(to: encoder)
    try found.encode(to: encoder)
  }
}

/// A part of a text, in bytes of its UTF-8.
public struct MatchAnswer: Codable, Hashable, Sendable {
  /// The first byte.
  public var start: Int
  /// The byte after the last.
  public var end: Int

  static func list(_ ranges: [Range<Int>]) -> [MatchAnswer]? {
    ranges.isEmpty ? nil : ranges.map { MatchAnswer(start: $0.lowerBound, end: $0.upperBound) }
  }
}

/// A short part of a text on one line, with `…` where it is cut.
public struct SnippetAnswer: Codable, Hashable, Sendable {
  /// The part, with its cuts.
  public var text: String
  /// The matches in it.
  public var matches: [MatchAnswer]?
}
