internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns the messages that `request` asks for; see ``MessageSource/page(_:)``.
  ///
  /// In a large selection, counts under a filter by anything but sender, kind, feature or words are estimates
  /// until they have been computed in the background; ``MessageSource/changes()`` then reports that.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a negative limit or offset or a wrong expression.
  /// - Complexity: O(log *n* + limit) in a selection of *n* messages of one conversation or of all, at any
  ///   depth and offset; the counts add O(√*n*) small steps.
  public func page(_ request: MessageModel.PageRequest) throws(StoreError) -> Page {
    let known = store.backgroundCounts.known(of: request.selection)
    let page = try store.reading(
      "cannot read messages from '\(store.path)'", archived: { try $0.page(request) }
    ) { db in
      try Fetch(request, in: db, names: store.senderNames, known: known).page()
    }
    // Nothing listens to the watcher of a store over an archive.
    if page.counts?.isExact == false, store.watcher.hasListeners {
      store.backgroundCounts.begin(request.selection, in: store)
    }
    return page
  }

  /// Returns the version that a page of a selection would have now, without reading messages.
  ///
  /// - Complexity: O(conversations of the selection).
  public func version(of selection: Selection) throws(StoreError) -> SourceVersion {
    try store.reading(
      "cannot read messages from '\(store.path)'", archived: { try $0.version(of: selection) }
    ) { db in
      var version = try SourceVersion(of: selection, in: db)
      if selection.conversations == .all { version.origin = try store.versionOrigin.of(version, in: db) }
      return version
    }
  }
}

extension SynchronousMessageStore: SynchronousMessageSource {
  public func changes() -> AsyncStream<Void> { source.changes(watcher) }
}

struct Fetch {
  private let request: MessageModel.PageRequest
  private let db: Database
  private let reader: PageReader
  private let counter: Counter
  /// The gaps of the conversation, if the request is for a single one.
  private let gaps: GapTable?
  /// The most messages of one page; greater limits are reduced to it.
  static let maxLimit = 1_000_000

  /// `known` is the background count of the selection.
  init(
    _ request: MessageModel.PageRequest, in db: Database, names: SenderNames,
    budget: Int = PageReader.budget, known: ScannedCounts? = nil
  ) throws {
    try request.checkCounts()
    self.request = request
    self.db = db
    reader = try PageReader(request.selection, in: db, names: names, budget: budget)
    gaps = request.selection.conversations.one.map { GapTable(db: db, conversation: $0.rawValue) }
    // An estimate reads some thousand messages: only for requests that want counts.
    let isCounted = request.wantsCounts || request.anchor.isByCount
    counter = try Counter(
      request.selection, in: db, reader: reader, known: known,
      mayEstimate: isCounted && request.fetchOffset == 0)
  }

  private var limit: Int { min(request.fetchLimit, Self.maxLimit) }

  func page() throws -> Page {
    let start = try resolved(request.anchor)
    var page = try start.pivot.map { try around($0, resolution: start.resolution) } ?? oneSided(start)
    if page.messages.isEmpty, !page.hasOlder, !page.hasNewer { page.resolution = Page.Resolution(.nothing) }
    page.version = try SourceVersion(of: request.selection, in: db)
    page.own = try reader.names.own.ids(in: db)
    if request.wantsCounts, page.counts == nil { page.counts = try counts(of: page, start: start) }
    if request.order == .newestFirst { page.messages.reverse() }
    if request.wantsPayloads { try addPayloads(to: &page.messages) }
    return page
  }

  private func addPayloads(to messages: inout [Message]) throws {
    let statement = try RawStatement(
      db, "SELECT data FROM payload WHERE message = ? AND data IS NOT NULL")
    for index in messages.indices {
      statement.bind(messages[index].id.rawValue)
      messages[index].payload = try statement.first { row in row.withBytes(0) { Array($0) } }
    }
  }

  // MARK: Start

  /// Where reading starts: a message to read around, or a key to read from in one direction.
  private struct Start {
    var pivot: Message.ID?
    var direction = PageReader.Direction.older
    var key = Message.ID.highest
    var resolution = Page.Resolution(.exact)
    var ordinal: Int?
  }

