import Foundation
import MessageInterchange
import MessageModel

/// Everything that an import told, to be looked at.
struct ImportPicture {
  var files: [ImportedFile] = []
  var batches: [ImportedMessages] = []
  var skipped: [SkippedRecord] = []
  var progress: ImportProgress

  init(_ paths: [String], _ options: ImportOptions = .utc) throws {
    var reader = try ImportReader(paths, options: options)
    while let event = reader.next() {
      switch event {
      case .file(let file): files.append(file)
      case .batch(let batch): batches.append(batch)
      case .skipped(let record): skipped.append(record)
      }
    }
    progress = reader.progress
  }

  var messages: [Line] {
    batches.flatMap { batch in
      batch.entries.entries.enumerated().map {
        Line($1, details: batch.entries.details[$0], in: batch.entries)
      }
    }
  }

  /// How many messages there are of each kind.
  var kinds: [Message.Kind: Int] { messages.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 } }
  var eventCount: Int { messages.count { $0.kind.isEvent } }
  var conversations: Set<String> { Set(messages.map(\.conversation)) }

  /// A line for each conversation of which its source says whether it is between two people.
  var directness: String {
    var told: Set<String> = []
    for entries in batches.map(\.entries) {
      for (name, isDirect) in zip(entries.conversations, entries.isDirect) {
        if let isDirect { told.insert("\(name) is \(isDirect ? "" : "not ")direct\n") }
      }
    }
    return told.sorted().joined()
  }

  /// A line for each message and for each record that was passed over; paths without the folders of this machine.
  var text: String {
    let root = Fixture.path("")
    let skips = skipped.map {
      "skipped \($0.description.replacing(root + "/", with: "").replacing(root, with: ""))"
    }
    return (messages.map(\.text) + skips).joined(separator: "\n") + "\n"
  }

  /// One message.
  struct Line {
    var time: Timestamp
    var precision: TimePrecision
    var kind: Message.Kind
    var conversation: String
    var sender: String?
    var body: String
    var details: ImportDetails?
    /// Whether only its kind is known.
    var isNamedOnly: Bool

    init(_ entry: ImportBatch.Entry, details: ImportDetails?, in batch: ImportBatch) {
      time = entry.time
      precision = entry.precision
      kind = entry.kind
      conversation = batch.shownName(of: Int(entry.conversation))
      sender = batch.string(entry.sender)
      body = batch.string(entry.text) ?? "no text"
      self.details = details
      isNamedOnly = entry.isNamedOnly
    }

    /// The message as it leaves a store that gave it the id it had, or else one that begins with its time.
    var record: ExportRecord {
      var record = ExportRecord(
        id: details?.id ?? Message.ID(time: time), conversation: conversation, precision: precision,
        sender: sender, senderID: details?.senderID, kind: kind, text: body, source: details?.source)
      if case .message(let id) = details?.replyTo { record.replyTo = id }
      if case .message(let id) = details?.thread { record.thread = id }
      record.edits = details?.edits ?? []
      record.editedAt = details?.editedAt
      record.isEdited = details?.isEdited == true || !record.edits.isEmpty || record.editedAt != nil
      record.reactions = details?.reactions ?? []
      record.attachments = details?.attachments ?? []
      record.forward = details?.forward
      record.deletion = details?.deletion
      record.sendingState = details?.sendingState
      record.payload = details?.payload
      return record
    }

    var text: String {
      let civil = time.utc
      let clock =
        "\(civil.year)-\(civil.month)-\(civil.day) \(civil.hour):\(civil.minute):\(civil.second)"
        + (civil.millisecond == 0 ? "" : ".\(civil.millisecond)")
      return "\(clock) \(precision.name) \(conversation) \(kind.name) \(sender.map { "<\($0)>" } ?? "-") "
        + "|\(VisibleText.of(body))|"
    }
  }
}

extension ImportOptions {
  static let utc = ImportOptions(timeZone: .gmt)
  static let berlin = ImportOptions(timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
}

/// What `export` writes of these messages.
func exported(_ lines: [ImportPicture.Line], by export: some ExportFormat) -> [UInt8] {
  var export = export
  var bytes: [UInt8] = []
  export.writeHeader(to: &bytes)
  for line in lines { export.write(line.record, to: &bytes) }
  export.writeFooter(to: &bytes)
  return bytes
}
