internal import MessageModel

/// The sink into which readers of formats put messages, and the records they had to pass over.
public struct RecordSink {
  /// The most entries of a batch.
  static let draftLimit = 16_384
  /// The number of bytes of text and details that end a batch: three are in memory at once, the one that is read, the
  /// one that waits and the one that is written.
  static let byteLimit = 2 << 20
  /// The number of skipped records that end a batch.
  static let skipLimit = 1_024

  /// The messages so far.
  private(set) var entries = ImportBatch()
  private(set) var runs: [ImportedMessages.Run] = []
  private(set) var skipped: [SkippedRecord] = []
  private(set) var settings: [ImportedSetting] = []
  /// Whether a file of the batch says that it is all of a store.
  var beginsStore = false
  /// About how much memory details take, and records that were passed over.
  private var detailByteCount = 0
  private var skippedByteCount = 0
  private var path = ""
  /// The paths of the files that the batch has messages of.
  private var paths: [Int: String] = [:]
  private var scratch: [UInt8] = []
  /// The talk with an assistant that was asked for last in this batch.
  var lastTalk: (talk: AssistantTalk, index: Int32)?
  let options: ImportOptions

  /// Creates a sink without a file; messages belong to one.
  init(_ options: ImportOptions = ImportOptions()) { self.options = options }

  /// Whether it is time to hand over what is there: a reader returns then.
  public var isFull: Bool {
    entries.count >= Self.draftLimit || skipped.count >= Self.skipLimit || settings.count >= Self.skipLimit
      || entries.byteCount + detailByteCount + skippedByteCount >= Self.byteLimit
  }

  // MARK: For readers

  /// Returns the index of the conversation called `name` in this batch.
  ///
  /// It holds until the batch is handed over, so readers ask again in each `read`.
  mutating func conversation(named name: String) -> Int32 { entries.conversation(named: name) }

  /// Returns the index of the conversation that its platform knows by `key`, `platform:id`, and people call `title`.
  mutating func conversation(keyed key: String, title: String, isDirect: Bool? = nil) -> Int32 {
    entries.conversation(
      named: key, isDirect: isDirect, title: title, identity: ConversationIdentity(joined: key))
  }

  /// Says what a conversation of this batch is as a session of an assistant.
  mutating func note(_ session: SessionNote, ofConversation conversation: Int32) {
    entries.note(session, ofConversation: conversation)
  }

  /// Returns the index of the conversation that is called `name` in the source, or of the one that all of an import is to go
  /// into.
  ///
  /// - Parameters:
  ///   - isDirect: Whether the source says that it is between two people; `nil` if it does not say.
  ///   - identity: What its platform knows it by; `nil` where its name is all there is.
  ///   - place: What it lies in, for people: the name of a server, a workspace or a forum.
  mutating func conversation(
    named name: String, isDirect: Bool?, identity: ConversationIdentity? = nil, in place: String? = nil,
    _ options: ImportOptions
  ) -> Int32 {
    if let chosen = options.conversation { return entries.conversation(named: chosen) }
    return entries.conversation(named: name, isDirect: isDirect, identity: identity, place: place)
  }

  /// Returns the index of the conversation that its platform knows by `key`, `platform:id`, and people call `title`, or of
  /// the one that all of an import is to go into.
  mutating func conversation(
    keyed key: String, title: String, isDirect: Bool?, _ options: ImportOptions
  ) -> Int32 {
    if let chosen = options.conversation { return entries.conversation(named: chosen) }
    return conversation(keyed: key, title: title, isDirect: isDirect)
  }

  /// Adds a message whose sender and text are bytes in UTF-8 or, line by line, in the fallback encoding.
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

  /// Adds a message whose sender and text lie in the batch already, and returns its index.
  @discardableResult
  mutating func append(_ entry: ImportBatch.Entry) -> Int {
    runs[runs.count - 1].entries = runs[runs.count - 1].entries.lowerBound..<entries.count + 1
    return entries.append(entry)
  }

  /// Adds a line to the text of the last message; returns `false` if there is none in the batch or it is too long.
  ///
  /// To an attachment without a text the first line is the text.
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

