public import Foundation
public import MessageInterchange
internal import MessageModel
public import MessageStorage

extension MessageStore {
  /// Imports histories of any supported format, with the files that their messages name, as one import that
  /// ``undoImport(_:progress:)`` removes.
  ///
  /// Messages that the store already has are recognised and not added twice, so a newer export can be
  /// imported over an older one. A bad record or file never ends the import. `progress` and cancelling the
  /// task end it after a whole batch or file; running the same import again continues. Other writes through
  /// this store happen between its batches.
  ///
  /// Files are imported after the messages, from the folder or archive that `paths` names and never from
  /// outside it; missing ones are counted. Conversations that were fully read stay so.
  ///
  /// - Parameters:
  ///   - paths: Files, folders and archives.
  ///   - options: The options, with custom formats.
  ///   - maker: Makes thumbnails and previews of imported pictures, as `PictureSupport.maker` does; `nil` for
  ///     none.
  ///   - progress: Receives the progress after each batch and file, and returns whether to continue.
  /// - Returns: The outcome for everything that was read.
  /// - Throws: ``StoreError`` of kind `noSuchFile`, `notPermitted`, `inputOutput` or `invalidRequest` for an
  ///   unusable path or option, and errors of the store; `CancellationError` if the task is cancelled.
  ///   Messages imported until then stay.
  /// - Complexity: O(bytes of the files), in constant memory.
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

  /// Imports histories; see ``importHistory(at:options:makingPicturesBy:progress:)-([String],_,_,_)``.
  ///
  /// - Throws: ``StoreError`` like the method with paths, and `invalidRequest` for a URL that is not a file
  ///   URL.
  @discardableResult
  public nonisolated(nonsending) func importHistory(
    at urls: [URL], options: ImportOptions = ImportOptions(),
    makingPicturesBy maker: (any PictureMaker)? = nil,
    progress: @escaping @Sendable (ImportProgress) -> Bool = { _ in true }
  ) async throws -> HistoryImport {
    let paths = try urls.map { url throws(StoreError) in try url.pathOfFile }
    return try await importHistory(at: paths, options: options, makingPicturesBy: maker, progress: progress)
  }
}

/// The outcome of an import.
public struct HistoryImport: Hashable, Sendable {
  /// The numbers of messages added, already present, and updated.
  public var counts = ImportCounts()
  /// The first skipped records, at most 100.
  public var skipped: [SkippedRecord] = []
  /// The number of skipped records. Files beside a history that are not histories themselves, such as
  /// pictures, do not count.
  public var skippedCount = 0
  /// The names of the formats found, in order of appearance.
  public var formats: [String] = []
  /// The number of files that the messages name.
  public var namedFileCount = 0
  /// The outcome for the named files.
  public var files = TakenFiles()
  /// Whether the import ended before everything was read and all named files were looked for.
  public var isStopped = false
  /// Whether all messages were read, no record was skipped, and every named file is in the store.
  public var isWhole: Bool {
    !isStopped && skippedCount == 0 && files.missingCount == 0 && files.failureCount == 0
  }

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
      // A file that is not of the named format counts as one record.
      if record.recordCount == 0 { skippedCount += 1 }
      if skipped.count < Self.keptCount { skipped.append(record) }
    }
  }
}

extension StoreError {
  /// Wraps any error of reading or writing histories.
  ///
  /// - Parameter summary: The failed action, for errors that do not name it.
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
