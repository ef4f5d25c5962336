internal import Synchronization

extension MessageStore {
  /// Imports histories of any of the formats, as one import that ``undoImport(_:progress:)`` takes back.
  ///
  /// What the store has already is found again and not added twice, so that a newer export can be imported over an older
  /// one. One bad record or file never ends it. A cancelled task ends it at a whole batch, and so does `progress`; the same
  /// import run again carries on. Files that messages name are not taken in: an app does so by
  /// ``setContent(_:ofAttachment:of:)``. Whatever else is written through this store comes between its batches.
  ///
  /// - Parameters:
  ///   - paths: Files, folders and archives.
  ///   - options: The options, and formats from outside.
  ///   - progress: Takes how far it has come after each batch, and returns whether to go on.
  /// - Returns: What became of all that was read.
  /// - Throws: ``StoreError`` of kind `noSuchFile`, `notPermitted`, `inputOutput` or `invalidRequest` if a path or an option
  ///   cannot be, and those of the store; what was imported until then stays.
  /// - Complexity: O(bytes of the files), in memory that does not grow with them.
  @discardableResult
  public nonisolated(nonsending) func importHistory(
    at paths: [String], options: ImportOptions = ImportOptions(),
    progress: @escaping @Sendable (ImportProgress) -> Bool = { _ in true }
  ) async throws(StoreError) -> HistoryImport {
    let description = BulkLoad.Description(
      name: paths.joined(separator: " "), format: options.format ?? "",
      zone: options.timeZone.identifier)
    let reading = Mutex(HistoryImport())
    let counts = try await load(description) { load throws(StoreError) in
      let outcome = try HistoryImport(reading: paths, options, into: load, progress)
      reading.withLock { $0 = outcome }
    }
    var outcome = reading.withLock { $0 }
    outcome.counts = counts
    return outcome
  }
}

/// The outcome of an import: counts of all that it read.
public struct HistoryImport: Hashable, Sendable {
  /// The messages that were added, were there already, or were brought up to date.
  public var counts = BulkLoad.Counts()
  /// The first records that were passed over, at most 100.
  public var skipped: [SkippedRecord] = []
  /// The number of records that were passed over. Files beside a history that are none themselves, as pictures are, do not count.
  public var skippedCount = 0
  /// The names of the formats that were found, in the order in which they came first.
  public var formats: [String] = []
  /// The number of files that the messages name. They are not taken in.
  public var namedFileCount = 0
  /// Whether all messages were read, and it was not ended before. Of the files that they name it says nothing.
  public var isWhole = false

  /// So many of the records that were passed over are kept.
  private static let keptCount = 100

  init() {}

  fileprivate init(
    reading paths: [String], _ options: ImportOptions, into load: BulkLoad,
    _ progress: (ImportProgress) -> Bool
  ) throws(StoreError) {
    var reader = try Self.reader(of: paths, options)
    while !SynchronousMessageStore.isCalledOff {
      guard let event = reader.next() else {
        isWhole = true
        return
      }
      guard try take(event, into: load) || progress(reader.progress) else { return }
    }
  }

  /// Takes an event, and returns whether it goes on without asking.
  private mutating func take(_ event: ImportEvent, into load: BulkLoad) throws(StoreError) -> Bool {
    switch event {
    case .file(let file):
      if !formats.contains(file.format) { formats.append(file.format) }
      try load.describe(format: formats.joined(separator: ", "))
    case .batch(let batch):
      try load.add(batch.drafts, files: batch.runs.map(\.drafts), isContinuation: batch.isContinuation)
      for details in batch.drafts.details.values {
        namedFileCount += details.attachments.count { $0.path != nil }
      }
      return false
    case .skipped(let record):
      guard record.scope != .ignored else { break }
      skippedCount += 1
      if skipped.count < Self.keptCount { skipped.append(record) }
    }
    return true
  }

  private static func reader(
    of paths: [String], _ options: ImportOptions
  ) throws(StoreError) -> ImportReader {
    do throws(InterchangeError) {
      return try ImportReader(paths, options: options)
    } catch {
      throw StoreError(Self.kind(error.kind), error.summary, cause: error.cause, remedy: error.remedy)
    }
  }

  private static func kind(_ kind: InterchangeError.Kind) -> StoreError.Kind {
    switch kind {
    case .noSuchFile: .noSuchFile
    case .notPermitted: .notPermitted
    case .unreadable, .unknownFormat, .invalidOption: .invalidRequest
    case .inputOutput: .inputOutput
    }
  }
}
