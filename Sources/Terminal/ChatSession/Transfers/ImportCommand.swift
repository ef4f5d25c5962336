internal import Foundation
internal import HistoryTransfer
package import MessageInterchange
internal import MessagePictures
package import MessageStorage

/// `import`: reads histories into a store.
package struct ImportCommand: Sendable {
  /// The paths to be read; `-` is standard input.
  package var paths: [String]
  package var options: ImportOptions
  /// The path of the file for skipped records, as they stood.
  package var rejects: String?
  /// The files that those are not written to.
  package var files: StoreFiles?

  /// Creates the command.
  package init(
    paths: [String], options: ImportOptions = ImportOptions(), rejects: String? = nil,
    sparing files: StoreFiles? = nil
  ) {
    self.files = files
    self.paths = paths
    self.options = options
    self.rejects = rejects
  }

  /// The outcome of an import.
  package struct Outcome: Sendable {
    package var status: ExitStatus
    /// The first records that were skipped, and how many more there are; safe to be shown.
    package var skipped: [String]
    /// The line that adds up.
    package var summary: String
  }

  /// Reads everything, or until it is cancelled.
  ///
  /// One bad record never ends it. An error of the store does; what was imported until then stays.
  ///
  /// - Parameters:
  ///   - open: Opens the store, once.
  ///   - note: Takes what there is to say while it runs.
  ///   - redraw: Takes a line about how far it has come, in place of the one before.
  ///   - isCancelled: Whether to stop at a whole record.
  /// - Throws: ``InterchangeError`` for options that make no sense, ``UsageError`` if the rejects cannot be written,
  ///   what `open` throws, and ``StoreError``; what was imported until then stays.
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