  private func resolved(_ anchor: PageAnchor) throws -> Start {
    var start = try base(anchor)
    guard request.fetchOffset > 0 else { return start }
    let total = try counter.total()
    if let pivot = start.pivot {
      let step = request.order == .oldestFirst ? request.fetchOffset : -request.fetchOffset
      let moved = try counter.ordinal(of: pivot).adding(step)
      return try pivotStart(at: moved, total: total)
    }
    try offset(&start, total: total)
    return start
  }

  private func base(_ anchor: PageAnchor) throws -> Start {
    switch anchor {
    case .newest: return Start()
    case .oldest: return Start(direction: .newer, key: .lowest)
    case .before(let id): return Start(key: id.predecessor)
    case .after(let id): return Start(direction: .newer, key: id.successor)
    case .around(let id): return try pivotStart(nearest: id, prefersOlder: true)
    case .time(let time): return try momentStart(time)
    case .ordinal(let ordinal): return try pivotStart(at: ordinal, total: try counter.total())
    case .percent(let percent):
      let total = try counter.total()
      var start = try pivotStart(at: PageAnchor.ordinal(atPercent: percent, of: total), total: total)
      if start.pivot != nil, !(0...100).contains(percent) { start.resolution.match = .clamped }
      return start
    case .firstUnread: return try unreadStart()
    }
  }

  /// Starts around a message, or the neighbour that replaces a missing one.
  private func pivotStart(nearest id: Message.ID, prefersOlder: Bool) throws -> Start {
    let newer = try reader.first(.newer, from: id)
    if newer == id { return Start(pivot: id, resolution: Page.Resolution(.exact, message: id)) }
    if prefersOlder, request.followsMoves, let moved = try FormerIDs(db: db).message(formerly: id) {
      return try pivotStart(nearest: moved, prefersOlder: true)
    }
    let older = prefersOlder || newer == nil ? try reader.first(.older, from: id) : nil
    guard let pivot = older ?? newer else { return try unreachedStart(from: id, prefersOlder: prefersOlder) }
    // The first message after a moment is an exact match for it.
    let match: Page.Resolution.Match = older != nil ? .nearestOlder : prefersOlder ? .nearestNewer : .exact
    // For an id the id itself must be missing, for a moment anything up to the next message.
    let isMissing = try gaps?.isMissing(from: id, to: prefersOlder ? id : newer ?? .highest) ?? false
    return Start(pivot: pivot, resolution: Page.Resolution(isMissing ? .beyondGap : match, message: pivot))
  }

  /// Starts around the first message written at or after a moment, else the last one before it.
  private func momentStart(_ moment: Timestamp) throws -> Start {
    let times = try MessageTimes(db)
    let place = Message.ID(time: moment)
    guard !times.areOfPlaces else { return try pivotStart(nearest: place, prefersOlder: false) }
    let newer = try ordinary(.newer, from: place, times)
    if let exception = try exception(.newer, from: moment, before: newer, times) {
      return Start(pivot: exception, resolution: Page.Resolution(.exact, message: exception))
    }
    if newer == nil, place > .lowest {
      let older = try ordinary(.older, from: place.predecessor, times)
      if let exception = try exception(.older, from: moment, before: older, times) {
        return Start(pivot: exception, resolution: Page.Resolution(.nearestOlder, message: exception))
      }
      return try older.map { try pivotStart(nearest: $0, asking: place, isOlder: true) }
        ?? unreachedStart(from: place, prefersOlder: false)
    }
    return try newer.map { try pivotStart(nearest: $0, asking: place, isOlder: false) }
      ?? unreachedStart(from: place, prefersOlder: false)
  }

  private func pivotStart(nearest id: Message.ID, asking place: Message.ID, isOlder: Bool) throws -> Start {
    let isMissing = try gaps?.isMissing(from: place, to: isOlder ? .highest : id) ?? false
    let match: Page.Resolution.Match =
      isMissing && id != place ? .beyondGap : isOlder ? .nearestOlder : .exact
    return Start(pivot: id, resolution: Page.Resolution(match, message: id))
  }

  /// Returns the first message from an id on that was written in the millisecond of its place.
  private func ordinary(
    _ direction: PageReader.Direction, from id: Message.ID, _ times: MessageTimes
  ) throws -> Message.ID? {
    var next = try reader.first(direction, from: id)
    while let found = next, try times.writtenAt(found) != nil {
      let last = try times.lastOfRun(direction, from: found)
      guard let place = direction.next(last.rawValue) else { return nil }
      next = try reader.first(direction, from: Message.ID(rawValue: place))
    }
    return next
  }

