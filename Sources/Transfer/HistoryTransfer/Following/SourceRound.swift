internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// Imports what some files of a source have new, as a part of the source's one import. If it fails or is
/// stopped, added messages stay and are recognised later.
final class SourceRound {
  private let store: SynchronousMessageStore
  private let stored: StoredSource
  private let intake: HistoryIntake
  private var told = (added: 0, updated: 0)
  private var held: [Held] = []

  init(
    of stored: StoredSource, in store: SynchronousMessageStore, zone: TimeZone, _ maker: (any PictureMaker)?
  ) {
    self.stored = stored
    self.store = store
    intake = HistoryIntake(of: stored, zone: zone.identifier, makingPicturesBy: maker, into: store)
  }

  var importNumber: Int64? { intake.importNumber ?? stored.importNumber }

  /// Whether the source's import was undone, so that everything must be read again.
  var wasTakenBack: Bool { stored.importNumber != nil && importNumber != stored.importNumber }

  struct Result {
    var tail: FileTail?
    var added = 0
    var updated = 0
    var skipped: [SkippedRecord] = []
    var skippedCount = 0
    var file: ImportedFile?
    var isWhole = true

    private static let mostSkipped = 3

    fileprivate mutating func note(_ event: ImportEvent) {
      switch event {
      case .file(let file): self.file = file
      case .batch: break
      case .skipped(let record):
        guard record.scope != .ignored else { break }
        skippedCount += 1
        if skipped.count < Self.mostSkipped { skipped.append(record) }
      }
    }
  }

  /// Reads a file, and calls `then` with the reader and the result once the messages are in the store.
  ///
  /// What is small waits for ``flush(_:)``, to be added in one transaction with that of other files. After an error, a
  /// continued reader has lost what was not added.
  ///
  /// - Parameters:
  ///   - file: The description of a continued file; `tail` is its saved state.
  ///   - byteCount: The size of what it has new.
  func take(
    _ reader: ImportReader, file: ImportedFile? = nil, tail: FileTail? = nil, byteCount: Int64,
    isCancelled: () -> Bool, then: @escaping (ImportReader, Result) -> Void
  ) throws {
    var held = Held(reader: reader, file: file, tail: tail, byteCount: byteCount, then: then)
    guard byteCount <= Self.heldByteCount.file else {
      try flush(isCancelled)
      return try take(&held, isCancelled)
    }
    while let event = held.reader.next() { held.events.append(event) }
    guard held.grown != nil else {
      try flush(isCancelled)
      return try take(&held, isCancelled)
    }
    self.held.append(held)
    if self.held.reduce(0, { $0 + $1.byteCount }) >= Self.heldByteCount.all { try flush(isCancelled) }
  }

  /// The most bytes of a file that waits for others, and of all that wait.
  private static let heldByteCount = (file: Int64(64 << 10), all: Int64(2 << 20))

  /// A file, read as far as its events say, that is not in the store yet.
  private struct Held {
    var reader: ImportReader
    let file: ImportedFile?
    let tail: FileTail?
    let byteCount: Int64
    let then: (ImportReader, Result) -> Void
    var events: [ImportEvent] = []

    /// What it has new; `nil` if that is not one batch of messages alone.
    var grown: GrownFile? {
      var (file, batch) = (file, ImportedMessages?.none)
      for event in events {
        switch event {
        case .file(let described): file = described
        case .batch(let messages):
          guard batch == nil, messages.settings.isEmpty, !messages.beginsStore, !messages.entries.isEmpty
          else { return nil }
          batch = messages
        case .skipped: break
        }
      }
      return batch.map { GrownFile(file: file, batch: $0, tail: tail) }
    }
  }

  /// Adds what waits.
  func flush(_ isCancelled: () -> Bool) throws {
    var files = held
    held = []
    guard files.count > 1 else {
      if !files.isEmpty { try take(&files[0], isCancelled) }
      return
    }
    let loads = try intake.add(files.compactMap(\.grown))
    _ = untold()
    for (file, load) in zip(files, loads) {
      var result = Result(file: file.file)
      for event in file.events { result.note(event) }
      (result.tail, result.added, result.updated) = (load.tail, load.addedCount, load.updatedCount)
      file.then(file.reader, result)
    }
  }

  private func take(_ held: inout Held, _ isCancelled: () -> Bool) throws {
    var result = Result(file: held.file)
    var events = held.events[...]
    let isWhole = try intake.take(goingOnWith: held.file, held.tail) {
      events.popFirst() ?? held.reader.next()
    } then: {
      result.note($0)
      return !isCancelled()
    }
    result.isWhole = isWhole
    result.tail = try intake.pause() ?? held.tail
    (result.added, result.updated) = untold()
    held.then(held.reader, result)
  }

  /// Reads a file that is not continued later.
  func take(_ reader: inout ImportReader, isCancelled: () -> Bool) throws -> Result {
    try flush(isCancelled)
    var result = Result()
    var whole = Held(reader: reader, file: nil, tail: nil, byteCount: .max) { result = $1 }
    try take(&whole, isCancelled)
    reader = whole.reader
    return result
  }

  /// Returns the counts since the last call; messages of a file that failed midway are in the store, too.
  func untold() -> (added: Int, updated: Int) {
    let counts = intake.counts
    defer { told = (counts.addedCount, counts.updated) }
    return (counts.addedCount - told.added, counts.updated - told.updated)
  }

  /// Imports the files that messages name; returns the number of the import, if any, and the formats found so
  /// far.
  func finish(isCancelled: () -> Bool) throws -> (importNumber: Int64?, formats: [String]) {
    guard let number = intake.importNumber else { return (stored.importNumber, stored.formats) }
    let counts = try intake.finish(isCancelled: isCancelled)
    let isListed = try counts.addedCount > 0 || store.imports(after: number - 1, limit: 1).first?.id == number
    return (isListed ? number : nil, intake.formatNames)
  }
}
