package import MessageInterchange
package import MessageModel
package import MessageStorage

/// The way of histories into a store, which `import`, `follow` and apps go: messages batch by batch, and then the files that
/// they name.
///
/// The import begins with the first messages. If it fails or is ended, what it has added stays and is known again.
package final class HistoryIntake {
  private let open: () throws -> SynchronousMessageStore
  private let name: String
  private let zone: String
  private let maker: (any PictureMaker)?
  /// The name under which the owner of the history wrote, if the user has said it.
  private let owner: String?
  /// The source that is followed, under whose one import all is listed; `nil` of a history that is imported once.
  private let source: StoredSource?
  private var begun: Begun?
  private var formats: ImportedFormats
  private var named = NamedFiles()
  /// What came beside messages.
  package private(set) var settings = SettingsIntake()
  /// The number of files that messages came from.
  private var fileCount = 0
  /// Whether the file that is being read has brought messages.
  private var isWithinFile = false

  /// The parts that there are once the store is open.
  private struct Begun {
    let store: SynchronousMessageStore
    let load: BulkImport
    let marks: ReadMarks?
  }

  /// Prepares to import histories.
  ///
  /// - Parameters:
  ///   - name: What the user named to be read.
  ///   - zone: The identifier of the zone of times without one.
  ///   - owner: The name under which the owner of the history wrote, if the user has said it: that person is `me`.
  ///   - maker: Makes the small pictures of what comes in; `nil` to leave them.
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

  /// Prepares to go on with the import of a source that is followed.
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

  /// Returns the latest time that a message may claim: a day from now, since clocks and zones differ. All that is
  /// appended after a message of a later time would be later still.
  package static func latest(now: Timestamp = systemTime()) -> Timestamp {
    now.advanced(byMilliseconds: 86_400_000)
  }

  /// Opens the store, if it is not open yet.
  package func begin() throws { _ = try opened() }

  /// Takes in what a reader has, read by a thread of its own, a batch ahead.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether to stop at a whole batch.
  ///   - goesOn: Takes each event, after what it brings is in the store, with how far the reading has come then; returns
  ///     whether to go on.
  /// - Returns: Whether all of it was read.
  /// - Throws: ``StoreError`` and what opening the store throws.
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

  /// An event that was read, and the progress of the reading with it.
  private struct Reading: Sendable {
    var event: ImportEvent
    var progress: ImportProgress
  }

  /// Takes in what is read.
  ///
  /// - Parameters:
  ///   - file: The file that is gone on with, as its reader described it, if it is.
  ///   - tail: What must be remembered of what was read of it before.
  ///   - next: Reads on; `nil` at the end.
  ///   - goesOn: Takes each event, after what it brings is in the store; returns whether to go on.
  /// - Returns: Whether it went on to the end.
  /// - Throws: ``StoreError`` and what opening the store throws.
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

  /// Takes in messages and what stands beside them, and returns what is left out of that.
  private func add(_ batch: ImportedMessages, behind tail: FileTail?) throws -> [SkippedRecord] {
    let (store, load) = (try opened().store, try opened().load)
    let skipped = try settings.begin(batch, load)
    try add(batch, to: load, behind: tail)
    return try skipped + settings.take(batch.settings, load, into: store, zone: zone)
  }

  private func add(_ batch: ImportedMessages, to load: BulkImport, behind tail: FileTail?) throws {
    guard !batch.entries.isEmpty else { return }
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

  /// Ends a file that may be gone on with later.
  ///
  /// - Returns: What must be remembered of it; `nil` if it has brought nothing.
  func pause() throws -> FileTail? {
    guard isWithinFile else { return nil }
    isWithinFile = false
    return try begun?.load.pause()
  }

  /// The counts of what the import has brought so far.
  var counts: BulkImport.Counts { begun?.load.counts ?? BulkImport.Counts() }

  /// The number under which the import is listed, once it has begun.
  var importNumber: Int64? { begun?.load.batchID }

  /// The names of the formats that were found, of a source those that were found before, too.
  var formatNames: [String] { formats.names }

  /// The number of files that the messages so far name.
  var namedFileCount: Int { named.count }

  /// The files that messages name, by what became of them.
  package var files: TakenFiles { named.taken }

  /// Ends the import, takes in the files that its messages name, and returns what it has brought.
  ///
  /// - Parameters:
  ///   - note: Takes what became of the files so far.
  ///   - isCancelled: Whether to leave out what is still to be done.
  /// - Throws: ``StoreError``; what was added stays.
  package func finish(
    note: (TakenFiles) -> Void = { _ in }, isCancelled: () -> Bool
  ) throws -> BulkImport.Counts {
    guard let begun else { return BulkImport.Counts() }
    let counts = try begun.load.finish(fileCount: source == nil ? fileCount : nil, isCancelled: isCancelled)
    // What is read for this is not cut short: it ends between two files.
    try SynchronousMessageStore.whileCancellable(by: nil) {
      try begun.marks?.move(in: begun.store)
      if let owner { try begun.store.linkOwner(named: owner) }
      try named.take(into: begun.store, note: note, isCancelled: isCancelled)
      // Files that came behind their messages have changed these.
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

  /// Returns the read marks unless the source was followed before: its first content is history, later content is news.
  private func marks(in store: SynchronousMessageStore) throws -> ReadMarks? {
    source?.seenAt == nil ? try ReadMarks(in: store) : nil
  }
}

extension SynchronousMessageStore {
  /// Counts the messages of a saved filter, as far as there is time.
  fileprivate func count(filter name: String, isCancelled: () -> Bool) throws(StoreError) {
    do throws(StoreError) {
      try countMessages(ofFilter: name) { _, _ in !isCancelled() }
    } catch {
      guard [.cancelled, .notFound].contains(error.kind) else { throw error }
    }
  }
}

/// The formats that were found in an import, as the list of imports names them.
struct ImportedFormats {
  private(set) var names: [String]

  /// Creates a list of those that were found before.
  init(_ names: [String] = []) { self.names = names }

  /// So many are named; of more it is said how many.
  private static let shownCount = 4

  /// Notes that a file is of the format called `name`.
  mutating func note(_ name: String) {
    if !names.contains(name) { names.append(name) }
  }

  /// `telegram, csv`, in the order in which they came.
  var text: String {
    let rest = names.count - Self.shownCount
    return names.prefix(Self.shownCount).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
