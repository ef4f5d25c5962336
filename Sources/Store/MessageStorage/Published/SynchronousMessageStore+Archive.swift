internal import Foundation
internal import GRDB
package import MessageModel

/// A store over an archive. Calls that the archive cannot answer fail where a file would be read.
extension SynchronousMessageStore {
  /// Another store over the same archive, for work beside this one; closing it leaves the archive open.
  package func anotherOfArchive() throws(StoreError) -> SynchronousMessageStore? {
    guard let archive else { return nil }
    return try SynchronousMessageStore(reading: archive, endsArchive: false)
  }

  /// Returns the error for a question that an archive has no answer to.
  func unanswered(_ doing: String) -> StoreError {
    StoreError(.invalidRequest, doing, cause: archive?.refusal.cause, remedy: archive?.refusal.remedy)
  }

  /// Returns the error for a write.
  func unwritten(_ doing: String) -> StoreError {
    StoreError(
      .readOnly, doing, cause: "'\(path)' is a published archive, which is only read",
      remedy: .changeAndPublish)
  }

  /// Runs functions on texts alone, in a database without tables.
  private func apart<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do { return try database.read(body) } catch { throw StoreError(error, doing: "cannot search '\(path)'") }
  }

  // MARK: Messages

  func archivedRecords(
    _ request: MessageModel.PageRequest, byteLimit: Int, in archive: any HistoryArchive
  ) throws(StoreError) -> RecordPage {
    let page = try archive.page(request)
    let whole = try archivedRecords(of: page.messages.map(\.id)[...], byteLimit: byteLimit, in: archive)
    let isCut = !whole.rest.isEmpty
    return RecordPage(
      records: whole.records, hasOlder: page.hasOlder || isCut && request.order == .newestFirst,
      hasNewer: page.hasNewer || isCut && request.order == .oldestFirst, counts: page.counts,
      resolution: page.resolution, version: page.version, nextAnchor: isCut ? nil : page.nextAnchor)
  }

  func archivedRecords(
    of ids: ArraySlice<Message.ID>, byteLimit: Int, in archive: any HistoryArchive
  ) throws(StoreError) -> (records: [MessageRecord], rest: ArraySlice<Message.ID>) {
    var (records, rest, byteCount) = ([MessageRecord](), ids, 0)
    while !rest.isEmpty {
      let piece = rest.prefix(Self.archivePiece)
      let found = try archive.records(of: Array(piece))
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
  private static let archivePiece = 200

  func archivedThread(
    of id: Message.ID, limit: Int, in archive: any HistoryArchive
  ) throws(StoreError) -> [Message] {
    let whole = Selection(.all, where: .thread(try archive.threadStart(of: id)))
    return try archive.page(
      MessageModel.PageRequest(whole, anchor: .oldest, fetchLimit: limit, wantsCounts: false)
    ).messages
  }

  func archivedAnswers(
    to ids: [Message.ID], in conversations: Selection.Conversations, _ archive: any HistoryArchive
  ) throws(StoreError) -> [Message.ID: AnswerCount] {
    var counts: [Message.ID: AnswerCount] = [:]
    for id in try archive.answered(among: ids) {
      let thread = Selection(conversations, where: .thread(id))
      let found = try archive.page(
        MessageModel.PageRequest(thread, fetchLimit: AnswerCount.limit + 1, wantsCounts: false)
      ).messages.count { $0.id != id }
      guard found > 0 else { continue }
      counts[id] = AnswerCount(
        total: min(found, AnswerCount.limit), isMore: found > AnswerCount.limit)
    }
    return counts
  }

  // MARK: Searching

  func archivedHits(
    _ predicate: MessagePredicate, _ request: MessageModel.PageRequest, in archive: any HistoryArchive
  ) throws(StoreError) -> SearchPage {
    let page = try archive.page(request)
    return SearchPage(
      hits: try archivedHits(predicate, in: page.messages, archive), hasOlder: page.hasOlder,
      hasNewer: page.hasNewer, nextAnchor: page.nextAnchor)
  }

  func archivedHits(
    _ predicate: MessagePredicate, in messages: [Message], _ archive: any HistoryArchive
  ) throws(StoreError) -> [SearchHit] {
    var texts: [Message.ID: String] = [:]
    for record in try archive.records(of: messages.filter(\.isTextCut).map(\.id)).values {
      texts[record.message.id] = record.message.text
    }
    return try apart { db in
      try HitMarker(predicate, in: db).hits(messages) { texts[$0.id] ?? $0.text }
    }
  }

  func archivedHit(
    _ id: Message.ID, of predicate: MessagePredicate, in archive: any HistoryArchive
  ) throws(StoreError) -> SearchHit? {
    let around = MessageModel.PageRequest(
      .everything, anchor: .around(id), fetchLimit: 1, wantsCounts: false)
    let page = try archive.page(around)
    let found =
      page.resolution.match == .exact ? page.messages.filter { $0.id == page.resolution.message } : []
    return try archivedHits(predicate, in: found, archive).first
  }

  func archivedNearest(
    _ narrowed: Selection, _ anchor: PageAnchor, isOlder: Bool, limit: Int, in archive: any HistoryArchive,
    _ isCancelled: () -> Bool
  ) throws(StoreError) -> [Message.ID] {
    var request = MessageModel.PageRequest(
      narrowed, order: isOlder ? .newestFirst : .oldestFirst, anchor: anchor, fetchLimit: limit,
      wantsCounts: false)
    while true {
      if isCancelled() { throw StoreError(.cancelled, "cannot search '\(path)'") }
      let page = try archive.page(request)
      guard page.messages.isEmpty, let next = page.nextAnchor else { return page.messages.map(\.id) }
      request.anchor = next
    }
  }

  /// Counts exactly, or says that there are too many.
  func archivedCount(
    _ narrowed: Selection, olderThan id: Message.ID? = nil, in archive: any HistoryArchive
  ) throws(StoreError) -> Int {
    let request = MessageModel.PageRequest(
      narrowed, anchor: id.map { .after($0.predecessor) } ?? .newest, fetchLimit: 0)
    guard let counts = try archive.page(request).counts, counts.isExact else {
      throw unanswered("cannot count that many messages of '\(path)'")
    }
    return id == nil ? counts.total : counts.firstOrdinal
  }

  // MARK: Conversations

  func archivedRecentConversations(in archive: any HistoryArchive) throws(StoreError) -> [Conversation.ID] {
    // Looks among the newest messages, as in a store with very many conversations.
    var (found, known, anchor) = ([Conversation.ID](), Set<Conversation.ID>(), PageAnchor.newest)
    for _ in 0..<(Self.recentMessageCount / Self.archiveRecentPiece) {
      let page = try archive.page(
        MessageModel.PageRequest(
          .everything, order: .newestFirst, anchor: anchor, fetchLimit: Self.archiveRecentPiece,
          wantsCounts: false))
      found += page.messages.map(\.conversation).filter { known.insert($0).inserted }
      guard page.hasOlder, let last = page.messages.last, found.count < Self.archiveRecent else { break }
      anchor = .before(last.id)
    }
    return found
  }

  /// The most conversations found by their newest messages, in at most ten pages of these.
  private static let archiveRecent = 50
  private static let archiveRecentPiece = 2_000

  func archivedConversations(
    naming words: String, first: [Conversation.ID], places: Range<Int>, in archive: any HistoryArchive
  ) throws(StoreError) -> ConversationSlice {
    let (wanted, known) = (words.lowercased(), Set(first))
    let names = try archive.conversationNames(limit: .max)
      .filter { wanted.isEmpty || $0.lowercased().contains(wanted) }
    var found: [Conversation] = []
    var total = 0
    for id in first where total < places.upperBound {
      guard let conversation = try archive.conversations(.id(id)).first,
        wanted.isEmpty || conversation.name.lowercased().contains(wanted)
      else { continue }
      if places.contains(total) { found.append(conversation) }
      total += 1
    }
    for name in names where total < places.upperBound {
      guard let conversation = try archive.conversations(.named(name)).first,
        !known.contains(conversation.id)
      else { continue }
      if places.contains(total) { found.append(conversation) }
      total += 1
    }
    return ConversationSlice(conversations: found, total: names.count)
  }

  func archivedNewest<Kept>(
    of conversations: [Conversation], _ transform: (Message) -> Kept, in archive: any HistoryArchive
  ) throws(StoreError) -> [Conversation.ID: Kept] {
    var newest: [Conversation.ID: Kept] = [:]
    for conversation in conversations where conversation.newest != nil {
      let last = MessageModel.PageRequest(Selection(conversation.id), fetchLimit: 1, wantsCounts: false)
      newest[conversation.id] = try archive.page(last).messages.first.map(transform)
    }
    return newest
  }

  // MARK: Counts

  func archivedSections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int, in archive: any HistoryArchive, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> [HistorySection] {
    let exceptions = try archive.ownTimes(of: selection)
    if !exceptions.isEmpty {
      return try archivedSections(
        of: selection, by: span, zone: zone, from: first, limit: limit, but: exceptions, in: archive,
        progress: progress)
    }
    return try archivedPlaces(
      of: selection, by: span, zone: zone, from: first, limit: limit, in: archive, progress: progress)
  }

  private func archivedSections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int, but exceptions: [OwnTime], in archive: any HistoryArchive, progress: (Int) -> Bool
  ) throws(StoreError) -> [HistorySection] {
    let all = try archivedPlaces(
      of: selection, by: span, zone: zone, from: .lowest, limit: .max, in: archive, progress: progress)
    func page(from id: Message.ID) throws(StoreError) -> Page {
      try archive.page(
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
      throw StoreError(error, doing: "cannot count the \(span.rawValue)s of '\(path)'")
    }
  }

  /// Returns the sections by place, not by time.
  private func archivedPlaces(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int, in archive: any HistoryArchive, progress: (Int) -> Bool
  ) throws(StoreError) -> [HistorySection] {
    var (sections, clock) = ([HistorySection](), WallClock(zone: zone))
    var anchor: PageAnchor? = first == .lowest ? .oldest : .after(first.predecessor)
    while let place = anchor {
      let page = try archive.page(
        MessageModel.PageRequest(selection, order: .oldestFirst, anchor: place, fetchLimit: 1))
      guard let counts = page.counts, counts.isExact else {
        throw unanswered("cannot count the \(span.rawValue)s of '\(path)'")
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

  func archivedGroups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, in archive: any HistoryArchive,
    _ progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup] {
    switch grouping {
    case .year, .month, .day, .weekday:
      let sections = try archivedSections(
        of: selection, by: grouping == .year || grouping == .month ? .month : .day, zone: zone,
        from: .lowest, limit: .max, in: archive, progress: progress)
      return GroupCounting.groups(of: sections, by: grouping)
    case .sender, .person:
      guard selection.predicate == .everything else { break }
      let senders = try archive.senders(in: selection.conversations)
      let rest = try archivedCount(selection, in: archive) - senders.reduce(0) { $0 + $1.messageCount }
      return
        (senders.map { MessageGroup(key: .sender($0.sender), count: $0.messageCount) }
        + [MessageGroup(key: .sender(nil), count: rest)]).inOrder
    case .conversation:
      let all = try archive.conversations(.after(nil, limit: .max)).filter { selection.contains($0.id) }
      var groups: [MessageGroup] = []
      for conversation in all {
        let own = Selection(conversation.id, where: selection.predicate)
        let count =
          selection.predicate == .everything
          ? conversation.messageCount : try archivedCount(own, in: archive)
        groups.append(MessageGroup(key: .conversation(conversation.id), count: count))
        guard progress(0) else { throw StoreError(.cancelled, "cannot count the messages") }
      }
      return groups.inOrder
    case .kind:
      guard selection.predicate == .everything else { break }
      var groups: [MessageGroup] = []
      for kind in Message.Kind.allCases {
        let own = Selection(selection.conversations, where: .kind([kind]))
        groups.append(MessageGroup(key: .kind(kind), count: try archivedCount(own, in: archive)))
      }
      return groups.inOrder
    case .hour: break
    }
    throw unanswered("cannot count the messages of '\(path)' by \(grouping.rawValue)")
  }
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
