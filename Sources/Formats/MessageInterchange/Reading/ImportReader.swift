package import MessageModel

/// Reads the histories in files, folders, archives and standard input, in any format, at bounded memory.
///
/// `importHistory` of HistoryTransfer writes them into a store. The caller reads one event after the other and may stop between any two:
///
/// ```swift
/// var reader = try ImportReader(["logs.tar.xz"])
/// while let event = reader.next() {
///   switch event {
///   case .file(let file): print("\(file.path) is \(file.formatTitle)")
///   case .batch(let batch): count += batch.entries.count
///   case .skipped(let record): print(record.description)
///   }
/// }
/// ```
///
/// A bad record or file never ends the import: it becomes ``ImportEvent/skipped(_:)`` and reading continues.
/// A batch holds at most 16,384 messages, and 4 MiB of text plus one record. A reader belongs to one thread
/// at a time; its events are `Sendable`.
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
  private var misfitCount = 0
  private var lastFormat: (any ImportFormat)?
  private var kindred = KindredFiles()
  private var opened = Opened()
  private var growing: Growing?
  /// The newest row read from a database.
  package private(set) var newestRow: Int64?

  private struct Growing {
    var source: ByteSource?
    var file: FileProducer?
    /// The reader after it reached the limit.
    var reader: (any HistoryReader)?
  }

  private struct Opened {
    var recordCount = 0
    var readCount = 0
    var isBlank = true
    var looksRight = true
    var title = ""
  }

  /// Creates a reader of `paths`; `-` is standard input.
  ///
  /// - Throws: ``InterchangeError`` if a path does not exist or may not be read, the format is unknown,
  ///   columns are mapped to nothing, or ``ImportOptions/timeFormat`` gives no time.
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
    _ = try TimeFormat(options)
    walker = try InputWalker(paths, standardInput: options.standardInput)
  }

  /// Creates a reader of one file.
  ///
  /// - Parameter limit: The offset of a line in a growing file up to which to read; ``goOn(to:latest:)``
  ///   reads on. `nil` to read all.
  package init(
    _ file: FoundFile, endingAt limit: Int64?, options: ImportOptions
  ) throws(InterchangeError) {
    latest = options.latest
    // The limit on times would be outdated in a reader that runs for days.
    var options = options
    if limit != nil { options.latest = nil }
    options.takesSettings = false
    self.options = options
    sink = RecordSink(options)
    chosenFormat = try options.format.map { name throws(InterchangeError) in
      try ImportFormats.named(name, or: options.formats)
    }
    columns = try ColumnMap(options.columns)
    _ = try TimeFormat(options)
    walker = InputWalker(file.entry, endingAt: limit)
    if limit != nil { growing = Growing() }
  }

  /// Whether the file was read up to the limit and can be continued.
  package var canGoOn: Bool { growing?.reader != nil }

  /// Continues after the previous limit, up to a new one, skipping messages later than `latest`.
  package mutating func goOn(to limit: Int64, latest: Timestamp?) {
    guard let waiting = growing?.reader else { return }
    self.latest = latest
    growing?.source?.goOn(to: limit)
    growing?.reader = nil
    reader = waiting
    hasEnded = false
  }

  /// The growing file, while it is open.
  package var openFile: OpenFile? { growing?.file.map(OpenFile.init) }

  /// The progress of the reading.
  public var progress: ImportProgress {
    ImportProgress(
      doneByteCount: walker.doneByteCount, totalByteCount: walker.totalByteCount,
      fileCount: fileCount - misfitCount, messageCount: messageCount, skippedRecordCount: skippedRecordCount,
      skippedFileCount: skippedFileCount, settingCount: settingCount)
  }

  /// Returns the next event; `nil` at the end of the input.
  public mutating func next() -> ImportEvent? {
    while events.isEmpty {
      guard !hasEnded else { return nil }
      reader == nil ? openNext() : readFile()
    }
    return events.removeFirst()
  }

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

  private mutating func nameHidden() {
    for path in walker.hidden {
      passOver(SkippedRecord(.ignored, path: path, reason: "it is hidden (named itself, it is read)"))
    }
  }

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

  private mutating func pauseFile() throws(InterchangeError) {
    growing?.reader = reader
    reader = nil
    try growing?.source?.rest()
  }

  /// Reports a file that yielded nothing, unless it is an empty export.
  private mutating func endFile() {
    let skippedCount = recordCount - opened.recordCount
    if skippedCount == 0 ? !opened.isBlank && reader?.hasSeenItsFormat == false : isOtherFile(skippedCount) {
      sink.skipRest(reason: misfit, recordCount: skippedCount)
      misfitCount += 1
    }
    reader = nil
  }

  /// Whether its beginning does not fit and several records all failed: a single one may have been cut off.
  private func isOtherFile(_ skippedCount: Int) -> Bool {
    options.format != nil && !opened.looksRight && skippedCount > 1 && readCount == opened.readCount
  }

  private var misfit: String {
    if let name = options.format, !opened.looksRight {
      return "it is not in \(name) format"
    }
    return "it looks like \(opened.title), and no message was found in it"
  }

  private var recordCount: Int {
    readCount + skippedRecordCount + skippedFileCount + sink.skipped.count
  }

  private var readCount: Int { messageCount + sink.entries.count }

  private mutating func open(_ file: InputFile) {
    do throws(InterchangeError) {
      var sample = try FormatSample(file, columns: columns)
      if case .attachment(let what) = sample.bytes.withUnsafeBytes(FileKind.init) {
        return passOver(SkippedRecord(.ignored, path: file.path, reason: "it is \(what)"))
      }
      if sample.bytes.isEmpty {
        return passOver(SkippedRecord(.ignored, path: file.path, reason: "it is empty"))
      }
      let fitting = try format(of: file, &sample)
      if let other = try otherFormat(of: file, &sample) {
        return passOver(
          SkippedRecord(
            .file, path: file.path,
            reason: "it is in \(other) format, not \(chosenFormat?.name ?? "")"))
      }
      if let whole = owner(of: sample, file, fitting) {
        return passOver(SkippedRecord(.ignored, path: file.path, reason: "it goes with \(whole)"))
      }
      if chosenFormat == nil, fitting.map(ImportFormats.isLoose) ?? true,
        let unread = UnreadFormat.first(for: sample)
      {
        var skipped = SkippedRecord(
          .file, path: file.path, reason: unread.reason, record: Self.start(of: sample))
        skipped.remedy = unread.remedy
        return passOver(skipped)
      }
      if SQLiteFile.fits(sample), file.diskPath == nil {
        return passOver(
          SkippedRecord(.file, path: file.path, reason: SQLiteFile.isPacked, record: Self.start(of: sample)))
      }
      if fitting.map(ImportFormats.isLooseJSON) ?? true, let reason = ColumnGuess.reason(sample) {
        return passOver(
          SkippedRecord(.file, path: file.path, reason: reason, record: Self.start(of: sample)))
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
      kindred.record(format, of: sample)
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

  private mutating func format(
    of file: InputFile, _ sample: inout FormatSample
  ) throws(InterchangeError) -> (any ImportFormat)? {
    if let chosenFormat { return chosenFormat }
    let found = try ImportFormats.best(for: &sample, of: file, or: options.formats, likely: lastFormat)
    guard let best = found, ImportFormats.isLoose(best), options.columns.isEmpty else { return found }
    return kindred.format(of: file, sample, or: options.formats) ?? best
  }

  /// The certain format of a file when the user named another program's.
  private func otherFormat(
    of file: InputFile, _ sample: inout FormatSample
  ) throws(InterchangeError) -> String? {
    guard let chosen = chosenFormat, !ImportFormats.isLoose(chosen), chosen.score(sample) == 0 else {
      return nil
    }
    if try sample.lookFurther(in: file), chosen.score(sample) > 0 { return nil }
    return ImportFormats.certain(for: sample, or: options.formats)?.name
  }

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