  /// Copies bytes that are known to be UTF-8 into the batch.
  mutating func store(_ bytes: UnsafeRawBufferPointer) -> ImportBatch.Span { entries.store(bytes) }

  /// Copies a string into the batch.
  mutating func store(_ string: String) -> ImportBatch.Span { entries.store(string) }

  /// Keeps what only some messages have.
  mutating func setDetails(_ details: ImportDetails, ofEntry index: Int) {
    entries.details[index] = details
    detailByteCount += details.byteCount
  }

  /// Keeps the record that a message was read from, for a message that has nothing else besides.
  mutating func keepOriginal(
    _ record: UnsafeRawBufferPointer, platform: String, ofEntry index: Int, _ fallback: FallbackEncoding
  ) {
    var details = entries.details[index] ?? ImportDetails()
    details.source = Message.Source(
      platform: details.source?.platform ?? platform, id: details.source?.id,
      original: fallback.string(record))
    setDetails(details, ofEntry: index)
  }

  /// The number of the file that is being read.
  var file: Int { runs.last?.file ?? 0 }

  /// Takes a setting of a store.
  mutating func append(_ setting: StoreSetting, line: Int, record: UnsafeRawBufferPointer) {
    let kept = Array(record.prefix(1 << 16))
    detailByteCount += record.count + kept.count + MemoryLayout<ImportedSetting>.stride
    settings.append(
      ImportedSetting(setting: setting, file: file, path: path, line: line, record: kept))
  }

  /// Passes over a record, which is reported; its bytes are those that stand in the file.
  public mutating func skip(
    line: Int? = nil, offset: Int64? = nil, reason: String, record: UnsafeRawBufferPointer? = nil
  ) {
    let kept = record.map { Array($0.prefix(1 << 16)) } ?? []
    skippedByteCount += kept.count
    skipped.append(
      SkippedRecord(.record, path: path, line: line, offset: offset, reason: reason, record: kept))
  }

  private mutating func store(_ bytes: UnsafeRawBufferPointer, _ fallback: FallbackEncoding)
    -> ImportBatch.Span
  {
    if UTF8Check.isValid(bytes) { return entries.store(bytes) }
    scratch.removeAll(keepingCapacity: true)
    fallback.decode(bytes, into: &scratch)
    return scratch.withUnsafeBytes { entries.store($0) }
  }

  // MARK: Messages from the future

  /// Passes over the messages that claim to be later than a moment, with the lines that belong to them. They are told as
  /// records of JSON Lines: what they were read from is gone.
  ///
  /// - Complexity: One comparison for each message if there are none.
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

  /// The reason for which a message from the future is passed over.
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

  // MARK: For the import

  /// Begins the messages of a file.
  mutating func begin(file: Int, path: String) {
    self.path = path
    paths[file] = path
    runs.append(
      ImportedMessages.Run(file: file, entries: entries.count..<entries.count, isContinuation: false))
  }

  /// Passes over what is left of the file.
  ///
  /// - Parameter recordCount: The records that were passed over before, of which nothing else need be said.
  mutating func skipRest(reason: String, recordCount: Int = 0) {
    var file = SkippedRecord(.file, path: path, reason: reason)
    file.recordCount = recordCount
    skipped.append(file)
  }

  /// Returns what is there and starts anew; the messages after this go on from it.
  mutating func handOver() -> (batch: ImportedMessages?, skipped: [SkippedRecord]) {
    var batch = ImportedMessages(entries: entries, runs: runs.filter { !$0.entries.isEmpty })
    (batch.settings, batch.beginsStore) = (settings, beginsStore)
    let result = (batch: entries.isEmpty && settings.isEmpty ? nil : batch, skipped: skipped)
    let last = runs.last
    paths = last.map { [$0.file: path] } ?? [:]
    let detailCount = entries.details.count
    entries = ImportBatch()
    lastTalk = nil
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
  /// Creates the identity that is written as `platform:key`; `nil` if either is missing.
  init?(joined text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    self.init(platform: String(parts[0]), key: String(parts[1]))
  }
}
