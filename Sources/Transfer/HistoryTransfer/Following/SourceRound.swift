internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// Takes in what some files of a source have new, as a part of the one import under which all of the source is listed.
///
/// If it fails or is ended, what it has added stays and is known again.
final class SourceRound {
  private let store: SynchronousMessageStore
  private let stored: StoredSource
  private let intake: HistoryIntake
  /// The numbers of messages added and brought up to date when the last file ended.
  private var told = (added: 0, updated: 0)

  /// Begins a round.
  init(
    of stored: StoredSource, in store: SynchronousMessageStore, zone: TimeZone, _ maker: (any PictureMaker)?
  ) {
    self.stored = stored
    self.store = store
    intake = HistoryIntake(of: stored, zone: zone.identifier, makingPicturesBy: maker, into: store)
  }

  /// The number of the import as it is by now. If this round fails, the next one goes on with the same.
  var importNumber: Int64? { intake.importNumber ?? stored.importNumber }

  /// Whether the import that the source had brought was taken back, so that all of it is to come again.
  var wasTakenBack: Bool { stored.importNumber != nil && importNumber != stored.importNumber }

  /// The outcome of a file.
  struct Result {
    var tail: FileTail?
    var added = 0
    var updated = 0
    var skipped: [SkippedRecord] = []
    var skippedCount = 0
    /// The file, as its reader described it.
    var file: ImportedFile?
    /// Whether all of it was read.
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

  /// Reads on in a file.
  ///
  /// - Parameters:
  ///   - file: What its reader has said of it when it began, if it goes on.
  ///   - tail: What must be remembered of what was read of it before.
  /// - Throws: ``StoreError``; a reader that goes on has lost what was not added then.
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

  /// Returns how many messages were added and brought up to date since this was asked last: those of a file that could not be
  /// read to its end are in the store, too.
  func untold() -> (added: Int, updated: Int) {
    let counts = intake.counts
    defer { told = (counts.addedCount, counts.updated) }
    return (counts.addedCount - told.added, counts.updated - told.updated)
  }

  /// Ends the round, with the files that its messages name.
  ///
  /// - Returns: The number of the import, `nil` if there is none, and the formats that were found by now.
  /// - Throws: ``StoreError``; what was added stays.
  func finish(isCancelled: () -> Bool) throws -> (importNumber: Int64?, formats: [String]) {
    guard let number = intake.importNumber else { return (stored.importNumber, stored.formats) }
    let counts = try intake.finish(isCancelled: isCancelled)
    let isListed = try counts.addedCount > 0 || store.imports(after: number - 1, limit: 1).first?.id == number
    return (isListed ? number : nil, intake.formatNames)
  }
}
