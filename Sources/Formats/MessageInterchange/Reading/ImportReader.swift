package import MessageModel

/// Reads the histories in files, folders, archives and standard input, whatever their formats, at bounded memory.
///
/// The caller takes one event after the other, and may stop between any two:
///
/// ```swift
/// var reader = try ImportReader(["logs.tar.xz"])
/// let description = BulkImport.Description(name: "logs.tar.xz", format: "", zone: "UTC")
/// let load = try BulkImport(into: store, description)
/// while let event = reader.next() {
///   switch event {
///   case .file(let file): try load.describe(format: file.format)
///   case .batch(let batch):
///     try load.add(batch.entries, files: batch.runs.map(\.entries), isContinuation: batch.isContinuation)
///   case .skipped(let record): print(record.description)
///   }
/// }
/// let counts = try load.finish()
/// ```
///
/// One bad record or file never ends it: it becomes ``ImportEvent/skipped(_:)`` and the rest is read. A batch holds at
/// most 16,384 messages, and 4 MiB of text plus one record. A reader belongs to one thread at a time; what it gives may
/// be sent to others.
public struct ImportReader {
  private let options: ImportOptions
  private var latest: Timestamp?
  private let chosenFormat: (any ImportFormat)?
  private let columns: ColumnMap
  private var walker: InputWalker
  private var reader: (any HistoryReader)?
  private var sink: RecordSink
  private var events: [ImportEvent] = []
  private var hasEnded = false
  private var fileCount = 0
  private var messageCount = 0
  private var settingCount = 0
  private var skippedRecordCount = 0
  private var skippedFileCount = 0
  /// The files that are not of the format that was named, or of which nothing could be read.
  private var misfitCount = 0
  /// The format of the last file of which it was looked for.
  private var lastFormat: (any ImportFormat)?
  /// The facts of the file that is being read, as of its opening.
  private var opened = Opened()
  /// The file that is read on as it grows, if it is one.
  private var growing: Growing?
  /// The newest row of a database that was read.
  package private(set) var newestRow: Int64?

  /// A file that is read up to some line now, and on from there later.
  private struct Growing {
    var source: ByteSource?
    var file: FileProducer?
    /// Its reader, once that has come to the end.
    var reader: (any HistoryReader)?
  }

  private struct Opened {
    /// The number of records that came before it.
    var recordCount = 0
    /// The number of messages among those.
    var readCount = 0
    var isBlank = true
    /// Whether its beginning looks like its format.
    var looksRight = true
    /// The name of its format for people.
    var title = ""
  }

  /// Prepares to read `paths`, of which `-` is standard input.
  ///
  /// - Throws: ``InterchangeError`` if one of them is not there or may not be read, the format is unknown,
  ///   or columns are mapped to nothing.
  public init(_ paths: [String], options: ImportOptions = ImportOptions()) throws(InterchangeError) {
    self.options = options
    latest = options.latest
    sink = RecordSink(options)
    if let name = options.format {
      chosenFormat = try ImportFormats.named(name, or: options.formats)
    } else {
      chosenFormat = nil
    }
    columns = try ColumnMap(options.columns)
    walker = try InputWalker(paths, standardInput: options.standardInput)
  }

  /// Prepares to read one file.
  ///
  /// - Parameter limit: The offset of a line of a file that grows, up to which it is read now; ``goOn(to:)`` reads on. `nil`
  ///   to read all of it.
  /// - Throws: ``InterchangeError`` for options that make no sense.
  package init(
    _ file: FoundFile, endingAt limit: Int64?, options: ImportOptions
  ) throws(InterchangeError) {
    latest = options.latest
    // A reader that goes on for days cannot have it.
    var options = options
    if limit != nil { options.latest = nil }
    options.takesSettings = false
    self.options = options
    sink = RecordSink(options)
    chosenFormat = try options.format.map { name throws(InterchangeError) in
      try ImportFormats.named(name, or: options.formats)
    }
    columns = try ColumnMap(options.columns)
    walker = InputWalker(file.entry, endingAt: limit)
    if limit != nil { growing = Growing() }
  }

