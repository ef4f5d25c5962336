package import Foundation
package import HistoryModel
package import MessageModel

/// What an archive answers by its pages, records and names.
extension HistoryArchive {
  /// Returns the error for a question that it has no answer to.
  func unanswered(_ doing: String) -> StoreError {
    StoreError(.invalidRequest, doing, cause: refusal.cause, remedy: refusal.remedy)
  }

  func withoutContents(_ doing: String) -> StoreError {
    StoreError(
      .notFound, doing, cause: "a published archive has the facts of attachments, not their contents",
      remedy: "the store that it was published from")
  }

  // MARK: State

  func version(of selection: Selection) throws(StoreError) -> SourceVersion {
    let whole = Selection(selection.conversations)
    return try page(MessageModel.PageRequest(whole, fetchLimit: 0, wantsCounts: false)).version
  }

  /// An archive keeps no log: where anything is different, all may be.
  func changes(since version: SourceVersion) throws(StoreError) -> MessageChanges {
    let now = try self.version(of: .everything)
    return MessageChanges(to: now, isEverything: now != version)
  }

  func savedFilters(after name: String?, limit: Int) throws(StoreError) -> [SavedFilter] {
    let all = try savedFilters().drop { filter in
      name.map { !$0.utf8.lexicographicallyPrecedes(filter.name.utf8) } ?? false
    }
    return Array(all.prefix(limit))
  }

  func sessions(
    where predicate: SessionPredicate, before id: Message.ID?, limit: Int
  ) throws(StoreError) -> SessionPage {
    let all = try sessions(where: predicate).drop { session in id.map { session.newest >= $0 } ?? false }
    let shown = Array(all.prefix(max(limit, 0)))
    return SessionPage(sessions: shown, next: all.count > shown.count ? shown.last?.newest : nil)
  }

  func senderIDs(of key: SenderKey) throws(StoreError) -> Set<Sender.ID> {
    let external = key.externalID ?? ""
    let all = try senders(in: .all).filter { $0.external ?? "" == external }
    return Set(all.filter { !external.isEmpty || $0.sender.name == key.name }.map(\.sender.id))
  }

  // MARK: Messages

  func records(
    _ request: MessageModel.PageRequest, byteLimit: Int
  ) throws(StoreError) -> RecordPage {
    let page = try page(request)
    let whole = try records(of: page.messages.map(\.id)[...], byteLimit: byteLimit)
    let isCut = !whole.rest.isEmpty
    return RecordPage(
      records: whole.records, hasOlder: page.hasOlder || isCut && request.order == .newestFirst,
      hasNewer: page.hasNewer || isCut && request.order == .oldestFirst, counts: page.counts,
      resolution: page.resolution, version: page.version, nextAnchor: isCut ? nil : page.nextAnchor)
  }

  func records(
    of ids: ArraySlice<Message.ID>, byteLimit: Int
  ) throws(StoreError) -> (records: [MessageRecord], rest: ArraySlice<Message.ID>) {
    var (records, rest, byteCount) = ([MessageRecord](), ids, 0)
    while !rest.isEmpty {
      let piece = rest.prefix(Self.recordPiece)
      let found = try self.records(of: Array(piece))
      for id in piece {
        rest = rest.dropFirst()
        guard let record = found[id] else { continue }
        records.append(record)
        byteCount += record.message.text.utf8.count
        if byteCount >= byteLimit { return (records, rest) }
      }
    }
    return (records, rest)
  }

  /// The number of messages that are asked for at once: their texts are in memory together.
  private static var recordPiece: Int { 200 }

  func thread(
    of id: Message.ID, limit: Int
  ) throws(StoreError) -> [Message] {
    let whole = Selection(.all, where: .thread(try threadStart(of: id)))
    return try page(
      MessageModel.PageRequest(whole, anchor: .oldest, fetchLimit: limit, wantsCounts: false)
    ).messages
  }

  func answers(
    to ids: [Message.ID], in conversations: Selection.Conversations
  ) throws(StoreError) -> [Message.ID: AnswerCount] {
    var counts: [Message.ID: AnswerCount] = [:]
    for id in try answered(among: ids) {
      let thread = Selection(conversations, where: .thread(id))
      let found = try page(
        MessageModel.PageRequest(thread, fetchLimit: AnswerCount.limit + 1, wantsCounts: false)
      ).messages.count { $0.id != id }
      guard found > 0 else { continue }
      counts[id] = AnswerCount(
        total: min(found, AnswerCount.limit), isMore: found > AnswerCount.limit)
    }
    return counts
  }

