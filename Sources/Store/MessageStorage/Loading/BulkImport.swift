internal import CSQLiteShim
internal import GRDB
internal import GRDBSQLite
package import HistoryModel
package import MessageModel

/// An import in progress: it adds batches of entries, each in a transaction of its own.
///
/// When ``add(_:files:isContinuation:)`` returns, all rows and counts of the batch are stored. If the process
/// dies, the store holds whole batches, and the same import run again recognises them and continues. Readers
/// are not disturbed. One thread at a time may use it.
///
/// Every method that writes throws ``StoreError``. After an error the store holds what earlier calls added,
/// and the import cannot continue.
package final class BulkImport {
  package typealias Description = ImportDescription
  package typealias Counts = ImportCounts

  /// The numbers of entries so far, by outcome.
  package private(set) var counts = Counts()
  /// The number under which the import is listed.
  package let batchID: Int64

  let store: SynchronousMessageStore
  private var state: LoadState?
  private var carry = ImportBatch()
  private var isLong = false
  private(set) var format: String
  let description: Description
  /// Whether the import itself is listed. Messages of a whole store are listed under that store's imports.
  var isListed = true
  /// Builds search index segments beside the rows; `nil` if only FTS5 itself can write the store's index.
  private let builder: SegmentBuilder?

  /// The longest run of entries of one interval that waits for its neighbours.
  private static let carryLimit = 4_096

  /// Begins an import.
  package convenience init(into store: SynchronousMessageStore, _ description: Description) throws(StoreError)
  {
    try self.init(into: store, description, SegmentBuilder())
  }

  deinit { if isLong { LoadRoom.leave(store) } }

  /// Continues the import of a source if it is still listed under that number and name, else begins one and
  /// records it for the source. A source has one import over time.
  package convenience init(
    into store: SynchronousMessageStore, goingOnWith number: Int64?, ofSource source: StoredSource.ID,
    _ description: Description
  ) throws(StoreError) {
    try self.init(into: store, goingOnWith: number, ofSource: source, description, SegmentBuilder())
  }

  init(
    into store: SynchronousMessageStore, goingOnWith number: Int64? = nil,
    ofSource source: StoredSource.ID? = nil, _ description: Description, _ newBuilder: SegmentBuilder
  ) throws(StoreError) {
    self.store = store
    format = description.format
    self.description = description
    (batchID, state, builder) = try store.writing("cannot begin an import into '\(store.path)'") { db in
      if let number, try Self.goOn(with: number, description, db) {
        return (
          number, try LoadState(db, batch: number), try SegmentTransfer.isPossible(db) ? newBuilder : nil
        )
      }
      let batchID = try ImportOrigins.insert(description, at: store.clock(), in: db)
      if let source {
        try SynchronousMessageStore.update(source, db) { $0.importNumber = batchID }
        if number != nil { try SynchronousMessageStore.forgetFiles(of: source, db) }
      }
      return (
        batchID, try LoadState(db, batch: batchID), try SegmentTransfer.isPossible(db) ? newBuilder : nil
      )
    }
  }

  private static func goOn(with number: Int64, _ description: Description, _ db: Database) throws -> Bool {
    try RawStatement.run(
      db, "UPDATE batch SET format = ?, finished = 0 WHERE id = ? AND name = ?", description.format, number,
      description.name)
    return db.changesCount > 0
  }

  /// Continues a file whose beginning an earlier load imported.
  ///
  /// - Parameter tail: The result of that load's ``pause()``; `nil` for another file.
  package func goOn(with tail: FileTail) {
    state?.endFile()
    state?.intervals = tail.intervals
    state?.known = tail.known
  }

  /// Adds the entries that wait for their neighbours, and returns what ``goOn(with:)`` needs.
  package func pause() throws(StoreError) -> FileTail {
    try loadCarry()
    if isLong { try store.writing("cannot import into '\(store.path)'") { db in try LoadRoom.leave(db) } }
    isLong = false
    return FileTail(state?.intervals ?? [:], state?.known ?? KnownMessages())
  }

  /// Sets the import's format, or formats, as far as known by now.
  package func describe(format: String) throws(StoreError) {
    guard format != self.format else { return }
    try store.writing("cannot import into '\(store.path)'") { [batchID] db in
      try RawStatement.run(db, "UPDATE batch SET format = ? WHERE id = ?", format, batchID)
    }
    self.format = format
  }

  /// Adds the entries of a batch, in the order of their source.
  ///
  /// Entries at the end that share an interval of time wait for the next batch or
  /// ``finish(fileCount:isCancelled:)``: the place of a message depends on both neighbours.
  ///
  /// - Parameters:
  ///   - batch: The entries.
  ///   - files: The entries of each file, as adjacent ranges; `nil` if all come from one.
  ///   - isContinuation: Whether the first file continues the last file of the previous batch.
  package func add(
    _ batch: ImportBatch, files: [Range<Int>]? = nil, isContinuation: Bool = false
  ) throws(StoreError) {
    let files = files ?? [0..<batch.count]
    guard !batch.isEmpty, let last = files.last else { return try noteTitles(of: batch) }
    try relist(for: batch)
    var start = 0
    if isContinuation, !carry.isEmpty {
      start = min(batch.interval(from: 0, joining: carry), files[0].upperBound)
      carry.append(batch, 0..<start)
      if start == batch.count, carry.count < Self.carryLimit { return }
    }
    let end = batch.lastInterval(of: max(last.lowerBound, start)..<last.upperBound)
    let held = carry
    carry.removeAll()
    try transaction { loader in
      let isFileOver = !isContinuation || (start == files[0].upperBound && files.count > 1)
      try loader.load(BatchConversations(held), 0..<held.count, isEndOfFile: isFileOver)
      if !isContinuation { loader.endFile() }
      let meant = BatchConversations(batch)
      for file in files.dropLast() {
        try loader.load(meant, max(file.lowerBound, start)..<file.upperBound, isEndOfFile: true)
        loader.endFile()
      }
      try loader.load(meant, max(last.lowerBound, start)..<end, isEndOfFile: false)
      try loader.noteTitles(of: meant)
    }
    carry.append(batch, end..<batch.count)
  }

  /// The outcome of a file of ``add(_:)``.
  package struct FileLoad {
    /// What ``add(_:)`` and ``goOn(with:)`` need for the next part of the file.
    package let tail: FileTail
    package let addedCount: Int
    package fileprivate(set) var updatedCount = 0
  }

  /// Adds all entries of several files in one transaction: for each file ``goOn(with:)``, if an earlier load had its
  /// beginning, ``add(_:files:isContinuation:)`` and ``pause()``.
  package func add(_ files: [(batch: ImportBatch, tail: FileTail?)]) throws(StoreError) -> [FileLoad] {
    try loadCarry()
    for file in files { try relist(for: file.batch) }
    var loads: [FileLoad] = []
    var updateCounts: [Int] = []
    try transaction { loader in
      for file in files {
        let before = loader.addedByKind.reduce(0, +)
        let tail = try loader.load(BatchConversations(file.batch), goingOnWith: file.tail)
        loads.append(FileLoad(tail: tail, addedCount: loader.addedByKind.reduce(0, +) - before))
        updateCounts.append(loader.updates.count)
      }
    } updated: { index in
      guard let place = updateCounts.firstIndex(where: { index < $0 }) else { return }
      loads[place].updatedCount += 1
    }
    return loads
  }

  private func noteTitles(of batch: ImportBatch) throws(StoreError) {
    guard !batch.newestTitles.isEmpty else { return }
    try transaction { loader in try loader.noteTitles(of: BatchConversations(batch)) }
  }

  /// Ends the import and returns its counts.
  ///
  /// Merges the search index, step by step so that others can write in between; otherwise the next appends
  /// would do it and wait for seconds. A load smaller than an eighth of the store leaves the larger segments
  /// alone, so that many small loads do not merge the whole index each time.
  ///
  /// - Parameters:
  ///   - fileCount: The number of files with messages, to be recorded; `nil` to record none.
  ///   - isCancelled: Called first to learn whether the import ends before its source, and is listed so.
  ///     Called later to learn whether to leave the remaining merges to later loads and appends.
  /// - Complexity: O(text of the load), a tenth of the time of its loading, and occasionally O(text of the
  ///   store).
  package func finish(
    fileCount: Int? = nil, isCancelled: () -> Bool = { false }
  ) throws(StoreError) -> Counts {
    let isWhole = !isCancelled()
    try loadCarry()
    try mergeSearchIndex(isCancelled)
    let own = ImportOrigins.End(
      batch: batchID, isFinished: true, fileCount: counts.addedCount == 0 ? nil : fileCount.map { Int64($0) })
    let ends = [own] + (state?.origins.ends ?? [])
    try store.writing("cannot finish an import into '\(store.path)'") { [prompts = state?.prompts] db in
      for end in ends { try Self.finish(end, isWhole: isWhole, in: db) }
      try prompts?.removeEmpty(in: db)
      try LoadRoom.leave(db)
    }
    isLong = false
    return counts
  }

  private static func finish(_ end: ImportOrigins.End, isWhole: Bool, in db: Database) throws {
    // An import without messages has nothing to undo.
    try RawStatement.run(db, "DELETE FROM batch WHERE id = ? AND added = 0", end.batch)
    try SessionRows(db: db).keepNotes(ofEmpty: end.batch)
    try RawStatement.run(
      db, "UPDATE batch SET finished = max(?2, iif(?3, finished, 0)) WHERE id = ?1", end.batch,
      isWhole && end.isFinished ? 1 : 0, end.wasListed ? 1 : 0)
    if let fileCount = end.fileCount, db.changesCount > 0 {
      try RawStatement.run(db, fileCounting, end.batch, fileCount)
    }
  }

  private static let fileCounting =
    "INSERT OR IGNORE INTO meta VALUES ('\(SynchronousMessageStore.fileCountKey)' || ?, ?)"

  private func mergeSearchIndex(_ isCancelled: () -> Bool) throws(StoreError) {
    var isWhole = try store.writing("cannot finish an import into '\(store.path)'") { [counts] db in
      try Ordinals(db: db, scope: 0, filter: FacetFilter()).total() < Self.wholeMergeShare * counts.addedCount
    }
    var isMerging = counts.addedCount > 0
    while isMerging, !isCancelled() {
      isMerging = try store.writing("cannot merge the search index of '\(store.path)'") { [isWhole] db in
        try SearchIndex(db: db).merge(pageCount: Self.mergePageCount, isWhole: isWhole)
      }
      // Another call would start over with the segments that others have added meanwhile.
      isWhole = false
    }
  }

  /// A load of at least 1/8 of the store merges the whole index.
  private static let wholeMergeShare = 8
  /// Pages merged in one transaction: a quarter of a second on a slow disk.
  private static let mergePageCount = 2_048

  func loadCarry() throws(StoreError) {
    let held = carry
    carry.removeAll()
    guard !held.isEmpty else { return }
    try transaction { loader in
      try loader.load(BatchConversations(held), 0..<held.count, isEndOfFile: true)
    }
  }

  func changingOrigins<Value>(
    _ body: (inout ImportOrigins, Database) throws -> Value
  ) throws(StoreError) -> Value {
    let (value, origins) = try store.writing("cannot import into '\(store.path)'") { [state] db in
      guard var origins = state?.origins else { throw Self.cannotGoOn }
      return (try body(&origins, db), origins)
    }
    state?.origins = origins
    return value
  }

  /// - Parameter updated: Receives the index of each of the loader's updates that changed a message.
  private func transaction(
    _ body: (inout Loader) throws -> Void, updated: (Int) -> Void = { _ in }
  ) throws(StoreError) {
    try store.finishMerges()
    // Moved, not copied: with a hundred thousand conversations it takes ten megabytes.
    let isOfNew = state?.isOfNew ?? false
    var remembered = state.take()
    let new = try store.writingPiece("cannot import into '\(store.path)'") { [builder, isLong] db in
      defer { LoadRoom.giveBackCache(of: db) }
      // Finishes a merge that another process began.
      while try ConversationMerge.goOn(in: db) {}
      try StoredKeys(db: db).settle()
      try LoadRoom.enter(db, isLong: isLong, isOfNew: isOfNew)
      var (state, updates, replaced, sessions, titles) = try SynchronousMessageStore.withoutTriggers(db) {
        var state = try Self.handOver(&remembered)
        state.forgetMany()
        try state.noteOthers(db)
        var loader = try Loader(db, state: consume state, store: store, builder: builder)
        try body(&loader)
        return (try loader.finished(), loader.updates, loader.replaced, loader.sessions, loader.titles)
      }
      let updater = try ImportUpdater(db, store: store, origins: state.origins)
      for (index, item) in updates.enumerated()
      where try updater.apply(item, hasRemapped: state.hasRemapped) {
        state.counts.updated += 1
        updated(index)
      }
      state.prompts.mayBeEmpty.formUnion(try updater.replace(replaced))
      if !titles.isEmpty {
        let writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
        try ConversationTitles(db: db, writer: writer).follow(titles)
      }
      for session in sessions { try SessionRows(db: db).settle(session) }
      try state.noteOwn(db)
      return state
    }
    counts = new.counts
    state = new
    isLong = true
  }

  private static func handOver(_ remembered: inout LoadState?) throws(StoreError) -> LoadState {
    guard let state = remembered.take() else { throw cannotGoOn }
    return state
  }

  private static let cannotGoOn = StoreError(
    .invalidRequest, "cannot go on with an import", cause: "a part of it failed",
    remedy: "run the import again")
}

