internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// Takes in what some files of a source have new, as a part of the one import under which all of the source is listed.
///
/// If it fails or is ended, what it has added stays and is known again.
final class SourceRound {
  private let store: SynchronousMessageStore
  private let zone: String
  /// The source, with the number of its import as it is by now.
  private(set) var stored: StoredSource
  private var load: BulkLoad?
  private var marks: ReadMarks?
  private var files = ImportedFiles()
  private var formats: ImportedFormats
  /// Whether the import that the source had brought was taken back, so that all of it is to come again.
  private(set) var wasTakenBack = false
  /// The numbers of messages added and brought up to date when the last file ended.
  private var told = (added: 0, updated: 0)

  /// Begins a round.
  init(of stored: StoredSource, in store: SynchronousMessageStore, zone: TimeZone) {
    self.stored = stored
    self.store = store
    self.zone = zone.identifier
    formats = ImportedFormats(stored.formats)
  }

  /// What came of a file.
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
  }

  private static let mostSkipped = 3

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
    if let file { files.begin(file) }
    var isFirst = true
    while let event = reader.next() {
      switch event {
      case .file(let file):
        result.file = file
        files.begin(file)
        formats.note(file.format)
      case .skipped(let record):
        guard record.scope != .ignored else { break }
        result.skippedCount += 1
        if result.skipped.count < Self.mostSkipped { result.skipped.append(record) }
      case .batch(let batch):
        let load = try begun()
        files.note(batch)
        var goesOn = batch.isContinuation
        if isFirst, let tail {
          load.goOn(with: tail)
          goesOn = true
        } else if isFirst {
          goesOn = false
        }
        isFirst = false
        try load.describe(format: formats.text)
        try load.add(batch.drafts, files: batch.runs.map(\.drafts), isContinuation: goesOn)
      }
      if isCancelled() {
        result.isWhole = false
        break
      }
    }
    if !isFirst { result.tail = try load?.pause() }
    result.tail = result.tail ?? tail
    (result.added, result.updated) = untold()
    return result
  }

  /// Returns how many messages were added and brought up to date since this was asked last: those of a file that could not be
  /// read to its end are in the store, too.
  func untold() -> (added: Int, updated: Int) {
    let counts = load?.counts ?? BulkLoad.Counts()
    defer { told = (counts.addedCount, counts.updated) }
    return (counts.addedCount - told.added, counts.updated - told.updated)
  }

  private func begun() throws -> BulkLoad {
    if let load { return load }
    // What is there when a source is first followed is history; what comes later is news.
    if stored.seenAt == nil { marks = try ReadMarks(in: store) }
    let new = try BulkLoad(
      into: store, goingOnWith: stored.importNumber, ofSource: stored.id,
      BulkLoad.Description(name: stored.path, format: formats.text, zone: zone))
    load = new
    if new.batchID != stored.importNumber { wasTakenBack = stored.importNumber != nil }
    // If this round fails, the next one goes on with the same.
    stored.importNumber = new.batchID
    return new
  }

  /// Ends the round, with the files that its messages name.
  ///
  /// - Returns: The number of the import, `nil` if there is none, and the formats that were found by now.
  /// - Throws: ``StoreError``; what was added stays.
  func finish(isCancelled: () -> Bool) throws -> (importNumber: Int64?, formats: [String]) {
    guard let load else { return (stored.importNumber, stored.formats) }
    let counts = try load.finish(isCancelled: isCancelled)
    try marks?.move(in: store)
    try files.run(into: store, redraw: { _ in }, isCancelled: isCancelled)
    if counts.addedCount > 0 { PictureMaking.makePictures(in: store, isCancelled: isCancelled) }
    let isListed =
      try counts.addedCount > 0
      || store.imports(after: load.batchID - 1, limit: 1).first?.id == load.batchID
    return (isListed ? load.batchID : nil, formats.names)
  }
}
