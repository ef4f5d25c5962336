package import Foundation
package import MessageModel
internal import MessageStorage

extension QuestionAnswerer {
  /// Returns tokens and cost by a property, each use counted once.
  ///
  /// The notes of tokens among messages count at their times. A session without such notes, of which an import
  /// only noted sums, counts as a whole: at its newest message, and for its most frequent model.
  ///
  /// - Parameters:
  ///   - grouping: The property.
  ///   - query: A typed query (docs/sessions.md); `nil` or an empty one for all.
  ///   - limit: The most groups.
  ///   - zone: The time zone of days, and of times without one.
  /// - Complexity: O(sessions + notes of tokens), in pages of notes.
  package func usage(
    by grouping: UsageGrouping = .day, matching query: String? = nil,
    limit: Int = QuestionAnswerer.usualLimit,
    timeZone zone: TimeZone = .gmt
  ) throws(StoreError) -> UsageAnswer {
    let wanted = try WantedUses(query, of: self, zone)
    var ledger = UsageLedger(grouping, zone, .builtIn.replaced(by: prices))
    var sessions = UsageSessions(try store.sessions(where: wanted.sessions, limit: .max).sessions, of: store)
    var models = UsageModels(store)
    try eachUse(during: wanted.period) { message, use throws(StoreError) in
      let session = try sessions.session(of: message.conversation)
      if session == nil, wanted.sessions != .everything { return }
      let model = try models.model(of: use, at: message, in: session)
      guard wanted.takes(model) else { return }
      ledger.add(
        use, at: message.time, message.precision, model: model, project: session?.note.folder,
        program: try sessions.program(of: message.conversation))
    }
    for session in sessions.all where !session.reportsUse && wanted.takes(session.newestTime) {
      let model = session.models.first?.name
      guard let use = TokenUse(session.note), wanted.takes(model) else { continue }
      ledger.add(
        use, at: session.newestTime, session.newestPrecision, model: model, project: session.note.folder,
        program: session.identity.platform)
    }
    return ledger.answer(limit: limit)
  }

  /// Returns the sum of what notes among messages say since the last midnight.
  ///
  /// - Complexity: O(notes since then), however many sessions there are.
  package func usageToday(
    timeZone zone: TimeZone
  ) throws(StoreError) -> UsageGroupAnswer {
    let prices = PriceTable.builtIn.replaced(by: prices)
    var clock = WallClock(zone: zone)
    let today = clock.civil(at: now())
    let midnight = clock.moment(
      showing: CivilTime(year: today.year, month: today.month, day: today.day))
    var (sum, models) = (UsageSum(), UsageModels(store))
    try eachUse(during: midnight...Timestamp.supported.upperBound) { message, use throws(StoreError) in
      let model = try models.model(of: use, at: message)
      sum.add(use, model.flatMap(prices.price))
    }
    return UsageGroupAnswer(sum, by: .day, today.dateText)
  }

  /// Reads the notes of tokens in a period, oldest first.
  private func eachUse(
    during period: ClosedRange<Timestamp>?, _ body: (Message, TokenUse) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let period else { return }
    var parts: [MessagePredicate] = [.kind([.system]), .matching(UsageText.words)]
    if period != Timestamp.supported {
      // A time is never later than that of its place, where the index begins.
      parts += [.ids(Message.ID(time: period.lowerBound)...Message.ID.highest), .written(period)]
    }
    var request = PageRequest(
      Selection(.all, where: .all(of: parts)), order: .oldestFirst, anchor: .oldest, fetchLimit: 500,
      wantsCounts: false)
    while true {
      let page = try store.page(request)
      for message in page.messages where message.sender == nil {
        for use in UsageText.uses(in: message.text) { try body(message, use) }
      }
      guard !isCancelled() else { throw StoreError(.cancelled, "cannot add up tokens") }
      let last = page.messages.last.map { PageAnchor.after($0.id) }
      guard let next = page.nextAnchor ?? (page.hasNewer ? last : nil) else { return }
      request.anchor = next
    }
  }
}

/// What a query says about uses of tokens.
private struct WantedUses {
  private(set) var sessions = SessionPredicate.everything
  /// `nil` for no time.
  private(set) var period: ClosedRange<Timestamp>? = Timestamp.supported
  private var models: [NamePattern] = []

