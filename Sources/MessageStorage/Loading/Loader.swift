internal import GRDB
internal import MessageModel

/// Loads drafts within one transaction, with the triggers off.
///
/// Drafts are taken in groups that share a conversation and an interval of time, since only within an interval is
/// there anything to decide: which of them are there already, and between which neighbours the others go.
struct Loader {
  let db: Database
  let writer: MessageWriter
  let details: DetailLoader
  private let store: SynchronousMessageStore
  var state: LoadState
  /// What was added, by the slot of its conversation.
  private var added: [Added?] = []
  private var addedByKind = [Int](repeating: 0, count: Message.Kind.allCases.count)
  /// The greatest id there was before.
  private let newestInStore: Int64
  private var feed: SearchFeed
  /// What the drafts may have new about messages that are there already.
  private(set) var updates: [RecordUpdate] = []

  private struct Added {
    /// The greatest id that the conversation had before.
    let newestBefore: Int64
    var entries: [OrdinalIndex.Entry] = []
  }

  private let findingDuplicate: RawStatement
  private let insertingDuplicate: RawStatement

  init(_ db: Database, state: LoadState, store: SynchronousMessageStore, builder: SegmentBuilder?) throws {
    self.db = db
    self.state = state
    self.store = store
    feed = SearchFeed(builder: builder)
    newestInStore = try RawStatement.number(db, "SELECT max(id) FROM message") ?? .min
    writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
    details = DetailLoader(db: db, writer: writer)
    // A key that leads nowhere is none: the message that it was of has gone without a trace.
    findingDuplicate = try RawStatement(
      db,
      """
      SELECT id FROM duplicate WHERE conversation = ? AND time = ? AND hash = ?
        AND (EXISTS (SELECT 1 FROM message WHERE message.id = duplicate.id)
          OR EXISTS (SELECT 1 FROM tombstone WHERE tombstone.id = duplicate.id))
      """)
    insertingDuplicate = try RawStatement(db, "INSERT OR REPLACE INTO duplicate VALUES (?, ?, ?, ?)")
  }

  /// Loads a range of drafts.
  ///
  /// - Parameter isEndOfFile: Whether nothing follows them in their file.
  mutating func load(_ batch: DraftBatch, _ range: Range<Int>, isEndOfFile: Bool) throws {
    try batch.withBytes { bytes in
      var slots = [Int?](repeating: nil, count: batch.conversations.count)
      var start = range.lowerBound
      while start < range.upperBound {
        let end = Self.end(ofGroupAt: start, in: batch, before: range.upperBound)
        let isLast = isEndOfFile && end == range.upperBound
        let conversation = Int(batch.drafts[start].conversation)
        let slot = try slots[conversation] ?? slot(ofConversation: batch.conversations[conversation])
        slots[conversation] = slot
        let group = Group(batch: batch, bytes: bytes, range: start..<end, slot: slot, isLast: isLast)
        if try end > start + 1 || !loadSimple(group) { try load(group) }
        state.isAtStartOfFile = false
        start = end
      }
    }
  }

  /// Returns where the group that begins at `start` ends: with its interval, or before a message that the file has a
  /// second time. That one begins another group, in which it is there already.
  private static func end(ofGroupAt start: Int, in batch: DraftBatch, before limit: Int) -> Int {
    func identity(_ index: Int) -> String? {
      guard let source = batch.details[index]?.source, let id = source.id else { return nil }
      return "\(source.platform)/\(id)"
    }
    var end = start + 1
    var identities: Set<String> = []
    while end < limit, batch.drafts[end].sharesInterval(with: batch.drafts[start]) {
      if !batch.details.isEmpty {
        if identities.isEmpty, let first = identity(start) { identities.insert(first) }
        if let own = identity(end), !identities.insert(own).inserted { return end }
      }
      end += 1
    }
    return end
  }

  /// Says that what comes next is from another file.
  mutating func endFile() { state.endFile() }