  /// Returns the message with its own time that is nearest to a moment, unless an ordinary one is nearer.
  private func exception(
    _ direction: PageReader.Direction, from moment: Timestamp, before ordinary: Message.ID?,
    _ times: MessageTimes
  ) throws -> Message.ID? {
    var writer = PredicateWriter(.oneByOne, firstArgument: 0)
    let condition = try writer.text(reader.names.beginnings.spelledOut(request.selection.condition, in: db))
    let test = try RawStatement(db, "SELECT 1 FROM message WHERE id = ?1 AND \(condition)")
    writer.bind(to: test)
    var found: Message.ID?
    try times.exceptions(direction, from: moment) { id, time in
      if let ordinary {
        let isNearer =
          direction == .newer
          ? (time, id) < (ordinary.placeTime, ordinary) : (time, id) > (ordinary.placeTime, ordinary)
        guard isNearer else { return false }
      }
      test.bind(id.rawValue, at: 1)
      if try test.first({ _ in true }) ?? false { found = id }
      return found == nil
    }
    return found
  }

  /// Starts where no message was found: there is none, or the budget was spent on the way.
  private func unreachedStart(from id: Message.ID, prefersOlder: Bool) throws -> Start {
    let older = try reader.exists(.older, from: id)
    guard try older || reader.exists(.newer, from: id) else {
      return Start(resolution: Page.Resolution(.nothing))
    }
    return Start(direction: prefersOlder && older ? .older : .newer, key: id)
  }

  private func pivotStart(at ordinal: Int, total: Int) throws -> Start {
    let clamped = min(max(ordinal, 0), total - 1)
    guard total > 0, let id = try counter.id(at: clamped) else {
      return Start(resolution: Page.Resolution(.nothing))
    }
    if !counter.isExact { return try pivotStart(nearest: id, prefersOlder: false) }
    let resolution = Page.Resolution(clamped == ordinal ? .exact : .clamped, message: id)
    return Start(pivot: id, resolution: resolution, ordinal: clamped)
  }

  private func unreadStart() throws -> Start {
    guard case .some(let ids) = request.selection.conversations, ids.count == 1, let id = ids.first else {
      return Start()
    }
    let unread = try UnreadMessages(db, reader.names.own)
    let mark = try unread.mark(of: id) ?? .lowest
    let firstKey = mark == .lowest ? mark : mark.successor
    guard let first = try firstUnread(unread, in: id, from: firstKey) else { return Start() }
    let isMissing = try gaps?.isMissing(from: mark, to: first) ?? false
    return Start(pivot: first, resolution: Page.Resolution(isMissing ? .beyondGap : .exact, message: first))
  }

  private func firstUnread(
    _ unread: UnreadMessages, in conversation: Conversation.ID, from key: Message.ID
  ) throws -> Message.ID? {
    if unread.own.isEmpty { return try unread.first(from: key) { try reader.first(.newer, from: $0) } }
    // The user's own messages may be very many.
    guard let first = try unread.first(in: conversation, after: key == .lowest ? nil : key.predecessor)
    else { return nil }
    if request.selection.predicate == .everything { return first }
    let byOthers = request.selection.narrowed(to: .not(.sender(unread.own)))
    let others = try PageReader(byOthers, in: db, names: reader.names)
    return try unread.first(from: first) { try others.first(.newer, from: $0) }
  }

  /// Moves a one-sided start by the request's offset, by ordinals.
  private func offset(_ start: inout Start, total: Int) throws {
    switch start.direction {
    case .older:
      let end = start.key == .highest ? total : try counter.ordinal(of: start.key.successor)
      start.ordinal = max(end.adding(-request.fetchOffset), 0)
      start.key = try counter.id(at: (start.ordinal ?? 0) - 1) ?? .lowest
    case .newer:
      let begin = start.key == .lowest ? 0 : try counter.ordinal(of: start.key)
      start.ordinal = min(begin.adding(request.fetchOffset), total)
      start.key = try counter.id(at: start.ordinal ?? 0) ?? .highest
    }
  }

  // MARK: Reading

  /// Answers a request for counts alone, without looking for neighbours.
  private func countsAlone(_ start: Start) throws -> Page? {
    guard limit == 0, request.wantsCounts, counter.isReady else { return nil }
    let total = try counter.total()
    let ordinal = min(max(try emptyOrdinal(start, total: total), 0), total)
    return Page(
      messages: [], hasOlder: ordinal > 0, hasNewer: ordinal < total,
      counts: Page.Counts(firstOrdinal: ordinal, total: total, isComplete: try isComplete()),
      resolution: start.resolution)
  }

