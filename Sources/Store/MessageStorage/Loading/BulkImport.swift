internal import CSQLiteShim
internal import GRDB
internal import GRDBSQLite
public import MessageModel

/// An import on its way into a store: batches of entries go in, each in a transaction of its own.
///
/// What a batch brings is whole when ``add(_:files:isContinuation:)`` returns: rows and counts. If the process dies, the store holds whole batches, and the same import run again finds them and carries
/// on. Readers are not disturbed. Not to be used by two threads at once.
public final class BulkImport {
  /// The description of an import, as it is written down.
  public struct Description: Hashable, Sendable {
    /// The file or folder, as the user named it.
    public var name: String
    /// The name of the format of what was imported, or of several.
    public var format: String
    /// The identifier of the time zone in which times without one were read.
    public var zone: String
    /// Further options, as they were typed.
    public var options: String

    /// Creates a description.
    public init(name: String, format: String, zone: String, options: String = "") {
      self.name = PathBytes.shown(name)
      self.format = format
      self.zone = zone
      self.options = options
    }
  }

  /// The numbers of entries so far, by what became of them.
  public struct Counts: Hashable, Sendable {
    /// The messages added, by kind.
    public var added: [Message.Kind: Int] = [:]
    /// The messages that were in the store already.
    public var alreadyThere = 0
    /// Those of them that the import had something new about: another text, more reactions.
    public var updated = 0

    /// Creates counts of zero.
    public init() {}

    /// The number of messages added.
    public var addedCount: Int { added.values.reduce(0, +) }
  }

  /// The numbers of entries so far, by what became of them.
  public private(set) var counts = Counts()
  /// The number under which the import is listed.
  public let batchID: Int64

  let store: SynchronousMessageStore
  /// The state from batch to batch; `nil` once a batch has failed.
  private var state: LoadState?
  private var carry = ImportBatch()
  /// Whether a transaction has gone before the next one.
  private var isLong = false
  private(set) var format: String
  let description: Description
  /// Whether it is listed, as every import is but that of a whole store, whose messages are listed under others.
  var isListed = true
  /// Builds the search indexes beside the rows; none if the store's have a form that only FTS5 itself can write.
  private let builder: SegmentBuilder?

  /// The greatest run of entries of one interval that is held back for its neighbours.
  private static let carryLimit = 4_096

  /// Begins an import.
  ///
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`.
  public convenience init(into store: SynchronousMessageStore, _ description: Description) throws(StoreError)
  {
    try self.init(into: store, description, SegmentBuilder())
  }

  // One that was given up by an error ends here.
  deinit { if isLong { LoadRoom.leave(store) } }

  /// Goes on with an import that is still listed under a number and the name of the description, else begins one, of which the
  /// source knows then: it has one import, whatever comes between.
  ///
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`.
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

  /// Has the messages that come next go on with a file of which an earlier load had the beginning.
  ///
  /// - Parameter tail: What that load has remembered; `nil` of another file.
  package func goOn(with tail: FileTail) {
    state?.endFile()
    state?.intervals = tail.intervals
    state?.known = tail.known
  }

  /// Takes in what was held back for its neighbours, and returns what must be remembered of the file for
  /// ``goOn(with:)``.
  ///
  /// - Throws: ``StoreError``; the store then holds what earlier calls added, and the load cannot be carried on.
  package func pause() throws(StoreError) -> FileTail {
    try loadCarry()
    if isLong { try store.writing("cannot import into '\(store.path)'") { db in try LoadRoom.leave(db) } }
    isLong = false
    return FileTail(state?.intervals ?? [:], state?.known ?? KnownMessages())
  }

  /// Notes the format, or formats, of the import as far as they are known by now.
  ///
  /// - Throws: ``StoreError`` of kind `busy`, `inputOutput`.
  public func describe(format: String) throws(StoreError) {
    guard format != self.format else { return }
    try store.writing("cannot import into '\(store.path)'") { [batchID] db in
      try RawStatement.run(db, "UPDATE batch SET format = ? WHERE id = ?", format, batchID)
    }
    self.format = format
  }

