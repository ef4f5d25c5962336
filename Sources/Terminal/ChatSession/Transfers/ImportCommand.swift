internal import Foundation
internal import HistoryTransfer
package import MessageInterchange
internal import MessagePictures
package import MessageStorage

/// `import`: reads histories into a store.
package struct ImportCommand: Sendable {
  /// The paths to read; `-` is standard input.
  package var paths: [String]
  package var options: ImportOptions
  /// The file for skipped records, as they were.
  package var rejects: String?
  /// Files that skipped records must not overwrite.
  package var files: StoreFiles?

  package init(
    paths: [String], options: ImportOptions = ImportOptions(), rejects: String? = nil,
    sparing files: StoreFiles? = nil
  ) {
    self.files = files
    self.paths = paths
    self.options = options
    self.rejects = rejects
  }

  package struct Outcome: Sendable {
    package var status: ExitStatus
    /// The first skipped records, and the number of others; safe for display.
    package var skipped: [String]
    package var summary: String
  }

  /// Reads everything until cancelled.
  ///
  /// A bad record does not end the import; an error of the store does, and imported messages stay.
  ///
  /// - Parameters:
  ///   - open: Opens the store, once.
  ///   - note: Receives notes while it runs.
  ///   - redraw: Replaces the line of progress.
  ///   - isCancelled: Whether to stop, after a whole record.
  /// - Throws: ``InterchangeError`` for invalid options, ``UsageError`` if the rejects cannot be written,
  ///   what `open` throws, and ``StoreError``.
  package func load(
    into open: @escaping () throws -> SynchronousMessageStore, note: @escaping (String) -> Void,
    redraw: @escaping (String) -> Void, isCancelled: () -> Bool
  ) throws -> Outcome {
    let histories = try ImportReader(paths, options: options)
    var report = ImportReport(
      note: note, redraw: redraw,
      skipped: try SkippedRecords(rejects: rejects, inputs: paths, sparing: files), format: options.format)
    var progress = histories.progress
    let intake = HistoryIntake(
      named: paths.joined(separator: " "), zone: options.timeZone.identifier, owner: options.me,
      makingPicturesBy: PictureSupport.maker, into: open)
    _ = try intake.takeAhead(histories, isCancelled: isCancelled) {
      progress = $1
      report.take($0, progress)
      return true
    }
    report.beginMerging()
    var outcome = report.outcome(progress)
    if outcome.status != .unreadableInput { try intake.begin() }
    let counts = try intake.finish(note: { report.show($0) }, isCancelled: isCancelled)
    let isStopped = isCancelled()
    if !isStopped, outcome.status == .unreadableInput { outcome.skipped += report.linesOnNothing }
    outcome.summary = report.finish(counts, progress)
    for line in ImportReport.lines(on: intake.files) + ImportReport.lines(on: intake.settings) { note(line) }
    if isStopped {
      outcome.status = .interrupted
      outcome.summary = "stopped: \(outcome.summary). Run the same command to continue."
    }
    return outcome
  }
}
