internal import MessageModel

/// Receives the messages that a format's reader reads, and the records that it skips.
public struct RecordSink {
  static let draftLimit = 16_384
  /// The bytes of text and details that end a batch. Three batches are in memory at once: one being read, one
  /// waiting, one being written.
  static let byteLimit = 2 << 20
  static let skipLimit = 1_024

  private(set) var entries = ImportBatch()
  private(set) var runs: [ImportedMessages.Run] = []
  private(set) var skipped: [SkippedRecord] = []
  private(set) var settings: [ImportedSetting] = []
  var beginsStore = false
  private var detailByteCount = 0
  private var skippedByteCount = 0
  private var path = ""
  private var paths: [Int: String] = [:]
  private var scratch: [UInt8] = []
  var lastConversation: (talk: AssistantConversation, index: Int32)?
  let options: ImportOptions

  init(_ options: ImportOptions = ImportOptions()) { self.options = options }

  /// Whether the batch is complete and the reader must return.
  public var isFull: Bool {
    entries.count >= Self.draftLimit || skipped.count >= Self.skipLimit || settings.count >= Self.skipLimit
      || entries.byteCount + detailByteCount + skippedByteCount >= Self.byteLimit
  }

  /// The index is valid only within the batch, so readers ask again in each `read`.
  mutating func conversation(named name: String) -> Int32 { entries.conversation(named: name) }

  mutating func conversation(keyed key: String, title: String, isDirect: Bool? = nil) -> Int32 {
    entries.conversation(
      named: key, isDirect: isDirect, title: title, identity: ConversationIdentity(joined: key))
  }

  mutating func noteTitle(_ title: String, ofConversation conversation: Int32) {
    entries.setNewestTitle(title, ofConversation: conversation)
  }

  mutating func note(_ session: SessionNote, ofConversation conversation: Int32) {
    entries.note(session, ofConversation: conversation)
  }

  /// The index of a conversation, or of the one that the whole import goes into. `isDirect` is `nil` if the
  /// source does not say; `place` is the name to show of the server, workspace or forum that contains it.
  mutating func conversation(
    named name: String, isDirect: Bool?, identity: ConversationIdentity? = nil, in place: String? = nil,
    _ options: ImportOptions
  ) -> Int32 {
    if let chosen = options.conversation { return entries.conversation(named: chosen) }
    return entries.conversation(named: name, isDirect: isDirect, identity: identity, place: place)
  }

  mutating func conversation(
    keyed key: String, title: String, isDirect: Bool?, _ options: ImportOptions
  ) -> Int32 {
    if let chosen = options.conversation { return entries.conversation(named: chosen) }
    return conversation(keyed: key, title: title, isDirect: isDirect)
  }

  /// `sender` and `text` are UTF-8 or, line by line, in the fallback encoding.
  @discardableResult
  mutating func append(
    time: Timestamp, precision: TimePrecision, kind: Message.Kind, conversation: Int32,
    sender: UnsafeRawBufferPointer?, text: UnsafeRawBufferPointer, fallback: FallbackEncoding
  ) -> Int {
    let senderSpan = sender.map { store($0, fallback) } ?? .none
    let textSpan = store(text, fallback)
    return append(
      ImportBatch.Entry(
        time: time, precision: precision, kind: kind, conversation: conversation, sender: senderSpan,
        text: textSpan))
  }

  @discardableResult
  mutating func append(_ entry: ImportBatch.Entry) -> Int {
    runs[runs.count - 1].entries = runs[runs.count - 1].entries.lowerBound..<entries.count + 1
    return entries.append(entry)
  }

  /// Returns `false` if the batch has no message or the text becomes too long. The first line after an
  /// attachment without text becomes its text.
  mutating func extendLast(withLine line: UnsafeRawBufferPointer, fallback: FallbackEncoding) -> Bool {
    guard let run = runs.last, !run.entries.isEmpty, entries.byteCount + line.count < Self.highestByteCount
    else {
      return false
    }
    scratch.removeAll(keepingCapacity: true)
    let isFirst =
      entries.details[entries.count - 1]?.attachments.isEmpty == false
      && entries.entries[entries.count - 1].text.isEmpty
    if !isFirst { scratch.append(0x0A) }
    if UTF8Check.isValid(line) {
      scratch.append(contentsOf: line)
    } else {
      fallback.decode(line, into: &scratch)
    }
    scratch.withUnsafeBytes { entries.extendLastText(with: $0) }
    return true
  }

  private static let highestByteCount = 64 << 20

  mutating func store(_ bytes: UnsafeRawBufferPointer) -> ImportBatch.Span { entries.store(bytes) }

  mutating func store(_ string: String) -> ImportBatch.Span { entries.store(string) }

  mutating func setDetails(_ details: ImportDetails, ofEntry index: Int) {
    entries.details[index] = details
    detailByteCount += details.byteCount
  }

  mutating func setName(_ name: String, ofEntry index: Int) { entries.setName(name, ofEntry: index) }

  mutating func keepOriginal(
    _ record: UnsafeRawBufferPointer, platform: String, ofEntry index: Int, _ fallback: FallbackEncoding
  ) {
    var details = entries.details[index] ?? ImportDetails()
    details.source = Message.Source(
      platform: details.source?.platform ?? platform, id: details.source?.id,
      original: fallback.string(record))
    setDetails(details, ofEntry: index)
  }

