package import MessageInterchange
package import MessageModel
package import MessageStorage

/// Imports histories into a store, for `import`, `follow` and apps: messages in batches, then the files that
/// they name.
///
/// The import begins with the first messages. If it fails or is stopped, added messages stay and are
/// recognised later.
package final class HistoryIntake {
  private let open: () throws -> SynchronousMessageStore
  private let name: String
  private let zone: String
  private let maker: (any PictureMaker)?
  /// The name under which the history's owner wrote, if the user gave it.
  private let owner: String?
  /// The followed source, whose messages all belong to one import; `nil` for a single import.
  private let source: StoredSource?
  private var begun: Begun?
  private var formats: ImportedFormats
  private var named = NamedFiles()
  /// What the history contains besides messages.
  package private(set) var settings = SettingsIntake()
  private var fileCount = 0
  private var isWithinFile = false

  private struct Begun {
    let store: SynchronousMessageStore
    let load: BulkImport
    let marks: ImportedReadMarks?
  }

  /// - Parameters:
  ///   - name: The path that the user named.
  ///   - zone: The identifier of the zone of times without one.
  ///   - owner: The name under which the history's owner wrote, if the user gave it: that person is `me`.
  ///   - maker: Makes thumbnails and previews of imported pictures; `nil` for none.
  ///   - open: Opens the store, once.
  package init(
    named name: String, zone: String, owner: String? = nil,
    makingPicturesBy maker: (any PictureMaker)? = nil,
    into open: @escaping () throws -> SynchronousMessageStore
  ) {
    self.open = open
    self.owner = owner
    self.name = name
    self.zone = zone
    self.maker = maker
    source = nil
    formats = ImportedFormats()
  }

  init(
    of source: StoredSource, zone: String, makingPicturesBy maker: (any PictureMaker)?,
    into store: SynchronousMessageStore
  ) {
    open = { store }
    owner = nil
    name = source.path
    self.zone = zone
    self.maker = maker
    self.source = source
    formats = ImportedFormats(source.formats)
  }

  /// The latest time that a message may claim: a day from now, since clocks and zones differ. Messages
  /// appended after a later one would get even later times.
  package static func latest(now: Timestamp = systemTime()) -> Timestamp {
    now.advanced(byMilliseconds: 86_400_000)
  }

  package func begin() throws { _ = try opened() }

  /// Imports what a reader returns, which runs on a thread of its own, one batch ahead.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether to stop after a whole batch.
  ///   - goesOn: Receives each event once its messages are in the store, with the reader's progress at it;
  ///     returns whether to continue.
  /// - Returns: Whether everything was read.
  package func takeAhead(
    _ histories: sending ImportReader, isCancelled: () -> Bool,
    then goesOn: (ImportEvent, ImportProgress) -> Bool
  ) throws -> Bool {
    var histories = histories
    var progress = histories.progress
    let reader = ReadAhead { histories.next().map { Reading(event: $0, progress: histories.progress) } }
    defer { reader.stop() }
    let isWhole = try take {
      guard let reading = reader.next(isCancelled: isCancelled) else { return nil }
      progress = reading.progress
      return reading.event
    } then: {
      goesOn($0, progress)
    }
    return isWhole && !isCancelled()
  }

  private struct Reading: Sendable {
    var event: ImportEvent
    var progress: ImportProgress
  }

  /// `file` and `tail` are the description and the saved state of a continued file. `goesOn` receives each
  /// event once its messages are in the store, and returns whether to continue. Returns whether it reached
  /// the end.
  func take(
    goingOnWith file: ImportedFile? = nil, _ tail: FileTail? = nil, _ next: () -> ImportEvent?,
    then goesOn: (ImportEvent) -> Bool
  ) throws -> Bool {
    if let file { named.begin(file) }
    while let event = next() {
      var skipped: [SkippedRecord] = []
      switch event {
      case .file(let file):
        named.begin(file)
        formats.note(file.format)
      case .batch(let batch): skipped = try add(batch, behind: tail)
      case .skipped: break
      }
      for event in [event] + skipped.map(ImportEvent.skipped) {
        guard goesOn(event) else { return false }
      }
    }
    return true
  }

  private func add(_ batch: ImportedMessages, behind tail: FileTail?) throws -> [SkippedRecord] {
    let (store, load) = (try opened().store, try opened().load)
    let skipped = try settings.begin(batch, load)
    try add(batch, to: load, behind: tail)
    return try skipped + settings.take(batch.settings, load, into: store, zone: zone)
  }

  private func add(_ batch: ImportedMessages, to load: BulkImport, behind tail: FileTail?) throws {
    guard !batch.entries.isEmpty else { return try load.add(batch.entries) }
    named.note(batch)
    fileCount += batch.runs.count { !$0.isContinuation }
    let isFirst = !isWithinFile
    isWithinFile = true
    if isFirst, let tail { load.goOn(with: tail) }
    try load.describe(format: formats.text)
    try load.add(
      batch.entries, files: batch.runs.map(\.entries),
      isContinuation: isFirst ? tail != nil : batch.isContinuation)
  }

  /// Imports what several files have new, in one transaction.
  func add(_ files: [GrownFile]) throws -> [BulkImport.FileLoad] {
    let load = try opened().load
    for file in files {
      if let described = file.file {
        named.begin(described)
        formats.note(described.format)
      }
      named.note(file.batch)
    }
    try load.describe(format: formats.text)
    return try load.add(files.map { ($0.batch.entries, $0.tail) })
  }

  /// Ends a file that may be continued later; returns the state to save, `nil` if it brought nothing.
  func pause() throws -> FileTail? {
    guard isWithinFile else { return nil }
    isWithinFile = false
    return try begun?.load.pause()
  }

  var counts: BulkImport.Counts { begun?.load.counts ?? BulkImport.Counts() }

  var importNumber: Int64? { begun?.load.batchID }

  var formatNames: [String] { formats.names }

  var namedFileCount: Int { named.count }

  package var files: TakenFiles { named.taken }

  /// Ends the import with the files that its messages name.
  ///
  /// - Parameters:
  ///   - note: Receives the outcome of files so far.
  ///   - isCancelled: Whether to skip the remaining files.
  package func finish(
    note: (TakenFiles) -> Void = { _ in }, isCancelled: () -> Bool
  ) throws -> BulkImport.Counts {
    guard let begun else { return BulkImport.Counts() }
    let counts = try begun.load.finish(fileCount: source == nil ? fileCount : nil, isCancelled: isCancelled)
    // Reading is not interrupted here: it ends between two files.
    try SynchronousMessageStore.whileCancellable(by: nil) {
      try begun.marks?.move(in: begun.store)
      if let owner { try begun.store.linkOwner(named: owner) }
      try named.take(into: begun.store, note: note, isCancelled: isCancelled)
      // Files that arrived after their messages have changed the sessions.
      if source == nil || named.count > 0 { try begun.store.settleSessions() }
      for name in settings.filters { try begun.store.count(filter: name, isCancelled: isCancelled) }
      guard source == nil || counts.addedCount > 0 else { return }
      begun.store.makeMissingPictures(by: maker, isCancelled: isCancelled)
    }
    return counts
  }

  private func opened() throws -> Begun {
    if let begun { return begun }
    let store = try open()
    let marks = try self.marks(in: store)
    let description = BulkImport.Description(name: name, format: formats.text, zone: zone)
    let new = Begun(store: store, load: try load(description, into: store), marks: marks)
    begun = new
    return new
  }

  private func load(
    _ description: BulkImport.Description, into store: SynchronousMessageStore
  ) throws -> BulkImport {
    guard let source else { return try BulkImport(into: store, description) }
    return try BulkImport(into: store, goingOnWith: source.importNumber, ofSource: source.id, description)
  }

  /// `nil` for a source that was followed before: its first content is history, later content is news.
  private func marks(in store: SynchronousMessageStore) throws -> ImportedReadMarks? {
    source?.seenAt == nil ? try ImportedReadMarks(in: store) : nil
  }
}

