public import MessageModel

/// Which messages are wanted: all that is said must hold.
public struct HistoryFilter: Codable, Hashable, Sendable {
  /// The names of those of whom one wrote it, their other names included.
  public var senders: [String]?
  /// Of which kinds one is it.
  public var kinds: [Message.Kind]?
  /// Whether only what people said and did is wanted: no events, no notices.
  public var textOnly: Bool?
  /// What it has.
  public var has: [MessagePredicate.Feature]?
  /// At or after this time.
  public var since: Timestamp?
  /// Before this time.
  public var until: Timestamp?
  /// Of the thread that begins with this message.
  public var thread: Message.ID?
  /// Found by a full-text query.
  public var matching: String?
  /// Found by a regular expression.
  public var regex: String?
  /// The names of saved filters that let it through.
  public var saved: [String]?

  /// Creates a filter that lets everything through.
  public init() {}

  /// Returns what is meant.
  ///
  /// - Parameters:
  ///   - senderIDs: Who bears the names of ``senders``; `nil` if there are none.
  ///   - filters: What the filters named in ``saved`` let through.
  package func predicate(senderIDs: Set<Sender.ID>?, filters: [MessagePredicate]) -> MessagePredicate {
    var parts: [MessagePredicate] = []
    if let senderIDs { parts.append(.sender(senderIDs)) }
    if since != nil || until != nil { parts.append(.time(from: since, until: until)) }
    if let kinds { parts.append(.kind(Set(kinds))) }
    if textOnly == true { parts.append(.textOnly) }
    parts += (has ?? []).map { .has($0) }
    if let thread { parts.append(.thread(thread)) }
    if let matching { parts.append(.matching(matching)) }
    if let regex { parts.append(.regex(regex)) }
    parts += filters
    if parts.isEmpty { return .everything }
    return parts.count == 1 ? parts[0] : .and(parts)
  }
}
