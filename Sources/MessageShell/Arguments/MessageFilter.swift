internal import HistoryQueries
package import MessageModel
internal import MessageStorage

/// A filter as people put it: names, dates and words. What they mean is found out in a store.
package struct MessageFilter: Hashable, Sendable {
  package var senders: [String] = []
  package var since: String?
  package var until: String?
  package var kinds: [String] = []
  package var isTextOnly = false
  package var features: [String] = []
  package var query: String?
  package var pattern: String?
  /// The names of saved filters that must let a message through, too.
  package var saved: [String] = []

  /// Creates a filter that lets everything through.
  package init() {}

  /// Asks for all that another filter asks for, too. Of what can be said only once the other's counts.
  package mutating func add(_ other: MessageFilter) {
    senders += other.senders
    kinds += other.kinds
    features += other.features
    saved += other.saved
    isTextOnly = isTextOnly || other.isTextOnly
    since = other.since ?? since
    until = other.until ?? until
    query = [query, other.query].compactMap { $0 }.joined(separator: " ")
    if query?.isEmpty == true { query = nil }
    pattern = other.pattern ?? pattern
  }

  /// Returns the predicate that is meant.
  ///
  /// - Parameters:
  ///   - now: The time now.
  ///   - clock: The clock on the wall by which times are understood.
  /// - Throws: ``UsageError`` that names the word that is not understood; ``StoreError``.
  package func predicate(
    in store: any ReplStore, now: Timestamp, clock: inout WallClock
  ) throws -> MessagePredicate {
    var filter = HistoryFilter()
    let senderIDs = senders.isEmpty ? nil : try senderIDs(in: store)
    filter.since = try since.map { try Self.moment($0, now, &clock) }
    filter.until = try until.map { try Self.moment($0, now, &clock) }
    filter.kinds = kinds.isEmpty ? nil : try kinds.map(Self.kind)
    filter.textOnly = isTextOnly
    filter.has = try features.map(Self.feature)
    (filter.matching, filter.regex) = (query, pattern)
    return filter.predicate(
      senderIDs: senderIDs, filters: try saved.map { try Self.predicate(ofSaved: $0, in: store) })
  }

  private static func predicate(ofSaved name: String, in store: any ReplStore) throws -> MessagePredicate {
    if let filter = try store.savedFilter(named: name) { return filter.predicate }
    let near = Nearest.name(to: name, among: try store.savedFilters().map(\.name))
    throw UsageError(
      "no filter is saved as '\(VisibleText.of(name))'",
      cause: near.map { "did you mean '\(VisibleText.of($0))'?" },
      remedy: near == nil ? "scrollback filters" : nil, status: .nothingFound)
  }

  private func senderIDs(in store: any ReplStore) throws -> Set<Sender.ID> {
    var ids: Set<Sender.ID> = []
    for name in senders {
      let meant = try store.senderIDs(named: name)
      if meant.isEmpty { throw try Self.unknownSender(name, in: store) }
      ids.formUnion(meant)
    }
    return ids
  }

  private static func unknownSender(_ name: String, in store: any ReplStore) throws -> UsageError {
    let near = Nearest.name(to: name, among: try store.senders().map(\.sender.name))
    return UsageError(
      "no sender '\(VisibleText.of(name))'", cause: near.map { "did you mean '\(VisibleText.of($0))'?" },
      remedy: near == nil ? "scrollback senders" : nil, status: .nothingFound)
  }

  private static func moment(
    _ text: String, _ now: Timestamp, _ clock: inout WallClock
  ) throws -> Timestamp {
    guard let expression = TimeExpression(text) else {
      throw UsageError(
        "'\(VisibleText.of(text))' is no time",
        remedy: "2024-05-01, '2024-05-01 14:30', yesterday, '3 days ago', -2h")
    }
    return expression.moment(now: now, clock: &clock)
  }

  private static func kind(_ name: String) throws -> Message.Kind {
    if let kind = Message.Kind(name: name) { return kind }
    throw UsageError(
      "no kind is called '\(VisibleText.of(name))'",
      remedy: "one of: " + Message.Kind.allCases.map(\.name).joined(separator: ", "))
  }

  private static func feature(_ name: String) throws -> MessagePredicate.Feature {
    if let feature = MessagePredicate.Feature(rawValue: name) { return feature }
    throw UsageError(
      "messages have no '\(VisibleText.of(name))'",
      remedy: "one of: " + MessagePredicate.Feature.allCases.map(\.rawValue).joined(separator: ", "))
  }
}
