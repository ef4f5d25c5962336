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

  /// After an error, a continued reader has lost what was not added. `file` and `tail` are the description
  /// and the saved state of a continued file.
  func take(
    _ reader: inout ImportReader, file: ImportedFile? = nil, tail: FileTail? = nil, isCancelled: () -> Bool
  ) throws -> Result {
    var result = Result(file: file)
    let isWhole = try intake.take(goingOnWith: file, tail) {
      reader.next()
    } then: {
      result.note($0)
      return !isCancelled()
    }
    result.isWhole = isWhole
    result.tail = try intake.pause() ?? tail
    (result.added, result.updated) = untold()
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