  // MARK: Searching

  func hits(
    _ predicate: MessagePredicate, _ request: MessageModel.PageRequest
  ) throws(StoreError) -> SearchPage {
    let page = try page(request)
    return SearchPage(
      hits: try hits(predicate, in: page.messages), hasOlder: page.hasOlder,
      hasNewer: page.hasNewer, nextAnchor: page.nextAnchor)
  }

  func hits(
    _ predicate: MessagePredicate, in messages: [Message]
  ) throws(StoreError) -> [SearchHit] {
    var texts: [Message.ID: String] = [:]
    for record in try records(of: messages.filter(\.isTextCut).map(\.id)).values {
      texts[record.message.id] = record.message.text
    }
    do {
      return try HitMarker(predicate).hits(messages) { texts[$0.id] ?? $0.text }
    } catch {
      throw StoreError(error, doing: "cannot search '\(place)'")
    }
  }

  func hit(
    _ id: Message.ID, of predicate: MessagePredicate
  ) throws(StoreError) -> SearchHit? {
    let around = MessageModel.PageRequest(
      .everything, anchor: .around(id), fetchLimit: 1, wantsCounts: false)
    let page = try page(around)
    let found =
      page.resolution.match == .exact ? page.messages.filter { $0.id == page.resolution.message } : []
    return try hits(predicate, in: found).first
  }

  func run(
    _ narrowed: Selection, _ direction: PageReader.Direction, from id: Message.ID, limit: Int,
    _ isCancelled: () -> Bool
  ) throws(StoreError) -> PageReader.Run {
    let isOlder = direction == .older
    var request = MessageModel.PageRequest(
      narrowed, order: isOlder ? .newestFirst : .oldestFirst,
      anchor: isOlder ? .before(id.successor) : .after(id.predecessor), fetchLimit: limit,
      wantsCounts: false)
    while true {
      if isCancelled() { throw StoreError(.cancelled, "cannot search '\(place)'") }
      let page = try self.page(request)
      guard page.messages.isEmpty, let next = page.nextAnchor else {
        return PageReader.Run(messages: page.messages)
      }
      request.anchor = next
    }
  }

  func total(of narrowed: Selection) throws(StoreError) -> (count: Int, isExact: Bool) {
    let counts = try page(MessageModel.PageRequest(narrowed, fetchLimit: 0)).counts
    return (counts?.total ?? 0, counts?.isExact ?? true)
  }

  /// Counts exactly, or says that there are too many.
  func count(
    _ narrowed: Selection, olderThan id: Message.ID? = nil
  ) throws(StoreError) -> Int {
    let request = MessageModel.PageRequest(
      narrowed, anchor: id.map { .after($0.predecessor) } ?? .newest, fetchLimit: 0)
    guard let counts = try page(request).counts, counts.isExact else {
      throw unanswered("cannot count that many messages of '\(place)'")
    }
    return id == nil ? counts.total : counts.firstOrdinal
  }

  // MARK: Conversations

  func newestConversation() throws(StoreError) -> Conversation.ID? {
    let newest = MessageModel.PageRequest(.everything, fetchLimit: 1, wantsCounts: false)
    return try page(newest).messages.first?.conversation
  }

  func recentConversations() throws(StoreError) -> [Conversation.ID] {
    // The newest messages, as of a store with very many conversations.
    var (found, known, anchor) = ([Conversation.ID](), Set<Conversation.ID>(), PageAnchor.newest)
    for _ in 0..<(SynchronousMessageStore.recentMessageCount / Self.recentPiece) {
      let page = try page(
        MessageModel.PageRequest(
          .everything, order: .newestFirst, anchor: anchor, fetchLimit: Self.recentPiece,
          wantsCounts: false))
      found += page.messages.map(\.conversation).filter { known.insert($0).inserted }
      guard page.hasOlder, let last = page.messages.last, found.count < Self.mostRecent else { break }
      anchor = .before(last.id)
    }
    return found
  }

  /// The most recent conversations that are found, among ten pages of newest messages.
  private static var mostRecent: Int { 50 }
  private static var recentPiece: Int { 2_000 }