  var file: Int { runs.last?.file ?? 0 }

  mutating func append(_ setting: StoreSetting, line: Int, record: UnsafeRawBufferPointer) {
    let kept = Array(record.prefix(1 << 16))
    detailByteCount += record.count + kept.count + MemoryLayout<ImportedSetting>.stride
    settings.append(
      ImportedSetting(setting: setting, file: file, path: path, line: line, record: kept))
  }

  /// Skips a record and reports it; `record` holds its bytes as in the file.
  public mutating func skip(
    line: Int? = nil, offset: Int64? = nil, reason: String, record: UnsafeRawBufferPointer? = nil
  ) {
    let kept = record.map { Array($0.prefix(1 << 16)) } ?? []
    skippedByteCount += kept.count
    skipped.append(
      SkippedRecord(.record, path: path, line: line, offset: offset, reason: reason, record: kept))
  }

  /// Reports that nothing of the file is read, which loses nothing.
  mutating func ignore(reason: String) {
    skipped.append(SkippedRecord(.ignored, path: path, reason: reason))
  }

  private mutating func store(_ bytes: UnsafeRawBufferPointer, _ fallback: FallbackEncoding)
    -> ImportBatch.Span
  {
    if UTF8Check.isValid(bytes) { return entries.store(bytes) }
    scratch.removeAll(keepingCapacity: true)
    fallback.decode(bytes, into: &scratch)
    return scratch.withUnsafeBytes { entries.store($0) }
  }

  /// Skips messages later than `latest`, with the lines that belong to them. They are reported as JSON Lines,
  /// since their original records are gone. One comparison per message if none is later.
  mutating func passOver(laterThan latest: Timestamp) {
    guard entries.entries.contains(where: { $0.time > latest }) else { return }
    for place in runs.indices {
      let run = runs[place].entries
      let unwanted = run.filter { entries.entries[$0].time > latest }
      for index in unwanted { passOver(entry: index, of: runs[place]) }
      let before = entries.entries[..<run.lowerBound].count { $0.time > latest }
      runs[place].entries = (run.lowerBound - before)..<(run.upperBound - before - unwanted.count)
    }
    entries.removeDrafts { $0.time > latest }
  }

  static let isFuture = "its time is more than a day ahead (--allow-future takes it)"

  private mutating func passOver(entry index: Int, of run: ImportedMessages.Run) {
    let entry = entries.entries[index]
    var bytes: [UInt8] = []
    var export = JSONLinesExport()
    entries.withBytes(of: entry.text) { text in
      var message = RawMessage(
        id: entries.details[index]?.id ?? Message.ID(time: entry.time), precision: entry.precision,
        sender: entries.string(entry.sender).map { Sender(id: Sender.ID(rawValue: 0), name: $0) },
        senderID: entries.details[index]?.senderID, kind: entry.kind, text: text, replyTo: nil, thread: nil)
      message.writtenAt = entry.time
      export.write(
        message,
        conversation: entries.shownName(of: Int(entry.conversation)),
        identity: entries.identities[Int(entry.conversation)], to: &bytes)
    }
    skipped.append(
      SkippedRecord(
        .record, path: paths[run.file] ?? path,
        reason: Self.isFuture, record: bytes))
  }

  mutating func begin(file: Int, path: String) {
    self.path = path
    paths[file] = path
    runs.append(
      ImportedMessages.Run(file: file, entries: entries.count..<entries.count, isContinuation: false))
  }

  /// Skips the rest of the file. The report replaces those of `recordCount` records skipped before.
  mutating func skipRest(reason: String, recordCount: Int = 0) {
    var file = SkippedRecord(.file, path: path, reason: reason)
    file.recordCount = recordCount
    skipped.append(file)
  }

  /// Returns the batch and begins the next one, which continues the same file.
  mutating func handOver() -> (batch: ImportedMessages?, skipped: [SkippedRecord]) {
    nameEmptyMessages()
    var batch = ImportedMessages(entries: entries, runs: runs.filter { !$0.entries.isEmpty })
    (batch.settings, batch.beginsStore) = (settings, beginsStore)
    let result = (
      batch: entries.isEmpty && settings.isEmpty && entries.newestTitles.isEmpty ? nil : batch,
      skipped: skipped
    )
    let last = runs.last
    paths = last.map { [$0.file: path] } ?? [:]
    let detailCount = entries.details.count
    entries = ImportBatch()
    lastConversation = nil
    entries.details.reserveCapacity(detailCount)
    (skipped, settings, beginsStore) = ([], [], false)
    (detailByteCount, skippedByteCount) = (0, 0)
    runs =
      last.map { [ImportedMessages.Run(file: $0.file, entries: 0..<0, isContinuation: hasMessages($0))] }
      ?? []
    return result
  }

  private func hasMessages(_ run: ImportedMessages.Run) -> Bool { !run.entries.isEmpty || run.isContinuation }
}

extension ConversationIdentity {
  init?(joined text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    self.init(platform: String(parts[0]), key: String(parts[1]))
  }
}