  private func oneSided(_ start: Start) throws -> Page {
    if let page = try countsAlone(start) { return page }
    let run = try PageRun(
      reader.run(start.direction, from: start.key, limit: limit + 1), start.direction, limit: limit + 1,
      within: stretch)
    let hasMore = run.messages.count > limit || run.goesOn
    let messages = Array(run.messages.prefix(limit))
    var page: Page
    switch start.direction {
    case .older:
      let isAtEnd = start.key >= Message.ID.highest.predecessor
      let hasNewer = isAtEnd ? false : try reader.exists(.newer, from: start.key.successor)
      page = Page(messages: messages.reversed(), hasOlder: hasMore, hasNewer: hasNewer)
      page.nextAnchor = run.stoppedAt.map { .before($0) }
    case .newer:
      let hasOlder = start.key == .lowest ? false : try reader.exists(.older, from: start.key.predecessor)
      page = Page(messages: messages, hasOlder: hasOlder, hasNewer: hasMore)
      page.nextAnchor = run.stoppedAt.map { .after($0) }
    }
    page.resolution = start.resolution
    if request.stopsAtGaps, limit > 0 { try addGaps(to: &page, from: start, run) }
    return page
  }

  /// Reads up to the limit around a message; a side with fewer messages leaves the rest to the other.
  private func around(_ pivot: Message.ID, resolution: Page.Resolution) throws -> Page {
    let share = min(max(request.olderShare ?? limit / 2, 0), max(limit - 1, 0))
    let stretch = request.stopsAtGaps ? try gaps.map { try GaplessStretch(of: pivot, in: $0) } : nil
    func run(_ direction: PageReader.Direction, from id: Message.ID, _ limit: Int) throws -> PageRun {
      try PageRun(
        reader.run(direction, from: id, limit: limit), direction, limit: limit, within: { _ in stretch })
    }
    var newer = try run(.newer, from: pivot, limit - share + 1)
    let lack = max(limit - share - newer.messages.count, 0)
    let older = try run(.older, from: pivot.predecessor, share + lack + 1)
    let wantedNewer = limit - min(older.messages.count, share + lack)
    if wantedNewer + 1 > newer.messages.count, newer.messages.count == limit - share + 1 {
      newer = try run(.newer, from: pivot, wantedNewer + 1)
    }
    let newerMessages = newer.messages.prefix(wantedNewer)
    let olderMessages = older.messages.prefix(limit - newerMessages.count)
    var page = Page(
      messages: olderMessages.reversed() + newerMessages,
      hasOlder: older.messages.count > olderMessages.count || older.goesOn,
      hasNewer: newer.messages.count > newerMessages.count || newer.goesOn, resolution: resolution)
    if page.messages.count < limit {
      page.nextAnchor = older.stoppedAt.map { .before($0) } ?? newer.stoppedAt.map { .after($0) }
    }
    if limit > 0, older.endsAtGap, older.messages.count == olderMessages.count {
      page.olderGap = try gaps?.gap(from: older.beyond, to: page.messages.first?.id)
    }
    if limit > 0, newer.endsAtGap, newer.messages.count == newerMessages.count {
      page.newerGap = try gaps?.gap(from: page.messages.last?.id, to: newer.beyond)
    }
    return page
  }

  // MARK: Gaps

  /// Returns the stretch without gaps around the requested id or, without one, the first message found.
  private func stretch(from first: Message.ID?) throws -> GaplessStretch? {
    guard request.stopsAtGaps, let gaps, let place = idReadFrom ?? first else { return nil }
    return try GaplessStretch(of: place, in: gaps)
  }

  private var idReadFrom: Message.ID? {
    guard request.fetchOffset == 0 else { return nil }
    switch request.anchor {
    case .before(let id), .after(let id): return id
    default: return nil
    }
  }