  /// Adds the entries of a batch, in the order of their source.
  ///
  /// The last ones, as far as they share an interval of time, wait for the next batch or ``finish(fileCount:isCancelled:)``: where a
  /// message goes depends on both of its neighbours.
  ///
  /// - Parameters:
  ///   - batch: The entries.
  ///   - files: Which entries come from which file, as neighbouring ranges; `nil` if all come from one.
  ///   - isContinuation: Whether the first of them goes on with the last file of the batch before.
  /// - Throws: ``StoreError``; the store then holds what earlier calls added, and the load cannot be carried on.
  public func add(
    _ batch: ImportBatch, files: [Range<Int>]? = nil, isContinuation: Bool = false
  ) throws(StoreError) {
    let files = files ?? [0..<batch.count]
    guard !batch.isEmpty, let last = files.last else { return }
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
    }
    carry.append(batch, end..<batch.count)
  }

  /// Ends the import and returns what it has brought.
  ///
  /// The search index is merged on the way, else the first few appends afterwards would: one of them waited for ten
  /// seconds after a load of ten million messages. A load that brought less than an eighth of what the store holds
  /// leaves its greater pieces alone, so that many small loads do not merge all of it each time. It goes step by step,
  /// and others can write in between.
  ///
  /// - Parameters:
  ///   - fileCount: The number of files that it brought messages from, to be written down; `nil` for nothing.
  ///   - isCancelled: Asked first, whether the import ends before its source: so it is listed then. Asked later,
  ///     whether to leave what is still to be merged to later loads and appends.
  /// - Throws: ``StoreError``; what was added stays.
  /// - Complexity: O(text of the load), a tenth of the time of its loading, and O(text of the store) once in a while.
  public func finish(
    fileCount: Int? = nil, isCancelled: () -> Bool = { false }
  ) throws(StoreError) -> Counts {
    let isWhole = !isCancelled()
    try loadCarry()
    try mergeSearchIndex(isCancelled)
    let own = ImportOrigins.End(
      batch: batchID, isFinished: true, fileCount: counts.addedCount == 0 ? nil : fileCount.map { Int64($0) })
    let ends = [own] + (state?.origins.ends ?? [])
    try store.writing("cannot finish an import into '\(store.path)'") { db in
      for end in ends { try Self.finish(end, isWhole: isWhole, in: db) }
      try LoadRoom.leave(db)
    }
    isLong = false
    return counts
  }

  private static func finish(_ end: ImportOrigins.End, isWhole: Bool, in db: Database) throws {
    // An import that brought nothing leaves nothing to be undone.
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
      // Asked for again, it would begin anew with what others have added meanwhile.
      isWhole = false
    }
  }

  /// A load that is at least so large a part of the store has all of the index merged: an eighth.
  private static let wholeMergeShare = 8
  /// So many pages are merged in one transaction, a quarter of a second on a slow disk.
  private static let mergePageCount = 2_048

  /// Takes in what was held back for its neighbours: none come any more.
  func loadCarry() throws(StoreError) {
    let held = carry
    carry.removeAll()
    guard !held.isEmpty else { return }
    try transaction { loader in
      try loader.load(BatchConversations(held), 0..<held.count, isEndOfFile: true)
    }
  }

  /// Changes what the load knows of imports, in a transaction of its own.
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

  private func transaction(_ body: (inout Loader) throws -> Void) throws(StoreError) {
    try store.finishMerges()
    // It is handed on, and not copied: of a hundred thousand conversations it is ten megabytes.
    let isOfNew = state?.isOfNew ?? false
    var remembered = state.take()
    let new = try store.writing("cannot import into '\(store.path)'") { [builder, isLong] db in
      defer { LoadRoom.giveBackCache(of: db) }
      // One that another process has begun meanwhile.
      while try ConversationMerge.goOn(in: db) {}
      try StoredKeys(db: db).settle()
      try LoadRoom.enter(db, isLong: isLong, isOfNew: isOfNew)
      var (state, updates, sessions) = try SynchronousMessageStore.withoutTriggers(db) {
        var state = try Self.handOver(&remembered)
        state.forgetMany()
        try state.noteOthers(db)
        var loader = try Loader(db, state: consume state, store: store, builder: builder)
        try body(&loader)
        return (try loader.finished(), loader.updates, loader.sessions)
      }
      let updater = try ImportUpdater(db, store: store, origins: state.origins)
      for item in updates where try updater.apply(item, hasRemapped: state.hasRemapped) {
        state.counts.updated += 1
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
  /// Triggers count one message at a time; whoever calls this counts whole batches.
  static func withoutTriggers<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    let connection = db.sqliteConnection
    guard csqlite_enable_triggers(connection, 0) == SQLITE_OK else {
      throw StoreError(
        .inputOutput, "cannot write many messages", cause: "SQLite does not switch triggers off")
    }
    defer { _ = csqlite_enable_triggers(connection, 1) }
    return try body()
  }
}

extension ImportBatch {
  /// Returns the end of the run of entries from `start` on that share conversation and interval with the last entry
  /// of `other`.
  fileprivate func interval(from start: Int, joining other: ImportBatch) -> Int {
    guard let last = other.entries.last else { return start }
    let conversation = other.key(ofConversation: Int(last.conversation))
    var end = start
    while end < count, entries[end].time == last.time, entries[end].precision == last.precision,
      key(ofConversation: Int(entries[end].conversation)) == conversation
    { end += 1 }
    return end
  }

  /// Returns the start of the last run in a range of entries that share conversation and interval.
  fileprivate func lastInterval(of range: Range<Int>) -> Int {
    guard var first = range.last else { return range.lowerBound }
    while first > range.lowerBound, entries[first - 1].sharesInterval(with: entries[first]) { first -= 1 }
    return first
  }

  /// Copies entries of another batch to the end of this one.
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
  /// Whether two entries of a batch were written in the same interval of the same conversation.
  func sharesInterval(with other: ImportBatch.Entry) -> Bool {
    time == other.time && precision == other.precision && conversation == other.conversation
  }
}