extension SynchronousMessageStore {
  /// Triggers count one message at a time; the caller counts whole batches.
  static func withoutTriggers<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    try Triggers.switchOff(db)
    defer { Triggers.switchOn(db) }
    return try body()
  }
}

extension ImportBatch {
  fileprivate func interval(from start: Int, joining other: ImportBatch) -> Int {
    guard let last = other.entries.last else { return start }
    let conversation = other.key(ofConversation: Int(last.conversation))
    var end = start
    while end < count, entries[end].time == last.time, entries[end].precision == last.precision,
      key(ofConversation: Int(entries[end].conversation)) == conversation
    { end += 1 }
    return end
  }

  fileprivate func lastInterval(of range: Range<Int>) -> Int {
    guard var first = range.last else { return range.lowerBound }
    while first > range.lowerBound, entries[first - 1].sharesInterval(with: entries[first]) { first -= 1 }
    return first
  }

  fileprivate mutating func append(_ other: ImportBatch, _ range: Range<Int>) {
    for index in range {
      var entry = other.entries[index]
      let place = Int(entry.conversation)
      entry.conversation = conversation(
        named: other.conversations[place], isDirect: other.isDirect[place], title: other.titles[place],
        identity: other.identities[place], place: other.places[place])
      if let session = other.sessions[place] { note(session, ofConversation: entry.conversation) }
      entry.sender = copy(entry.sender, of: other)
      entry.text = copy(entry.text, of: other)
      let new = append(entry)
      details[new] = other.details[index]
    }
  }

  private mutating func copy(_ span: Span, of other: ImportBatch) -> Span {
    span.isNone ? .none : other.withBytes(of: span) { store($0) }
  }
}

extension ImportBatch.Entry {
  func sharesInterval(with other: ImportBatch.Entry) -> Bool {
    time == other.time && precision == other.precision && conversation == other.conversation
  }
}
