public import MessageInterchange
public import MessageModel
public import MessageStorage

extension MessageStore {
  /// Imports histories of any of the formats, with the files that their messages name, as one import that
  /// ``undoImport(_:progress:)`` takes back.
  ///
  /// What the store has already is found again and not added twice, so that a newer export can be imported over an older
  /// one. One bad record or file never ends it. `progress` ends it at a whole batch or file, and so does a cancelled task; the
  /// same import run again carries on. Whatever else is written through this store comes between its batches.
  ///
  /// Files are taken in after the messages, from the folder or the archive that `paths` name and never from outside of it; what is
  /// not there is counted. Conversations that were read to their end stay so.
  ///
  /// - Parameters:
  ///   - paths: Files, folders and archives.
  ///   - options: The options, and formats from outside.
  ///   - maker: Makes the small pictures of what comes in, as `PictureSupport.maker` does; `nil` to leave them.
  ///   - progress: Takes how far it has come after each batch and each file, and returns whether to go on.
  /// - Returns: What became of all that was read.
  /// - Throws: ``StoreError`` of kind `noSuchFile`, `notPermitted`, `inputOutput` or `invalidRequest` if a path or an option
  ///   cannot be, and those of the store; `CancellationError` if the task is cancelled. What was imported until then stays.
  /// - Complexity: O(bytes of the files), in memory that does not grow with them.
  @discardableResult
  public nonisolated(nonsending) func importHistory(
    at paths: [String], options: ImportOptions = ImportOptions(),
    makingPicturesBy maker: (any PictureMaker)? = nil,
    progress: @escaping @Sendable (ImportProgress) -> Bool = { _ in true }
  ) async throws -> HistoryImport {
    try await loading { store in
      do {
        return try HistoryImport(of: paths, options, maker, into: store, progress)
      } catch {
        throw StoreError(error, doing: "cannot import into '\(store.path)'")
      }
    }
  }
}

/// The outcome of an import: counts of all that it read.
public struct HistoryImport: Hashable, Sendable {
  /// The messages that were added, were there already, or were brought up to date.
  public var counts = BulkImport.Counts()
  /// The first records that were passed over, at most 100.
  public var skipped: [SkippedRecord] = []
  /// The number of records that were passed over. Files beside a history that are none themselves, as pictures are, do not count.
  public var skippedCount = 0
  /// The names of the formats that were found, in the order in which they came first.
  public var formats: [String] = []
  /// The number of files that the messages that were read name.
  public var namedFileCount = 0
  /// The files that were taken in, and those that could not be.
  public var files = TakenFiles()
  /// Whether it was ended before all was read and all files that messages name were looked for.
  public var isStopped = false
  /// Whether all messages were read, none of them was skipped, and each file that they name is in the store.
  public var isWhole: Bool {
    !isStopped && skippedCount == 0 && files.missingCount == 0 && files.failureCount == 0
  }

  /// So many of the records that were passed over are kept.
  private static let keptCount = 100

  init() {}

  fileprivate init(
    of paths: [String], _ options: ImportOptions, _ maker: (any PictureMaker)?,
    into store: SynchronousMessageStore, _ progress: (ImportProgress) -> Bool
  ) throws {
    let histories = try ImportReader(paths, options: options)
    var reached = histories.progress
    let isCalledOff = SynchronousMessageStore.isCancelled ?? { false }
    let intake = HistoryIntake(
      named: paths.joined(separator: " "), zone: options.timeZone.identifier, owner: options.me,
      makingPicturesBy: maker, into: { store })
    let isRead = try intake.takeAhead(histories, isCancelled: isCalledOff) { event, progressed in
      reached = progressed
      note(event)
      if case .batch = event { isStopped = !progress(reached) }
      return !isStopped
    }
    counts = try intake.finish {
      reached.takenFileCount = $0.count
      isStopped = isStopped || !progress(reached)
    } isCancelled: {
      isStopped || isCalledOff()
    }
    (namedFileCount, files) = (intake.namedFileCount, intake.files)
    formats = intake.formatNames
    isStopped = isStopped || !isRead
    if isCalledOff() { throw CancellationError() }
  }

  private mutating func note(_ event: ImportEvent) {
    switch event {
    case .file, .batch: break
    case .skipped(let record):
      guard record.scope != .ignored else { break }
      // A file that is not of the format that was named stands for its records, which were counted.
      if record.recordCount == 0 { skippedCount += 1 }
      if skipped.count < Self.keptCount { skipped.append(record) }
    }
  }
}

extension StoreError {
  /// Creates the error in which an app sees any that comes of reading or writing histories.
  ///
  /// - Parameter summary: The action that failed, for errors that do not say it themselves.
  init(_ error: any Error, doing summary: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as InterchangeError: self.init(error)
    case is CancellationError: self.init(.cancelled, summary)
    default: self.init(.inputOutput, summary, cause: "\(error)")
    }
  }

  private init(_ error: InterchangeError) {
    let kind: Kind =
      switch error.kind {
      case .noSuchFile: .noSuchFile
      case .notPermitted: .notPermitted
      case .unreadable, .unknownFormat, .invalidOption: .invalidRequest
      case .inputOutput: .inputOutput
      }
    self.init(kind, error.summary, cause: error.cause, remedy: error.remedy)
  }
}
