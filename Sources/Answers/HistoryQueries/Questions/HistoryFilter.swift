public import MessageModel

/// A choice of messages: all that is said must hold. What names, times and words mean is found out as it is for those
/// that somebody types (docs/queries.md).
public struct HistoryFilter: Codable, Hashable, Sendable {
  /// The names of those of whom one wrote it, their other names included; as behind `from:`.
  public var senders: [String]?
  /// Of which kinds one is it.
  public var kinds: [Message.Kind]?
  /// Whether only what people said and did is wanted: no events, no notices.
  public var textOnly: Bool?
  /// The features that it has.
  public var has: [MessagePredicate.Feature]?
  /// At or after this time, as people say it or in ISO 8601.
  public var since: String?
  /// Before this time.
  public var until: String?
  /// Of the thread that this message belongs to.
  public var thread: Message.ID?
  /// Found by a query.
  public var matching: String?
  /// Found by a regular expression.
  public var regex: String?
  /// The names of saved filters that let it through.
  public var saved: [String]?

  /// Creates a filter that lets everything through.
  public init() {}

  /// Returns the query that would be typed for it; `nil` for nothing.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if a query is not understood.
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
    // Not beside the kinds, of which any would do.
    if textOnly == true { parts.append(.any([.term(QueryTerm(.kind, MessageQuery.said))])) }
    if let matching { parts.append(try MessageQuery(matching).expression) }
    return MessageQuery.all(parts)
  }
}

extension HistoryFilter? {
  /// Whether messages alone decide what it lets through.
  var isOfMessagesAlone: Bool {
    guard let filter = self else { return true }
    let times = [filter.since, filter.until].compactMap(\.self)
    return filter.senders == nil && filter.saved == nil && filter.matching.isOfMessagesAlone
      && times.allSatisfy { PageStart(time: $0)?.spokenTime == nil }
  }
}

/// The words of a query.
extension String? {
  /// Whether messages alone decide what they find.
  var isOfMessagesAlone: Bool {
    guard let words = self, let query = try? MessageQuery(words) else { return true }
    return query.isOfMessagesAlone
  }
}