  /// Whether its file was read to the limit, and can be read on from there.
  package var canGoOn: Bool { growing?.reader != nil }

  /// Reads on behind the limit that was given before, up to another one.
  ///
  /// - Parameter latest: What claims to be written later than this is passed over.
  package mutating func goOn(to limit: Int64, latest: Timestamp?) {
    guard let waiting = growing?.reader else { return }
    self.latest = latest
    growing?.source?.goOn(to: limit)
    growing?.reader = nil
    reader = waiting
    hasEnded = false
  }

  /// The file that grows, as it is open.
  package var openFile: OpenFile? { growing?.file.map(OpenFile.init) }

  /// The progress of the reading.
  public var progress: ImportProgress {
    ImportProgress(
      doneByteCount: walker.doneByteCount, totalByteCount: walker.totalByteCount,
      fileCount: fileCount - misfitCount, messageCount: messageCount, skippedRecordCount: skippedRecordCount,
      skippedFileCount: skippedFileCount, settingCount: settingCount)
  }

  /// Reads on and returns the next event; `nil` at the end of everything.
  public mutating func next() -> ImportEvent? {
    while events.isEmpty {
      guard !hasEnded else { return nil }
      reader == nil ? openNext() : readFile()
    }
    return events.removeFirst()
  }

  /// Opens the next file, or ends.
  private mutating func openNext() {
    switch walker.next() {
    case .file(let file): open(file)
    case .unreadable(let path, let reason): passOver(SkippedRecord(.file, path: path, reason: reason))
    case .end:
      handOver()
      if fileCount == 0 { nameHidden() }
      hasEnded = true
    }
  }

  /// Names what was passed over without a look, where nothing else was found.
  private mutating func nameHidden() {
    for path in walker.hidden {
      passOver(SkippedRecord(.ignored, path: path, reason: "it is hidden (named itself, it is read)"))
    }
  }

  /// Reads a batch's worth of the open file, and ends it where that was all.
  private mutating func readFile() {
    do throws(InterchangeError) {
      if try reader?.read(into: &sink) != true {
        newestRow = reader?.newestRow ?? newestRow
        growing == nil ? endFile() : try pauseFile()
      }
    } catch {
      sink.skipRest(reason: error.reason)
      reader = nil
    }
    if sink.isFull { handOver() }
  }

  /// Keeps the reader of a file that goes on later.
  private mutating func pauseFile() throws(InterchangeError) {
    growing?.reader = reader
    reader = nil
    try growing?.source?.rest()
  }

  /// Ends a file, and says so if nothing at all was read of it: only an export that is known to be empty may be.
  private mutating func endFile() {
    let skippedCount = recordCount - opened.recordCount
    if skippedCount == 0 ? !opened.isBlank && reader?.hasSeenItsFormat == false : isOtherFile(skippedCount) {
      sink.skipRest(reason: misfit, recordCount: skippedCount)
      misfitCount += 1
    }
    reader = nil
  }

  /// Whether a file is not of the format that was named: it does not begin so, and none of several records made sense. Where
  /// only one did not, half a file may have been cut there.
  private func isOtherFile(_ skippedCount: Int) -> Bool {
    options.format != nil && !opened.looksRight && skippedCount > 1 && readCount == opened.readCount
  }

  /// The reason why nothing was read of a file.
  private var misfit: String {
    if let name = options.format, !opened.looksRight {
      return "it is not of the format \(name); without --format it is detected"
    }
    return "it looks like \(opened.title), and no message was found in it"
  }

  /// The number of records and files that were dealt with so far, whether read or passed over.
  private var recordCount: Int {
    readCount + skippedRecordCount + skippedFileCount + sink.skipped.count
  }

  /// The number of messages that were read so far.
  private var readCount: Int { messageCount + sink.entries.count }