/// What a file has new, read and not added yet.
struct GrownFile {
  /// The description of the file.
  let file: ImportedFile?
  let batch: ImportedMessages
  /// The saved state, if an earlier import had its beginning.
  let tail: FileTail?
}

extension SynchronousMessageStore {
  fileprivate func count(filter name: String, isCancelled: () -> Bool) throws(StoreError) {
    do throws(StoreError) {
      try countMessages(ofFilter: name) { _, _ in !isCancelled() }
    } catch {
      guard [.cancelled, .notFound].contains(error.kind) else { throw error }
    }
  }
}

struct ImportedFormats {
  private(set) var names: [String]

  init(_ names: [String] = []) { self.names = names }

  private static let shownCount = 4

  mutating func note(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }

  var text: String {
    let rest = names.count - Self.shownCount
    return names.prefix(Self.shownCount).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

/// Read marks before an import: imported messages count as read where nothing was unread.
struct ImportedReadMarks {
  /// The newest message of each conversation that has a mark and in which nothing is unread.
  private var newest: [Conversation.ID: Message.ID] = [:]
  /// The end of the history: messages written later do not belong to it.
  private let end: Message.ID

  init(in store: SynchronousMessageStore, now: Timestamp = systemTime()) throws(StoreError) {
    end = Message.ID(time: now).predecessor
    let conversations = try store.readConversations()
    for (conversation, unread) in zip(conversations, try store.unreadCounts(of: conversations)) {
      guard let mark = conversation.readUpTo, unread == 0 else { continue }
      // The user's own messages may follow the mark.
      newest[conversation.id] = max(mark, conversation.newest ?? mark)
    }
  }

  func move(in store: SynchronousMessageStore) throws(StoreError) {
    if self.newest.isEmpty { return }
    for conversation in try store.readConversations() {
      guard let before = self.newest[conversation.id], let newest = conversation.newest, newest > before
      else { continue }
      try store.markRead(conversation.id, upTo: min(newest, end))
    }
  }
}