  /// Writes the counts of what was added, and returns what the next batch needs to know.
  mutating func finished() throws -> LoadState {
    feed.close()
    var all: [OrdinalIndex.Entry] = []
    var grown: [Int64] = []
    for (slot, addition) in added.enumerated() {
      guard var addition, !addition.entries.isEmpty else { continue }
      addition.entries.sortByID()
      let conversation = state.conversations[slot].id
      try OrdinalIndex(db: db, scope: conversation).add(addition.entries, after: addition.newestBefore)
      try tally(conversation, addition.entries.count)
      all += addition.entries
      grown.append(conversation)
    }
    all.sortByID()
    try OrdinalIndex(db: db, scope: 0).add(all, after: newestInStore)
    try tally(0, all.count)
    try ChangeLog(db: db).noteSeveral(in: grown)
    try feed.write(into: db)
    try FilterMembers.wait(all.lazy.map(\.id), db)
    try RawStatement.run(db, "UPDATE batch SET added = added + ? WHERE id = ?", Int64(all.count), state.batch)
    for kind in Message.Kind.allCases where addedByKind[kind.rawValue] > 0 {
      state.counts.added[kind, default: 0] += addedByKind[kind.rawValue]
    }
    added = []
    return state
  }

  private func tally(_ scope: Int64, _ count: Int) throws {
    try RawStatement.run(
      db, "UPDATE tally SET inserted = inserted + ? WHERE scope = ?", Int64(count), scope)
  }

  // MARK: One group

  /// Drafts of one conversation and one interval, in a row.
  private struct Group {
    let batch: DraftBatch
    let bytes: UnsafeRawBufferPointer
    let range: Range<Int>
    /// Their conversation.
    let slot: Int
    /// Whether they are the last of their file.
    let isLast: Bool

    var first: DraftBatch.Draft { batch.drafts[range.lowerBound] }

    func intervalKey(_ conversation: Int64) -> LoadState.IntervalKey {
      LoadState.IntervalKey(
        conversation: conversation, time: first.time.millisecondsSince1970, precision: first.precision)
    }
  }

  /// Loads a message that is alone in its interval and that neither the store nor the file can have had before: most
  /// of those whose times are precise. Answers `false`, with nothing done, if it is none.
  private mutating func loadSimple(_ group: Group) throws -> Bool {
    let (draft, conversation) = (group.first, state.conversations[group.slot])
    let key = group.intervalKey(conversation.id)
    guard group.batch.details.isEmpty, key.time > conversation.knownThrough,
      key.time > conversation.fileThrough
    else { return false }
    let placement = Placement(time: draft.time, precision: draft.precision, conversation: conversation.id)
    guard conversation.newest < placement.interval.lowerBound.rawValue else { return false }
    var interval = LoadState.IntervalState()
    let hash = hash(of: draft, in: group, &interval)
    let id = try insert(group, group.range.lowerBound, hash: hash.key, key, at: placement.first)
    interval.last = id
    close(group, key, interval, newest: id)
    return true
  }

