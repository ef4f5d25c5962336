internal import Foundation
internal import HistoryModel
internal import HistoryTransfer
package import MessageInterchange
internal import MessageModel
internal import MessagePictures
package import MessageStorage
internal import TerminalText

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

/// The report of an import, during it and at its end.
package struct ImportReport {
  private let note: (String) -> Void
  private var skipped: SkippedRecords
  private var formats: [String] = []
  private var meter: ProgressMeter
  private let format: String?
  private var unknownCount = 0
  private var namedCount = 0

  init(
    note: @escaping (String) -> Void, redraw: @escaping (String) -> Void, skipped: SkippedRecords,
    format: String?
  ) {
    self.note = note
    self.format = format
    self.skipped = skipped
    meter = ProgressMeter(redraw: redraw)
  }

  mutating func take(_ event: ImportEvent, _ progress: ImportProgress) {
    switch event {
    case .file(let file): begin(file)
    case .batch(let batch):
      unknownCount += Self.unknownCount(in: batch.entries)
      namedCount += batch.entries.entries.count(where: \.isNamedOnly)
    case .skipped(let record): skipped.append(record)
    }
    meter.show(
      progress.messageCount, unit: "messages", done: progress.doneByteCount, of: progress.totalByteCount)
  }

  private static func unknownCount(in entries: ImportBatch) -> Int {
    entries.entries.count { entry in
      entry.kind == .unknown && entries.string(entry.text)?.utf8.first == UInt8(ascii: "{")
    }
  }

  private mutating func begin(_ file: ImportedFile) {
    guard !formats.contains(file.format) else { return }
    formats.append(file.format)
    meter.clear()
    note("reading \(file.formatTitle)  (--format \(file.format))")
  }

  mutating func beginMerging() { meter.show("merging the search index") }

  mutating func show(_ files: TakenFiles) {
    meter.show("read \(NumberText.counted(files.count, "file"))")
  }

  func outcome(_ progress: ImportProgress) -> ImportCommand.Outcome {
    var lines = skipped.lines("skipped")
    let status = Self.status(skipped: skipped.count, progress)
    if let format, status == .unreadableInput { lines.append(Self.wayOut(format)) }
    if unknownCount > 0 { lines.append(Self.kept(unknownCount)) }
    if namedCount > 0 {
      let messages = NumberText.counted(namedCount, "message")
      lines.append("\(messages) of which only the kind is known: it stands in brackets, as [poll]")
    }
    return ImportCommand.Outcome(status: status, skipped: lines, summary: "")
  }

  var linesOnNothing: [String] { skipped.linesOnNothing() }

  mutating func finish(_ counts: BulkImport.Counts, _ progress: ImportProgress) -> String {
    meter.clear()
    return Self.summary(counts, skipped: skipped.count, files: progress.fileCount)
  }

  /// Unreadable if nothing at all could be read; an export without messages is readable.
  package static func status(skipped: Int, _ progress: ImportProgress) -> ExitStatus {
    guard progress.fileCount > 0 else { return .unreadableInput }
    guard skipped > 0 else { return .done }
    return progress.messageCount + progress.settingCount == 0 ? .unreadableInput : .incomplete
  }

  /// The remedy for input that does not have the named format.
  package static func wayOut(_ format: String) -> String {
    "nothing was in \(format) format; without --format, the format is detected"
  }

  private static func kept(_ count: Int) -> String {
    count == 1
      ? "1 record of an unknown kind was kept as JSON (search kind:unknown shows it)"
      : "\(NumberText.grouped(count)) records of unknown kinds were kept as JSON (search kind:unknown shows them)"
  }

  private static let shownFailures = 10

  static func lines(on files: TakenFiles) -> [String] {
    var lines = files.failures.prefix(shownFailures).map { VisibleText.of($0) }
    if files.failureCount > shownFailures { lines.append("… and \(files.failureCount - shownFailures) more") }
    guard files.count + files.missingCount + files.failureCount > 0 else { return lines }
    var parts = [
      "attachments: \(NumberText.grouped(files.count)) imported (\(NumberText.bytes(files.byteCount)))"
    ]
    if files.missingCount > 0 { parts.append("\(NumberText.counted(files.missingCount, "file")) missing") }
    if files.failureCount > 0 { parts.append("\(NumberText.grouped(files.failureCount)) unreadable") }
    return lines + [parts.joined(separator: " · ")]
  }

  static func lines(on settings: SettingsIntake) -> [String] {
    let parts = StoreSetting.Kind.allCases.compactMap { kind in
      settings.newCounts[kind].map { count(of: kind, $0) }
    }
    return parts.isEmpty ? [] : ["settings: \(parts.joined(separator: ", "))"]
  }

  private static func count(of kind: StoreSetting.Kind, _ number: Int) -> String {
    switch kind {
    case .import: NumberText.counted(number, "import")
    case .conversation: NumberText.counted(number, "conversation")
    case .alias: NumberText.counted(number, "alias", plural: "aliases")
    case .person: NumberText.counted(number, "person", plural: "people")
    case .filter: NumberText.counted(number, "filter")
    case .mark: NumberText.counted(number, "mark")
    case .gap: NumberText.counted(number, "gap")
    case .followed: NumberText.counted(number, "followed source")
    }
  }

  static func summary(_ counts: BulkImport.Counts, skipped: Int, files: Int) -> String {
    func sum(_ kinds: [Message.Kind]) -> Int { kinds.reduce(0) { $0 + (counts.added[$1] ?? 0) } }
    let groups = [
      (sum([.text]), "text"), (sum([.action]), "action"), (sum([.notice]), "notice"),
      (sum(Message.Kind.allCases.filter(\.isEvent)), "event"), (sum([.unknown]), "unknown"),
      (sum(Message.Kind.allCases.filter(\.isStep)), "step"),
    ]
    let kinds = groups.filter { $0.0 > 0 }.map { "\(NumberText.grouped($0.0)) \($0.1)" }.joined(
      separator: ", ")
    let total = counts.addedCount + counts.alreadyThere + skipped
    var parts = ["imported \(NumberText.grouped(counts.addedCount))" + (kinds.isEmpty ? "" : " (\(kinds))")]
    if counts.alreadyThere > 0 {
      let updated = counts.updated > 0 ? " (updated \(NumberText.grouped(counts.updated)))" : ""
      parts.append("already there \(NumberText.grouped(counts.alreadyThere))\(updated)")
    }
    if skipped > 0 { parts.append("skipped \(NumberText.grouped(skipped))") }
    parts.append("of \(NumberText.counted(total, "record")) in \(NumberText.counted(files, "file"))")
    return parts.joined(separator: " · ")
  }
}