  private mutating func open(_ file: InputFile) {
    do throws(InterchangeError) {
      let sample = try FormatSample(file, columns: columns)
      if case .attachment(let what) = sample.bytes.withUnsafeBytes(FileKind.init) {
        return passOver(SkippedRecord(.ignored, path: file.path, reason: "it is \(what)"))
      }
      if sample.bytes.isEmpty {
        return passOver(SkippedRecord(.ignored, path: file.path, reason: "it is empty"))
      }
      if let other = otherFormat(of: sample) {
        return passOver(
          SkippedRecord(
            .file, path: file.path,
            reason:
              "it is not of the format \(chosenFormat?.name ?? "") but of \(other); without --format it is detected"
          ))
      }
      let fitting = chosenFormat ?? ImportFormats.best(for: sample, or: options.formats, likely: lastFormat)
      if let whole = owner(of: sample, file, fitting) {
        return passOver(SkippedRecord(.ignored, path: file.path, reason: "it goes with \(whole)"))
      }
      if chosenFormat == nil, fitting.map(ImportFormats.isLoose) ?? true, let unread = UnreadFormat(sample) {
        var skipped = SkippedRecord(
          .file, path: file.path, reason: unread.reason, record: Self.start(of: sample))
        skipped.remedy = unread.remedy
        return passOver(skipped)
      }
      lastFormat = fitting
      guard let format = fitting else {
        return passOver(
          SkippedRecord(unknown: file.path, start: Self.start(of: sample)))
      }
      events.append(
        .file(
          ImportedFile(
            index: fileCount, path: file.path, format: format.name, formatTitle: format.title,
            surroundings: FileSurroundings(file)))
      )
      sink.begin(file: fileCount, path: file.path)
      opened = Opened(
        recordCount: recordCount, readCount: readCount, isBlank: sample.isBlank,
        looksRight: format.score(sample) > 0,
        title: format.title)
      reader = format.makeReader(for: file, options: options)
      growing?.source = file.source
      growing?.file = walker.diskFile
      fileCount += 1
    } catch {
      passOver(SkippedRecord(.file, path: file.path, reason: error.reason))
    }
  }

  /// Returns the name of the format that a file is certainly of, where the one that was named is another program's.
  private func otherFormat(of sample: FormatSample) -> String? {
    guard let chosen = chosenFormat, !ImportFormats.isLoose(chosen), chosen.score(sample) == 0 else {
      return nil
    }
    return ImportFormats.certain(for: sample, or: options.formats)?.name
  }

  /// The export, or the database, that a file goes with which has no messages of its own.
  private func owner(
    of sample: FormatSample, _ file: InputFile, _ fitting: (any ImportFormat)?
  ) -> String? {
    var sample = sample
    sample.isFormatNamed = chosenFormat != nil
    sample.format = fitting.flatMap { ImportFormats.isLoose($0) ? nil : $0.name }
    for format in chosenFormat.map({ [$0] }) ?? options.formats + ImportFormats.all {
      if let owner = format.companion(of: sample, beside: file.companions) { return owner }
    }
    guard let database = sample.databaseBeside,
      file.companions.has(database, in: sample.folder)
    else { return nil }
    return database
  }

  private mutating func handOver() {
    if let latest { sink.passOver(laterThan: latest) }
    let (batch, skipped) = sink.handOver()
    if let batch {
      messageCount += batch.entries.count
      settingCount += batch.settings.count
      events.append(.batch(batch))
    }
    for record in skipped { passOver(record) }
  }

  private mutating func passOver(_ record: SkippedRecord) {
    switch record.scope {
    case .record: skippedRecordCount += 1
    case .file: skippedFileCount += 1
    case .ignored: break
    }
    events.append(.skipped(record))
  }

  private static func start(of sample: FormatSample) -> [UInt8] {
    Array(sample.lines.prefix(3).map { $0.prefix(200) }.joined(separator: [0x0A]))
  }
}
