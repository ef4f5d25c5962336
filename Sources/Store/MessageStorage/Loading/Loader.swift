internal import GRDB
internal import MessageModel

/// Loads entries within one transaction, with triggers off. The entries of a group have the same conversation
/// and interval of time, such as a minute. Each group is compared with the stored messages of its interval to
/// decide which entries are new and where to insert them.
struct Loader {
  let db: Database
  let writer: MessageWriter
  let details: DetailLoader
  let store: SynchronousMessageStore
  var state: LoadState
  /// Queued messages, to be written before any message is read.
  var new: NewMessages
  var newestID: Int64
  var added: [Added] = []
  var addedByKind = [Int](repeating: 0, count: Message.Kind.allCases.count)
  /// The numbers of messages added to other imports; the key is the import, or `nil` for messages written by
  /// hand.
  var addedElsewhere: [Int64?: Int] = [:]
  private let newestInStore: Int64
  var feed: SearchFeed
  private(set) var updates: [RecordUpdate] = []
  /// Messages in whose place others came: less complete records of prompts.
  var replaced: [Message.ID: Message.ID] = [:]
  /// The messages that ``updates`` give a text instead of a name.
  var completing: Set<Message.ID> = []
  var sessions: Set<Int64> = []
  /// The titles that conversations are to have, as far as no person named them.
  var titles: [Int64: String] = [:]

  struct Added {
    let slot: Int
    let newestBefore: Int64
    var entries: [OrdinalIndex.Entry] = []
  }

  init(
    _ db: Database, state: consuming LoadState, store: SynchronousMessageStore, builder: SegmentBuilder?
  ) throws {
    self.db = db
    self.state = state
    self.store = store
    feed = SearchFeed(builder: builder)
    newestInStore = try RawStatement.number(db, "SELECT max(id) FROM message") ?? .min
    newestID = newestInStore
    new = NewMessages(db)
    writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
    details = DetailLoader(db: db, writer: writer)
  }

  mutating func load(_ meant: BatchConversations, _ range: Range<Int>, isEndOfFile: Bool) throws {
    let batch = meant.batch
    try batch.withBytes { bytes in
      var start = range.lowerBound
      while start < range.upperBound {
        let end = EntryGroup.end(ofGroupAt: start, in: batch, before: range.upperBound)
        let isLast = isEndOfFile && end == range.upperBound
        let conversation = Int(batch.entries[start].conversation)
        let slot = try slot(ofConversation: conversation, in: meant)
        let group = EntryGroup(batch: batch, bytes: bytes, range: start..<end, slot: slot, isLast: isLast)
        if try end > start + 1 || !loadSimple(group) { try load(group) }
        state.isAtStartOfFile = false
        start = end
      }
      try new.write()
    }
  }

  mutating func endFile() { state.endFile() }

  /// Loads all that a file has new, after what an earlier load had of it.
  mutating func load(_ meant: BatchConversations, goingOnWith tail: FileTail?) throws -> FileTail {
    endFile()
    state.intervals = tail?.intervals ?? [:]
    try load(meant, 0..<meant.batch.count, isEndOfFile: true)
    try noteTitles(of: meant)
    return FileTail(state.intervals, KnownMessages())
  }

  mutating func finished() throws -> LoadState {
    feed.close()
    var counts = ArrivalCounts(db, after: newestInStore)
    for addition in added {
      try counts.add(
        addition.entries, to: state.conversations[addition.slot].id, after: addition.newestBefore)
    }
    try counts.finish()
    try ChangeLog(db: db).noteSeveral(in: counts.conversations)
    try feed.write(into: db)
    var countsByBatch = addedElsewhere
    countsByBatch[state.origins.own] = addedElsewhere.values.reduce(counts.entries.count, -)
    for (batch, count) in countsByBatch {
      try RawStatement.run(db, "UPDATE batch SET added = added + ? WHERE id = ?", Int64(count), batch)
    }
    for kind in Message.Kind.allCases where addedByKind[kind.rawValue] > 0 {
      state.counts.added[kind, default: 0] += addedByKind[kind.rawValue]
    }
    state.isOfNew = added.count >= 100 && added.count { $0.newestBefore == .min } > added.count / 2
    added = []
    return state
  }

  /// Loads a message that is alone in its interval and must be new; else does nothing and returns `false`.
  private mutating func loadSimple(_ group: EntryGroup) throws -> Bool {
    let (entry, conversation) = (group.first, state.conversations[group.slot])
    let key = group.intervalKey(conversation.id)
    guard group.batch.details.isEmpty, key.time > conversation.knownThrough,
      key.time > conversation.fileThrough
    else { return false }
    let placement = Placement(time: entry.time, precision: entry.precision, conversation: conversation.id)
    guard conversation.newest < placement.interval.lowerBound.rawValue else { return false }
    var interval = LoadState.IntervalState()
    let hash = entry.hash(in: group.bytes, key: state.hashKey)
    _ = interval.count(hash)
    let id = try insert(group, group.range.lowerBound, hash: hash, key, at: placement.first)
    interval.last = id
    close(group, key, interval, newest: id)
    return true
  }

