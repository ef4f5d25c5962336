public import MessageModel

/// Conditions on messages, all of which must hold. Names, times and words mean the same as in typed queries
/// (docs/queries.md).
public struct HistoryFilter: Codable, Hashable, Sendable {
  /// The names of its possible senders, including their aliases, as after `from:`.
  public var senders: [String]?
  /// Its possible kinds.
  public var kinds: [Message.Kind]?
  /// Whether to select only what people said and did: no events, no notices.
  public var textOnly: Bool?
  /// The features that it must have.
  public var has: [MessagePredicate.Feature]?
  /// The earliest time, as people write it or in ISO 8601.
  public var since: String?
  /// The time before which it was written.
  public var until: String?
  /// A message of its thread.
  public var thread: Message.ID?
  /// A query that the message must meet.
  public var matching: String?
  /// A regular expression that must match it.
  public var regex: String?
  /// The names of saved filters that must match it.
  public var saved: [String]?

  /// Creates a filter that every message meets.
  public init() {}

  /// Returns the equivalent typed query; `nil` for no condition.
  func query() throws(StoreError) -> MessageQuery? {
    var terms = (senders ?? []).map { QueryTerm(.from, $0) }
    if let since { terms.append(QueryTerm(.since, since)) }
    if let until { terms.append(QueryTerm(.until, until)) }
    terms += (kinds ?? []).map { QueryTerm(.kind, $0.name) }
    terms += (has ?? []).map { QueryTerm(.has, $0.rawValue) }
    if let thread { terms.append(QueryTerm(.thread, thread.description)) }
    if let regex { terms.append(QueryTerm(.regex, regex)) }
    terms += (saved ?? []).map { QueryTerm(.filter, $0) }
    var parts = terms.map { QueryExpression.term($0) }
    // Kept apart from the kinds, which are alternatives.
    if textOnly == true { parts.append(.any([.term(QueryTerm(.kind, MessageQuery.said))])) }
    if let matching { parts.append(try MessageQuery(matching).expression) }
    return MessageQuery.all(parts)
  }
}

extension HistoryFilter? {
  var isOfMessagesAlone: Bool {
    guard let filter = self else { return true }
    let times = [filter.since, filter.until].compactMap(\.self)
    return filter.senders == nil && filter.saved == nil && filter.matching.isOfMessagesAlone
      && times.allSatisfy { PageStart(time: $0)?.spokenTime == nil }
  }
}

extension String? {
  var isOfMessagesAlone: Bool {
    guard let words = self, let query = try? MessageQuery(words) else { return true }
    return query.isOfMessagesAlone
  }
}
