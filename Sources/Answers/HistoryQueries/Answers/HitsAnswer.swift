public import MessageModel

/// The hits of a search, newest first.
public struct HitsAnswer: Codable, Hashable, Sendable {
  /// The hits.
  public var hits: [HitAnswer]
  /// The place to go on at in the same direction; `nil` if there is no more.
  public var next: PageStart?
  /// The number of all hits; `nil` if that was not asked, or would take reading all texts.
  public var total: Int?
  /// Whether the total is exact; it is an estimate if not.
  public var exact: Bool?
  /// The time up to which messages were looked at, if the search stopped before it had as many hits as were wanted: each
  /// answer of a regular expression looks at some hundred thousand texts.
  public var searchedTo: Timestamp?
  /// Why nothing was found, where that can be told.
  public var nothing: NothingAnswer?
}

/// Why a search for words has found nothing.
public struct NothingAnswer: Codable, Hashable, Sendable {
  /// Those of the words that nothing was found for.
  public var missing: [String]?
  /// Those of the words that are there, if others are missing, or if they are not together.
  public var present: [String]?
  /// Words that are there and near to those missing: other forms, other spellings, words with a star that go on.
  public var near: [String]?
  /// Names of other conversations in which it is found.
  public var elsewhere: [String]?
  /// The terms of the query, if the words are there but not with them.
  public var excluding: [String]?
}