  func conversations(
    naming typed: String, first: [Conversation.ID], others: [String], places: Range<Int>
  ) throws(StoreError) -> ConversationSlice {
    let wanted = FuzzyName(typed)
    var recent: [String: Int] = [:]
    for (place, id) in first.enumerated() {
      if let name = try conversationName(id) { recent[name] = recent[name] ?? place }
    }
    let names = try conversationNames(limit: .max)
    let ranked =
      names.enumerated().compactMap { place, name in
        wanted.rank(of: name).map {
          RankedChoice(id: Int64(place), rank: $0, place: recent[name] ?? first.count + place)
        }
      }
      + others.enumerated().compactMap { place, name in
        wanted.rank(of: name).map {
          RankedChoice(other: place, rank: $0, place: first.count + names.count + place)
        }
      }
    var choices: [ConversationSlice.Choice] = []
    for choice in ranked.sorted(by: { $0.key < $1.key }).dropFirst(places.lowerBound).prefix(places.count) {
      if let other = choice.other {
        choices.append(.other(other))
      } else if let conversation = try conversations(.named(names[Int(choice.id)])).first {
        choices.append(.conversation(conversation))
      }
    }
    return ConversationSlice(choices: choices, total: ranked.count)
  }

  func newest<Kept>(
    of conversations: [Conversation], _ transform: (Message) -> Kept
  ) throws(StoreError) -> [Conversation.ID: Kept] {
    var newest: [Conversation.ID: Kept] = [:]
    for conversation in conversations where conversation.newest != nil {
      let last = MessageModel.PageRequest(Selection(conversation.id), fetchLimit: 1, wantsCounts: false)
      newest[conversation.id] = try page(last).messages.first.map(transform)
    }
    return newest
  }

  // MARK: Counts

  package func pagedSections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> [HistorySection] {
    let exceptions = try ownTimes(of: selection)
    if !exceptions.isEmpty {
      return try correctedSections(
        of: selection, by: span, zone: zone, from: first, limit: limit, but: exceptions, progress: progress)
    }
    return try places(
      of: selection, by: span, zone: zone, from: first, limit: limit, progress: progress)
  }

