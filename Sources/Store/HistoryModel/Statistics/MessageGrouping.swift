internal import MessageModel

/// The property by which messages are counted in groups.
public enum MessageGrouping: String, Hashable, Sendable, CaseIterable, Codable {
  /// The year on the clock of a zone.
  case year
  /// The month of a year.
  case month
  /// The day.
  case day
  /// The day of the week.
  case weekday
  /// The hour of the day.
  case hour
  /// The sender; another name of a sender counts as that sender.
  case sender
  /// The person; senders that are not a person's account are counted by name.
  case person
  /// The conversation.
  case conversation
  /// The kind.
  case kind

  /// Decodes one of the words.
  ///
  /// - Throws: `DecodingError` for any other word.
  public init(from decoder: any Decoder) throws { self = try decoder.wordOfSeveral() }
}