  private mutating func close(
    _ group: EntryGroup, _ key: LoadState.IntervalKey, _ interval: LoadState.IntervalState, newest: Message.ID
  ) {
    let slot = group.slot
    state.conversations[slot].newest = max(state.conversations[slot].newest, newest.rawValue)
    state.conversations[slot].fileThrough = max(state.conversations[slot].fileThrough, key.time)
    if !state.conversations[slot].isTouched {
      state.conversations[slot].isTouched = true
      state.touched.append(slot)
    }
    if state.intervals.count >= LoadState.intervalLimit { state.intervals.removeAll(keepingCapacity: true) }
    state.intervals[key] = interval
  }

  private mutating func load(_ group: EntryGroup) throws {
    try new.write()
    var conversation = state.conversations[group.slot]
    let key = group.intervalKey(conversation.id)
    var interval = state.intervals[key] ?? LoadState.IntervalState()

    let isFresh = interval.isFresh
    let hashes = group.range.map { group.batch.entries[$0].hash(in: group.bytes, key: state.hashKey) }
    var known = try known(group, hashes, in: conversation, key, &interval)
    var agreeing = Placement.agreeing(known)
    if isFresh, let alignment = try alignment(of: hashes, known, in: group, key) {
      known = alignment.known
      agreeing = alignment.agreeing
    }
    var completed: Set<Int> = []
    if isFresh, key.time <= conversation.knownThrough {
      let before = known
      completed = try complete(&known, hashes, in: group, key)
      if known != before { agreeing = Placement.agreeing(known) }
    }
    var index = 0
    while index < known.count {
      if let id = known[index] {
        state.counts.alreadyThere += 1
        try follow(id, in: group, group.range.lowerBound + index)
        let isCompleted = completed.contains(index)
        if let item = try update(of: id, in: group, group.range.lowerBound + index, isCompleted: isCompleted)
        {
          updates.append(item)
        }
        if agreeing.contains(index) { interval.last = max(interval.last ?? .lowest, id) }
        index += 1
        continue
      }
      var end = index
      while end < known.count, known[end] == nil { end += 1 }
      let next = (end..<known.count).first { agreeing.contains($0) }.flatMap { known[$0] }
      try new.write()
      let ids = try ids(
        end - index, in: group, conversation, after: interval.last, before: next)
      for offset in index..<end {
        var wanted = ids[offset - index]
        if let last = interval.last, wanted <= last { wanted = last.successor }
        let id = try insert(
          group, group.range.lowerBound + offset, hash: hashes[offset], key, at: wanted)
        if !isBehind(id, group, group.range.lowerBound + offset) { interval.last = id }
        conversation.newest = max(conversation.newest, id.rawValue)
      }
      index = end
    }
    close(group, key, interval, newest: Message.ID(rawValue: conversation.newest))
  }
}

extension Loader {
  /// Returns ascending ids for new messages: between their neighbours in the source, or beside stored ones.
  func ids(
    _ count: Int, in group: EntryGroup, _ conversation: LoadState.ConversationState, after last: Message.ID?,
    before next: Message.ID?
  ) throws -> [Message.ID] {
    let placement = Placement(
      time: group.first.time, precision: group.first.precision, conversation: conversation.id)
    var (lower, upper) = (last, next)
    if conversation.newest >= (last ?? placement.interval.lowerBound).rawValue {
      let edges = IntervalEdges(db: db, conversation: conversation.id, interval: placement.interval)
      if let lower {
        upper = try edges.next(after: lower) ?? upper
      } else if let upper {
        lower = try edges.next(before: upper)
      } else if group.isLast, !state.isAtStartOfFile {
        upper = try edges.first()
      } else {
        lower = try edges.last()
      }
    }
    if let ids = placement.ids(count, after: lower, before: upper) { return ids }
    // Without room between the neighbours, the next free ids after them.
    let start = placement.start(of: count, after: lower)
    return (1...Int64(count)).map { Message.ID(rawValue: start <= .max - $0 ? start + $0 : .max) }
  }

  mutating func freeID(from wanted: Message.ID, in interval: ClosedRange<Message.ID>) throws
    -> Message.ID
  {
    let free = FreeIDs(db: db)
    var ranges = [interval, interval.upperBound...(.highest)]
    if interval.contains(wanted) { ranges.insert(wanted...interval.upperBound, at: 0) }
    for range in ranges {
      if let id = try free.take(from: range, &state.taken) { return id }
    }
    throw StoreError(.invalidRequest, "cannot import a message", cause: "no place is left after its time")
  }
}

typealias NewMessages = RowBatch<(row: MessageWriter.Row, text: UnsafeRawBufferPointer)>

extension NewMessages {
  init(_ db: Database) {
    self.init(db, into: "message", columnCount: MessageWriter.columnCount, rowCount: 16) {
      message, statement, first in
      MessageWriter.bind(
        message.row, text: message.text, preview: message.text, to: statement, from: first)
    }
  }

  mutating func add(_ row: MessageWriter.Row, text: UnsafeRawBufferPointer) throws {
    try add((row: row, text: text))
  }
}