  private func addGaps(to page: inout Page, from start: Start, _ run: PageRun) throws {
    let (first, last) = (page.messages.first?.id, page.messages.last?.id)
    guard first != nil || idReadFrom != nil else {
      if !page.hasOlder, !page.hasNewer { page.olderGap = try gaps?.gap(from: nil, to: nil) }
      return
    }
    let isAtGap = run.endsAtGap && run.messages.count == page.messages.count
    switch start.direction {
    case .older:
      if isAtGap { page.olderGap = try gaps?.gap(from: run.beyond, to: first ?? idReadFrom) }
      if let last { page.newerGap = try gap(from: last, newer: page.hasNewer, start) }
    case .newer:
      if isAtGap { page.newerGap = try gaps?.gap(from: last ?? idReadFrom, to: run.beyond) }
      if let first { page.olderGap = try gap(to: first, older: page.hasOlder, start) }
    }
  }

  private func gap(from last: Message.ID, newer hasNewer: Bool, _ start: Start) throws -> MessageGap? {
    let next = hasNewer ? try reader.first(.newer, from: start.key.successor) : nil
    // If the budget was spent before a neighbour was found, a gap is unknown.
    return next == nil && hasNewer ? nil : try gaps?.gap(from: last, to: next)
  }

  private func gap(to first: Message.ID, older hasOlder: Bool, _ start: Start) throws -> MessageGap? {
    let next = hasOlder ? try reader.first(.older, from: start.key.predecessor) : nil
    return next == nil && hasOlder ? nil : try gaps?.gap(from: next, to: first)
  }

  private func counts(of page: Page, start: Start) throws -> Page.Counts {
    let count = page.messages.count
    // Damaged counts may be less than the number of messages read.
    let total = max(try counter.total(), count)
    let first: Int
    if let oldest = page.messages.first {
      if !page.hasOlder {
        first = 0
      } else if !page.hasNewer {
        first = total - count
      } else if let ordinal = start.ordinal,
        let place = page.messages.firstIndex(where: { $0.id == start.pivot })
      {
        first = ordinal - place
      } else {
        first = try counter.ordinal(of: oldest.id)
      }
    } else if let pivot = start.pivot {
      first = try start.ordinal ?? counter.ordinal(of: pivot)
    } else {
      first = try emptyOrdinal(start, total: total)
    }
    return Page.Counts(
      firstOrdinal: min(max(first, 0), total - count), total: total, isExact: counter.isExact,
      isComplete: try isComplete())
  }

  private func isComplete() throws -> Bool {
    guard request.selection.conversations.one == nil else { return try gaps?.isEmpty ?? true }
    return try GapTable.areNone(of: request.selection.conversations, in: db)
  }

  private func emptyOrdinal(_ start: Start, total: Int) throws -> Int {
    if let ordinal = start.ordinal { return ordinal }
    switch start.direction {
    case .older: return start.key == .highest ? total : try counter.ordinal(of: start.key.successor)
    case .newer: return start.key == .lowest ? 0 : try counter.ordinal(of: start.key)
    }
  }
}

private struct PageRun {
  /// The nearest message first.
  var messages: [Message]
  /// The last id examined, if the budget was spent before the limit or an end.
  var stoppedAt: Message.ID?
  var endsAtGap = false
  /// The message beyond the gap; `nil` if there is none, or none was found yet.
  var beyond: Message.ID?
  var goesOn: Bool { stoppedAt != nil || beyond != nil }

  /// - Parameter stretch: Returns the stretch without gaps, given the first message; `nil` without a limit.
  init(
    _ run: PageReader.Run, _ direction: PageReader.Direction, limit: Int,
    within stretch: (Message.ID?) throws -> GaplessStretch?
  ) throws {
    (messages, stoppedAt) = (run.messages, run.stoppedAt)
    guard limit > 0, let stretch = try stretch(messages.first?.id), stretch.ends(direction) else { return }
    let end = messages.firstIndex { !stretch.reaches($0.id, direction) }
    if let end {
      beyond = messages[end].id
    } else if let stoppedAt, stretch.reaches(stoppedAt, direction) {
      return
    }
    guard end != nil || stoppedAt != nil || messages.count < limit else { return }
    endsAtGap = true
    // If the budget was spent beyond the gap, no message was found there.
    beyond = beyond ?? stoppedAt
    stoppedAt = nil
    messages.removeSubrange((end ?? messages.endIndex)...)
  }
}

extension PageAnchor {
  /// Whether counts alone determine its place.
  fileprivate var isByCount: Bool {
    switch self {
    case .ordinal, .percent: true
    case .newest, .oldest, .before, .after, .around, .time, .firstUnread: false
    }
  }
}
