public import MessageModel

/// A day or month of a selection, with its messages.
public struct HistorySection: Hashable, Sendable {
  /// The length of a section.
  public enum Span: String, Hashable, Sendable, CaseIterable, Codable {
    /// A day.
    case day
    /// A month.
    case month

    /// Decodes one of the words.
    ///
    /// - Throws: `DecodingError` for any other word.
    public init(from decoder: any Decoder) throws { self = try decoder.wordOfSeveral() }
  }

  /// Its first midnight on the clock of the zone.
  public var start: CivilTime
  /// The first message written in it.
  public var oldest: Message.ID
  /// The ordinal of that message's place in the selection.
  public var firstOrdinal: Int
  /// The number of messages.
  public var count: Int

  /// Creates a section.
  package init(start: CivilTime, oldest: Message.ID, firstOrdinal: Int, count: Int) {
    (self.start, self.oldest, self.firstOrdinal, self.count) = (start, oldest, firstOrdinal, count)
  }
}
