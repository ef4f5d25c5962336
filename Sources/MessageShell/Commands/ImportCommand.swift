internal import Foundation
public import MessageInterchange
internal import MessageModel
public import MessageStorage

/// `import`: reads histories into a store.
public struct ImportCommand: Sendable {
  /// What was named to be read; `-` is standard input.
  public var paths: [String]
  public var options: ImportOptions
  /// Where to write the records that were skipped, as they stood.
  public var rejects: String?

  /// Creates the command.
  public init(paths: [String], options: ImportOptions = ImportOptions(), rejects: String? = nil) {
    self.paths = paths
    self.options = options
    self.rejects = rejects
  }

  /// What became of an import.
  public struct Outcome: Sendable {
    public var status: ExitStatus
    /// The first records that were skipped, and how many more there are; safe to be shown.
    public var skipped: [String]
    /// Files of which nothing at all could be read are not what they were said to be.
    static func status(skipped: Int, _ progress: ImportProgress) -> ExitStatus {
      guard skipped > 0 else { return .done }
      return progress.messageCount == 0 && progress.skippedFileCount > 0 ? .unreadableInput : .incomplete
    }

    /// The line that adds up.
    public var summary: String
  }

  /// Reads everything and says at the end what became of it; the first Ctrl-C stops it at a whole record.
  public func run(_ store: MessageStore, _ console: Console) throws -> ExitStatus {
    Interruption.listen()
    let outcome = try load(
      into: store, note: { console.note($0) }, redraw: { console.redraw($0) },
      isCancelled: { Interruption.isAskedFor })
    for line in outcome.skipped { console.note(line) }
    console.note(outcome.summary)
    return outcome.status
  }

  /// Reads everything, or until it is cancelled.
  ///
  /// One bad record never ends it. A fault of the store does; what was imported until then stays.
  ///
  /// - Parameters:
  ///   - note: Takes what there is to say while it runs.
  ///   - redraw: Takes a line about how far it has come, in place of the one before.
  ///   - isCancelled: Whether to stop at a whole record.
  func load(
    into store: MessageStore, note: @escaping (String) -> Void, redraw: @escaping (String) -> Void,
    isCancelled: () -> Bool
  ) throws -> Outcome {
    var histories = try ImportReader(paths, options: options)
    var progress = histories.progress
    let reader = ReadAhead { histories.next().map { Reading(event: $0, progress: histories.progress) } }
    defer { reader.stop() }
    let load = try BulkLoad(
      into: store,
      BulkLoad.Description(
        name: paths.joined(separator: " "), format: options.format ?? "detected",
        zone: options.timeZone.identifier))
    var files = ImportedFiles()
    let marks = try ReadMarks(in: store)
    var report = ImportReport(note: note, redraw: redraw, rejects: try rejects.map(RejectsFile.init))
    while let item = reader.next(isCancelled: isCancelled) {
      progress = item.progress
      switch item.event {
      case .file(let file):
        report.begin(file)
        files.begin(file)
      case .batch(let batch):
        files.note(batch)
        try load.add(
          batch.drafts, files: batch.runs.map(\.drafts),
          isContinuation: batch.runs.first?.isContinuation ?? false
        )
      case .skipped(let record): report.skip(record)
      }
      report.progress(progress)
    }
    report.beginMerging()
    let counts = try load.finish(isCancelled: isCancelled)
    try marks.move(in: store)
    try files.run(into: store, redraw: redraw, isCancelled: isCancelled)
    PictureMaking.makePictures(in: store, isCancelled: isCancelled)
    let isStopped = isCancelled()
    var outcome = report.finish(counts, progress)
    for line in files.lines { note(line) }
    if isStopped {
      outcome.status = .interrupted
      outcome.summary = "stopped, the same again carries on: " + outcome.summary
    }
    return outcome
  }
}

/// What was read, and how far the reading had come with it.
private struct Reading: Sendable {
  var event: ImportEvent
  var progress: ImportProgress
}

/// What an import tells people while it runs and at its end.
struct ImportReport {
  private let note: (String) -> Void
  private let rejects: RejectsFile?
  private var formats: [String] = []
  private var firstSkipped: [String] = []
  private var meter: ProgressMeter
  /// The number of records and files that were skipped.
  private(set) var skippedCount = 0
  private static let shownSkips = 10

  init(note: @escaping (String) -> Void, redraw: @escaping (String) -> Void, rejects: RejectsFile?) {
    self.note = note
    self.rejects = rejects
    meter = ProgressMeter(redraw: redraw)
  }

  mutating func begin(_ file: ImportedFile) {
    guard !formats.contains(file.format) else { return }
    formats.append(file.format)
    meter.clear()
    note("reading \(file.formatTitle)  (--format \(file.format))")
  }

  mutating func skip(_ record: SkippedRecord) {
    guard record.scope != .ignored else { return }
    skippedCount += 1
    if firstSkipped.count < Self.shownSkips { firstSkipped.append(record.description) }
    rejects?.write(record)
  }

  mutating func progress(_ progress: ImportProgress) {
    meter.show(
      progress.messageCount, unit: "messages", done: progress.doneByteCount, of: progress.totalByteCount)
  }

  mutating func beginMerging() { meter.show("merging the search index") }

  mutating func finish(_ counts: BulkLoad.Counts, _ progress: ImportProgress) -> ImportCommand.Outcome {
    meter.clear()
    var skipped = firstSkipped.map { "skipped \(VisibleText.of($0))" }
    if skippedCount > firstSkipped.count {
      skipped.append(
        "… and \(NumberText.grouped(skippedCount - firstSkipped.count)) more (all of them: --rejects FILE)")
    }
    return ImportCommand.Outcome(
      status: Self.status(skipped: skippedCount, progress), skipped: skipped,
      summary: Self.summary(counts, skipped: skippedCount, files: progress.fileCount))
  }

  /// Files of which nothing at all could be read are not what they were said to be.
  static func status(skipped: Int, _ progress: ImportProgress) -> ExitStatus {
    guard skipped > 0 else { return .done }
    return progress.messageCount == 0 && progress.skippedFileCount > 0 ? .unreadableInput : .incomplete
  }

  /// The line that adds up.
  static func summary(_ counts: BulkLoad.Counts, skipped: Int, files: Int) -> String {
    func sum(_ kinds: [Message.Kind]) -> Int { kinds.reduce(0) { $0 + (counts.added[$1] ?? 0) } }
    let groups = [
      (sum([.text]), "text"), (sum([.action]), "action"), (sum([.notice]), "notice"),
      (sum(Message.Kind.allCases.filter(\.isEvent)), "event"), (sum([.unknown]), "unknown"),
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

/// The records that an import could not place, one after the other as they stood.
struct RejectsFile {
  private let handle: FileHandle

  init(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw UsageError(
        "cannot make '\(path)'", cause: String(cString: strerror(errno)), status: .cannotCreate)
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func write(_ record: SkippedRecord) {
    var bytes = Array("# \(record.description)\n".utf8)
    bytes += record.record
    if bytes.last != 0x0A { bytes.append(0x0A) }
    try? handle.write(contentsOf: bytes)
  }
}