  /// Remembers what a group has brought.
  private mutating func close(
    _ group: Group, _ key: LoadState.IntervalKey, _ interval: LoadState.IntervalState, newest: Message.ID
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

  private mutating func load(_ group: Group) throws {
    var conversation = state.conversations[group.slot]
    let key = group.intervalKey(conversation.id)
    var interval = state.intervals[key] ?? LoadState.IntervalState()

    let isFresh = interval.isFresh
    var hashes = group.range.map { hash(of: group.batch.drafts[$0], in: group, &interval) }
    var known = try known(group, hashes.map(\.key), in: conversation, key)
    var agreeing = Placement.agreeing(known)
    if isFresh, let alignment = try alignment(of: &hashes, known, in: group, key) {
      known = alignment.known
      agreeing = alignment.agreeing
    }
    var index = 0
    while index < known.count {
      if let id = known[index] {
        state.counts.alreadyThere += 1
        try follow(id, in: group, group.range.lowerBound + index)
        if let item = try update(of: id, in: group, group.range.lowerBound + index) { updates.append(item) }
        if agreeing.contains(index) { interval.last = max(interval.last ?? .lowest, id) }
        index += 1
        continue
      }
      var end = index
      while end < known.count, known[end] == nil { end += 1 }
      let next = (end..<known.count).first { agreeing.contains($0) }.flatMap { known[$0] }
      let ids = try ids(
        end - index, in: group, conversation, after: interval.last, before: next)
      for offset in index..<end {
        var wanted = ids[offset - index]
        if let last = interval.last, wanted <= last { wanted = last.successor }
        let id = try insert(
          group, group.range.lowerBound + offset, hash: hashes[offset].key, key, at: wanted)
        interval.last = id
        conversation.newest = max(conversation.newest, id.rawValue)
      }
      index = end
    }
    close(group, key, interval, newest: Message.ID(rawValue: conversation.newest))
  }

  /// Has what the import says of a message that is there already, perhaps by another id, lead to where it is.
  private mutating func follow(_ id: Message.ID, in group: Group, _ index: Int) throws {
    guard !group.batch.details.isEmpty, let detail = group.batch.details[index], let own = detail.id else {
      return
    }
    // What it names may come later, by another id than here: an import that was stopped has got no further.
    try details.noteForward(detail, from: id)
    try remap(own, to: id)
  }

  /// Returns what a draft may have new about a message that its platform knows by the same id.
  private func update(of id: Message.ID, in group: Group, _ index: Int) throws -> RecordUpdate? {
    guard !group.batch.details.isEmpty, let detail = group.batch.details[index], detail.source?.id != nil
    else {
      return nil
    }
    let draft = group.batch.drafts[index]
    let whole = group.bytes.slice(of: draft.text)
    let long = try LongText(whole, for: store, doing: "cannot import a text")
    let text = UnsafeRawBufferPointer(rebasing: whole.prefix(long?.previewByteCount ?? .max))
    guard try RecordUpdate.mayBe(about: id, detail, text: text, in: db) else { return nil }
    return RecordUpdate(
      id: id, kind: draft.kind, text: String(decoding: text, as: UTF8.self), long: long, details: detail)
  }

  /// What tells a message from others of its interval.
  private struct Hash {
    /// Of sender, kind and text.
    var base: SipHash
    /// The same, and of how many equal messages the file had before.
    var key: Int64
  }

  private func hash(
    of draft: DraftBatch.Draft, in group: Group, _ interval: inout LoadState.IntervalState
  ) -> Hash {
    let base = DuplicateKeys.hash(
      key: state.hashKey, sender: draft.sender.isNone ? nil : group.bytes.slice(of: draft.sender),
      kind: draft.kind.rawValue, text: group.bytes.slice(of: draft.text))
    return Hash(base: base, key: DuplicateKeys.key(base, interval.count(base.finish())))
  }

  /// Tells equal messages of a group apart by their neighbours, where there are equal ones in the file or the store.
  /// Those that are new get keys after those in the store.
  private func alignment(
    of hashes: inout [Hash], _ known: [Message.ID?], in group: Group, _ key: LoadState.IntervalKey
  ) throws -> Alignment? {
    guard known.contains(where: { $0 != nil }), group.batch.details.isEmpty else { return nil }
    var bases: [UInt64: SipHash] = [:]
    for hash in hashes { bases[hash.base.finish()] = hash.base }
    var store: [(id: Message.ID, hash: UInt64)] = []
    var counts: [UInt64: Int] = [:]
    for (number, base) in bases {
      while let id = try message(with: DuplicateKeys.key(base, counts[number, default: 0]), key) {
        store.append((id, number))
        counts[number, default: 0] += 1
      }
    }
    guard bases.count < hashes.count || bases.count < store.count else { return nil }
    store.sort { $0.id < $1.id }
    let alignment = Alignment(file: hashes.map { $0.base.finish() }, store: store)
    guard let alignment else { return nil }
    for index in hashes.indices where alignment.known[index] == nil {
      let number = hashes[index].base.finish()
      hashes[index].key = DuplicateKeys.key(hashes[index].base, counts[number, default: 0])
      counts[number, default: 0] += 1
    }
    return alignment
  }

  /// Returns, for each draft of a group, the message of the store that it is, if there is one.
  private func known(
    _ group: Group, _ hashes: [Int64], in conversation: LoadState.ConversationState,
    _ key: LoadState.IntervalKey
  ) throws -> [Message.ID?] {
    let isNewTime = key.time > conversation.knownThrough
    return try group.range.enumerated().map { offset, index in
      let detail = group.batch.details.isEmpty ? nil : group.batch.details[index]
      if let detail, let source = detail.source, let external = source.id {
        let named = try details.message(platform: source.platform, external: external)
        guard detail.hasDoubtfulID, let named else { return named }
        return try doubtful(named, detail, group.batch.drafts[index], in: group)
      }
      if let own = detail?.id, own.rawValue <= state.newestAtStart,
        try isSame(own, group.batch.drafts[index], in: group, conversation)
      {
        return own
      }
      if isNewTime { return nil }
      return try message(with: hashes[offset], key)
    }
  }

  /// Returns which message a draft is whose id may belong to several: the one of that id if it says the same or the draft
  /// was edited, one of an earlier import that said the same, or the one of that id if an earlier import brought it; else a
  /// new one.
  private func doubtful(
    _ named: Message.ID, _ detail: DraftDetails, _ draft: DraftBatch.Draft, in group: Group
  ) throws -> Message.ID? {
    let text = group.bytes.slice(of: draft.text)
    if try detail.hasBeenEdited || details.says(text, named) { return named }
    if let source = detail.source, let external = DetailLoader.external(of: source, saying: text),
      let known = try details.message(platform: source.platform, external: external)
    {
      return known
    }
    return try details.batch(of: named) == state.batch ? nil : named
  }

  /// Returns details in which a doubtful id that another message has already is told apart by what this one says.
  private func withOwnID(_ detail: DraftDetails?, _ text: UnsafeRawBufferPointer) throws -> DraftDetails? {
    guard var detail, detail.hasDoubtfulID, let source = detail.source, let external = source.id,
      try details.message(platform: source.platform, external: external) != nil
    else { return detail }
    detail.source?.id = DetailLoader.external(of: source, saying: text)
    return detail
  }

  /// Returns the message of an interval that has a key against duplicates.
  private func message(with hash: Int64, _ key: LoadState.IntervalKey) throws -> Message.ID? {
    findingDuplicate.bind(key.conversation, at: 1)
    findingDuplicate.bind(key.time, at: 2)
    findingDuplicate.bind(hash, at: 3)
    defer { findingDuplicate.reset() }
    guard try findingDuplicate.step() else { return nil }
    return Message.ID(rawValue: findingDuplicate.int(0))
  }

  /// Whether the message with an id says the same as a draft.
  private func isSame(
    _ id: Message.ID, _ draft: DraftBatch.Draft, in group: Group, _ conversation: LoadState.ConversationState
  ) throws -> Bool {
    let statement = try RawStatement(
      db,
      """
      SELECT conversation, kind, precision, text || ifnull((SELECT text FROM body WHERE body.id = message.id), ''),
        (SELECT name FROM sender WHERE sender.id = message.sender) FROM message WHERE id = ?
      """)
    statement.bind(id.rawValue, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return false }
    return statement.int(0) == conversation.id && statement.int(1) == draft.kind.rawValue
      && statement.int(2) == draft.precision.rawValue && id.time.rounded(to: draft.precision) == draft.time
      && statement.text(3) == group.batch.string(draft.text)
      && statement.optionalText(4) == group.batch.string(draft.sender)
  }

  /// Returns ids for a run of new messages, ascending, between their neighbours in the source or, where those are
  /// unknown, beside what the interval holds already.
  private func ids(
    _ count: Int, in group: Group, _ conversation: LoadState.ConversationState, after last: Message.ID?,
    before next: Message.ID?
  ) throws -> [Message.ID] {
    let placement = Placement(
      time: group.first.time, precision: group.first.precision, conversation: conversation.id)
    var (lower, upper) = (last, next)
    if conversation.newest >= (last ?? placement.interval.lowerBound).rawValue {
      let edges = Edges(db: db, conversation: conversation.id, interval: placement.interval)
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
    // No room is left between the neighbours: the next free ids after them.
    let start = placement.start(of: count, after: lower)
    return (1...Int64(count)).map { Message.ID(rawValue: start <= .max - $0 ? start + $0 : .max) }
  }

  /// Inserts a draft at an id or the next free one, and returns the id it got.
  private mutating func insert(
    _ group: Group, _ index: Int, hash: Int64, _ key: LoadState.IntervalKey, at wanted: Message.ID
  ) throws -> Message.ID {
    let draft = group.batch.drafts[index]
    let detail = try withOwnID(
      group.batch.details.isEmpty ? nil : group.batch.details[index], group.bytes.slice(of: draft.text))
    var row = MessageWriter.Row(
      conversation: key.conversation, id: detail?.id ?? wanted,
      sender: try sender(of: draft, detail, in: group), kind: draft.kind, precision: draft.precision,
      batch: state.batch)
    row.features = MessageWriter.hasLink(group.bytes.slice(of: draft.text)) ? MessageRow.Feature.link : 0
    if let detail { try details.prepare(&row, detail, batch: state.batch, hasRemapped: state.hasRemapped) }
    let whole = group.bytes.slice(of: draft.text)
    let long = try LongText(whole, for: store, doing: "cannot import a text")
    if long != nil { row.features |= MessageRow.Feature.attachment }
    let text = UnsafeRawBufferPointer(rebasing: whole.prefix(long?.previewByteCount ?? .max))
    // An id that a message brings with it is kept if it fits its time and is free.
    let range = Message.ID.range(of: draft.time, precision: draft.precision)
    if let own = detail?.id, !range.contains(own) { row.id = wanted }
    var isNew = try range.contains(row.id) && insert(row, text)
    if !isNew, row.id != wanted, range.contains(wanted) {
      row.id = wanted
      isNew = try insert(row, text)
    }
    if !isNew {
      row.id = try freeID(from: wanted, in: range)
      isNew = try insert(row, text)
    }
    guard isNew else {
      throw StoreError(.damaged, "cannot import a message", cause: "its id \(row.id) was taken meanwhile")
    }
    feed.add(row, text: text)
    if let detail {
      try details.insert(detail, of: row.id)
      if let own = detail.id, own != row.id { try remap(own, to: row.id) }
    }
    if let long { try Attacher(db, of: store, doing: "cannot import a text").add([long.item], to: row.id) }
    if detail?.source?.id == nil { try insertDuplicate(hash, key, row.id) }
    added[group.slot]?.entries.append(
      OrdinalIndex.Entry(
        id: row.id.rawValue, sender: row.sender, kind: Int64(row.kind.rawValue), features: row.features))
    addedByKind[draft.kind.rawValue] += 1
    return row.id
  }

  private func insertDuplicate(_ hash: Int64, _ key: LoadState.IntervalKey, _ id: Message.ID) throws {
    insertingDuplicate.bind(key.conversation, at: 1)
    insertingDuplicate.bind(key.time, at: 2)
    insertingDuplicate.bind(hash, at: 3)
    insertingDuplicate.bind(id.rawValue, at: 4)
    try insertingDuplicate.run()
  }

  private mutating func remap(_ old: Message.ID, to new: Message.ID) throws {
    try details.remap(old, to: new)
    state.hasRemapped = true
  }

  /// Inserts a row unless a message has or had its id.
  private func insert(_ row: MessageWriter.Row, _ text: UnsafeRawBufferPointer) throws -> Bool {
    if state.hasTombstones,
      try RawStatement.number(db, "SELECT 1 FROM tombstone WHERE id = ?", row.id.rawValue) != nil
    {
      return false
    }
    return try writer.insert(row, text: text)
  }

  /// Returns the next free id of an interval; where it is full, the next one after it.
  private mutating func freeID(from wanted: Message.ID, in interval: ClosedRange<Message.ID>) throws
    -> Message.ID
  {
    let free = FreeIDs(db: db)
    var ranges = [interval, interval.upperBound...(.highest)]
    if interval.contains(wanted) { ranges.insert(wanted...interval.upperBound, at: 0) }
    for range in ranges {
      if let id = try free.take(from: range, &state.taken) { return id }
    }
    throw StoreError(.invalidRequest, "cannot import a message", cause: "there is no later time than its own")
  }

  // MARK: Names

  /// Returns where the state of a conversation lies; makes the conversation if there is none of that name.
  private mutating func slot(ofConversation name: String) throws -> Int {
    let slot: Int
    if let known = state.slots[name] {
      slot = known
    } else {
      slot = state.conversations.count
      state.conversations.append(try openConversation(named: name))
      state.slots[name] = slot
    }
    while added.count <= slot { added.append(nil) }
    // Others may have written since the last transaction.
    if added[slot] == nil {
      let newest = try RawStatement.number(
        db, "SELECT id FROM message WHERE conversation = ? ORDER BY id DESC LIMIT 1",
        state.conversations[slot].id)
      added[slot] = Added(newestBefore: newest ?? .min)
      state.conversations[slot].newest = max(state.conversations[slot].newest, newest ?? .min)
    }
    return slot
  }

  private func openConversation(named name: String) throws -> LoadState.ConversationState {
    let found = try writer.conversation(named: name) ?? writer.conversation(formerlyNamed: name)
    let id = try found ?? writer.makeConversation(named: name)
    if found == nil { try writer.layFirstBlock(of: id) }
    let known = try RawStatement.number(
      db, "SELECT time FROM duplicate WHERE conversation = ? ORDER BY time DESC LIMIT 1", id)
    return LoadState.ConversationState(
      id: id, knownThrough: known ?? .min, fileThrough: .min, newest: .min)
  }

  private mutating func sender(
    of draft: DraftBatch.Draft, _ detail: DraftDetails?, in group: Group
  ) throws -> Int64? {
    guard !draft.sender.isNone else { return nil }
    let name = group.bytes.slice(of: draft.sender)
    var hash = SipHash(key: state.hashKey)
    hash.combine(name)
    let external = detail?.senderID ?? ""
    return try state.senders.id(name, hash: hash.finish(), external: external) { [writer] in
      try writer.sender(named: $0, external: external)
    }
  }
}

extension [OrdinalIndex.Entry] {
  fileprivate mutating func sortByID() {
    let isSorted = !zip(self, dropFirst()).contains { $0.id > $1.id }
    if !isSorted { sort { $0.id < $1.id } }
  }
}

/// What an interval of a conversation holds already.
private struct Edges {
  let db: Database
  let conversation: Int64
  let interval: ClosedRange<Message.ID>

  func first() throws -> Message.ID? { try id("ASC", interval) }
  func last() throws -> Message.ID? { try id("DESC", interval) }

  func next(after id: Message.ID) throws -> Message.ID? {
    guard id < interval.upperBound else { return nil }
    return try self.id("ASC", max(id.successor, interval.lowerBound)...interval.upperBound)
  }

  func next(before id: Message.ID) throws -> Message.ID? {
    guard id > interval.lowerBound else { return nil }
    return try self.id("DESC", interval.lowerBound...min(id.predecessor, interval.upperBound))
  }

  private func id(_ order: String, _ range: ClosedRange<Message.ID>) throws -> Message.ID? {
    try RawStatement.number(
      db,
      "SELECT id FROM message WHERE conversation = ? AND id BETWEEN ? AND ? ORDER BY id \(order) LIMIT 1",
      conversation, range.lowerBound.rawValue, range.upperBound.rawValue
    ).map(Message.ID.init(rawValue:))
  }
}