  private func correctedSections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int, but exceptions: [OwnTime], progress: (Int) -> Bool
  ) throws(StoreError) -> [HistorySection] {
    let all = try places(
      of: selection, by: span, zone: zone, from: .lowest, limit: .max, progress: progress)
    func page(from id: Message.ID) throws(StoreError) -> Page {
      try self.page(
        MessageModel.PageRequest(
          selection, order: .oldestFirst, anchor: .after(id.predecessor), fetchLimit: 1))
    }
    var corrected = CorrectedSections(all, span, WallClock(zone: zone))
    do {
      try corrected.correct(by: exceptions) { try page(from: $0).messages.first?.id }
      return try corrected.sections(from: first, limit: limit) {
        try page(from: $0).counts?.firstOrdinal ?? 0
      }
    } catch {
      throw StoreError(error, doing: "cannot count the \(span.rawValue)s of '\(place)'")
    }
  }

  /// Returns the sections as the places of messages make them.
  private func places(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int, progress: (Int) -> Bool
  ) throws(StoreError) -> [HistorySection] {
    var (sections, clock) = ([HistorySection](), WallClock(zone: zone))
    var anchor: PageAnchor? = first == .lowest ? .oldest : .after(first.predecessor)
    while let place = anchor {
      let page = try page(
        MessageModel.PageRequest(selection, order: .oldestFirst, anchor: place, fetchLimit: 1))
      guard let counts = page.counts, counts.isExact else {
        throw unanswered("cannot count the \(span.rawValue)s of '\(self.place)'")
      }
      let ordinal = page.messages.isEmpty ? counts.total : counts.firstOrdinal
      if let last = sections.indices.last { sections[last].count = ordinal - sections[last].firstOrdinal }
      guard let oldest = page.messages.first?.id, sections.count < limit else { break }
      let start = clock.civil(at: oldest.placeTime).start(of: span)
      sections.append(HistorySection(start: start, oldest: oldest, firstOrdinal: ordinal, count: 1))
      let end = Message.ID(time: clock.moment(showing: start.adding(1, span)))
      anchor = end > oldest ? .after(end.predecessor) : nil
      if anchor == nil { sections[sections.count - 1].count = counts.total - ordinal }
      guard progress(ordinal) else { throw StoreError(.cancelled, "cannot count the messages") }
    }
    return sections
  }

  package func groups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup] {
    if let counted = try countedGroups(of: selection, by: grouping, zone: zone, progress) { return counted }
    return try passedGroups(of: selection, by: grouping, zone: zone, progress)
  }

  /// Counts by the archive's own counts; `nil` if it has none of these.
  private func countedGroups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, _ progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup]? {
    switch grouping {
    case .year, .month, .day, .weekday:
      let total = try total(of: selection)
      // Each day is a request, which counts again what a condition finds.
      guard total.isExact, selection.predicate == .everything || total.count > Self.mostPassed else {
        return nil
      }
      let sections = try pagedSections(
        of: selection, by: grouping == .year || grouping == .month ? .month : .day, zone: zone,
        from: .lowest, limit: .max, progress: progress)
      return GroupCounting.groups(of: sections, by: grouping)
    case .sender, .person:
      guard selection.predicate == .everything else { return nil }
      let senders = try senders(in: selection.conversations)
      let rest = try count(selection) - senders.reduce(0) { $0 + $1.messageCount }
      return
        (senders.map { MessageGroup(key: .sender($0.sender), count: $0.messageCount) }
        + [MessageGroup(key: .sender(nil), count: rest)]).inOrder
    case .conversation:
      guard selection.predicate == .everything else { return nil }
      let all = try conversations(.after(nil, limit: .max)).filter { selection.contains($0.id) }
      return all.map { MessageGroup(key: .conversation($0.id), count: $0.messageCount) }.inOrder
    case .kind:
      guard selection.predicate == .everything else { return nil }
      var groups: [MessageGroup] = []
      for kind in Message.Kind.allCases {
        let own = Selection(selection.conversations, where: .kind([kind]))
        groups.append(MessageGroup(key: .kind(kind), count: try count(own)))
      }
      return groups.inOrder
    case .hour: return nil
    }
  }

  /// Counts in a pass over the messages.
  private func passedGroups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, _ progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup] {
    var (counted, counts, seen) = ([CountedMessage](), [MessageGroup.Key: Int](), 0)
    try passing(selection) { messages throws(StoreError) in
      let some = messages.map { CountedMessage($0, speaker: .sender($0.sender)) }
      switch grouping {
      case .year, .month, .day, .weekday: counted += some
      case .hour, .sender, .person, .conversation, .kind:
        for group in MessageGroup.groups(of: some, by: grouping, zone: zone) {
          counts[group.key, default: 0] += group.count
        }
      }
      seen += some.count
      guard progress(seen) else { throw StoreError(.cancelled, "cannot count the messages") }
    }
    guard counted.isEmpty else { return MessageGroup.groups(of: counted, by: grouping, zone: zone) }
    return counts.map { MessageGroup(key: $0.key, count: $0.value) }
      .sorted { grouping == .hour ? $0.precedesInTime($1) : $0.isBefore($1) }
  }

  /// Calls `body` with all messages of a selection, oldest first, a page at a time.
  private func passing(
    _ selection: Selection, _ body: ([Message]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var request = MessageModel.PageRequest(
      selection, order: .oldestFirst, anchor: .oldest, fetchLimit: Self.passPiece, wantsCounts: false)
    while true {
      let page = try page(request)
      try body(page.messages)
      let last = page.hasNewer ? page.messages.last.map { PageAnchor.after($0.id) } : nil
      guard let next = page.nextAnchor ?? last else { return }
      request.anchor = next
    }
  }

  private static var passPiece: Int { 2_000 }
  /// The most messages of a condition that are passed where days could be counted.
  private static var mostPassed: Int { 50_000 }
}

extension [MessageGroup] {
  /// Those that there are, with the most messages first.
  fileprivate var inOrder: [MessageGroup] { filter { $0.count > 0 }.sorted { $0.isBefore($1) } }
}

extension Selection {
  /// Whether messages of a conversation may be in it.
  fileprivate func contains(_ conversation: Conversation.ID) -> Bool {
    switch conversations {
    case .all: true
    case .some(let ids): ids.contains(conversation)
    }
  }
}