  init(_ query: String?, of queries: QuestionAnswerer, _ zone: TimeZone) throws(StoreError) {
    guard let query, let read = try MessageQuery(reading: query) else { return }
    var compiler = QueryCompiler(queries.store, now: queries.now(), clock: WallClock(zone: zone))
    var rest: [QueryExpression] = []
    for part in MessageQuery.parts(of: read.expression) {
      guard case .term(let term) = part else {
        rest.append(part)
        continue
      }
      if term.key.isTime {
        narrow(to: try compiler.predicate(term))
      } else {
        if term.key == .model { models.append(NamePattern(finding: term.value)) }
        rest.append(part)
      }
    }
    if let rest = MessageQuery.all(rest) { sessions = try compiler.sessions(rest) }
  }

  private mutating func narrow(to predicate: MessagePredicate) {
    guard case .written(let range) = predicate, let known = period, range.overlaps(known) else {
      period = nil
      return
    }
    period = range.clamped(to: known)
  }

  func takes(_ time: Timestamp) -> Bool { period?.contains(time) ?? false }

  func takes(_ model: String?) -> Bool {
    models.allSatisfy { pattern in model.map(pattern.matches) ?? false }
  }
}

/// The sessions by conversation, also by those of their branches and agents.
private struct UsageSessions {
  let all: [AssistantSession]
  private let store: SynchronousMessageStore
  private var places: [Conversation.ID: Int?]
  private var programs: [Conversation.ID: String?] = [:]

  init(_ sessions: [AssistantSession], of store: SynchronousMessageStore) {
    all = sessions
    self.store = store
    places = Dictionary(
      sessions.enumerated().map { ($1.id, Optional($0)) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func session(of conversation: Conversation.ID) throws(StoreError) -> AssistantSession? {
    if let known = places[conversation] { return known.map { all[$0] } }
    let place = try store.session(withPart: conversation).flatMap { places[$0] ?? nil }
    places.updateValue(place, forKey: conversation)
    return place.map { all[$0] }
  }

  /// Returns the platform of a conversation's session, or its own.
  mutating func program(of conversation: Conversation.ID) throws(StoreError) -> String? {
    if let session = try session(of: conversation) { return session.identity.platform }
    if let known = programs[conversation] { return known }
    let program = try store.platform(of: conversation)
    programs.updateValue(program, forKey: conversation)
    return program
  }
}

/// The models of replies before a note.
private struct UsageModels {
  private let store: SynchronousMessageStore
  private var known: [Sender.ID: String?] = [:]

  /// The most messages between a note and a reply.
  private static let farthest = 8

  init(_ store: SynchronousMessageStore) { self.store = store }

  mutating func model(
    of use: TokenUse, at note: Message, in session: AssistantSession? = nil
  ) throws(StoreError) -> String? {
    if let model = use.model { return model }
    if let session, session.models.count == 1 { return session.models[0].name }
    let steps = Selection(note.conversation, where: .kind([.text, .thinking, .tool]))
    let page = try store.page(
      PageRequest(
        steps, order: .newestFirst, anchor: .before(note.id), fetchLimit: Self.farthest, wantsCounts: false))
    for message in page.messages {
      if let model = try model(of: message) { return model }
    }
    return nil
  }

  private mutating func model(of message: Message) throws(StoreError) -> String? {
    guard let sender = message.sender else { return nil }
    if let model = known[sender.id] { return model }
    let model = try store.records(of: [message.id]).records.first?.senderID
    known.updateValue(model, forKey: sender.id)
    return model
  }
}

extension TokenUse {
  /// The sums of a session; `nil` if unknown.
  fileprivate init?(_ note: SessionNote) {
    self.init()
    (sent, cached, received, cost) = (note.sentTokens, note.cachedTokens, note.receivedTokens, note.cost)
    if sent == nil, received == nil, cost == nil { return nil }
  }
}

extension MessageQuery {
  /// Returns the parts that all must hold.
  fileprivate static func parts(of expression: QueryExpression) -> [QueryExpression] {
    if case .all(let parts) = expression { return parts }
    return [expression]
  }
}
