internal import MessageModel

extension SignalExportHistory {
  static let fileName = "data.json"

  static func isMessage(_ line: Bytes) -> Bool {
    guard line.has("{"), let fields = JSONFields(line) else { return false }
    return ["sender", "date", "body", "quote", "reactions"].allSatisfy { fields[$0] != nil }
  }
}

extension SignalChatReader {
  static func isChat(_ sample: FormatSample) -> Bool {
    guard let first = sample.lines.first, first.withUnsafeBytes({ SignalChatHeader($0) != nil }) else {
      return false
    }
    return !IRCDialect.isBotLog(sample) && !ProgramLog.fits(sample)
  }

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    !sample.isFormatNamed && sample.name == "chat.md"
      && companions.has(SignalExportHistory.fileName, in: sample.folder)
  }
}

extension SignalBackupReader {
  static func isTable(_ sample: FormatSample) -> Bool {
    guard let first = sample.lines.first else { return false }
    let header = String(decoding: first, as: UTF8.self)
    return ["thread_id", "date_sent", "from_recipient_id", "body"].allSatisfy(header.contains)
  }
}

/// signal-export's JSON Lines.
struct SignalExportHistory: JSONRows {
  private let options: ImportOptions
  private let conversation: String
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    let folder = file.name == Self.fileName ? file.components.dropLast().last : nil
    conversation = options.conversation ?? folder ?? PathNames(file.components).conversation
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    sink.append(try message(fields, line), conversation: sink.conversation(named: conversation))
  }

  private mutating func message(_ fields: JSONFields, _ line: Bytes) throws(JSONError) -> RichMessage {
    let (time, precision) = try times.moment(try fields.string("date"))
    var message = RichMessage(time: time, precision: precision, text: try fields.string("body") ?? "")
    let sender = try fields.string("sender") ?? ""
    message.sender = sender == "Me" ? options.me ?? sender : sender.isEmpty ? nil : sender
    // The quoted message is known by its words alone.
    if let quote = try fields.plainText("quote"), !quote.isEmpty {
      let lines = quote.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }
      message.text = (lines + [message.text]).filter { !$0.isEmpty }.joined(separator: "\n")
    }
    if fields.isTrue("call") { (message.kind, message.text) = (.call, callText(fields, message.text)) }
    if fields.isTrue("deleted") { (message.kind, message.text) = (.system, "message deleted") }
    try fields.forEach("reactions") { value throws(JSONError) in
      var parts: [String] = []
      var scanner = JSONScanner(value)
      try scanner.array { scanner throws(JSONError) in parts.append(try scanner.string().string()) }
      if parts.count == 2 { message.details.addReaction(parts[1], by: parts[0]) }
    }
    message.details.attachments = try attachments(fields)
    if options.keepsOriginal {
      message.details.source = Message.Source(platform: "signal", original: line.string)
    }
    return message
  }

  private func callText(_ fields: JSONFields, _ text: String) -> String {
    text.isEmpty ? (fields.isTrue("missed") ? "missed call" : "call") : text
  }

  private func attachments(_ fields: JSONFields) throws(JSONError) -> [Message.Attachment] {
    var attachments: [Message.Attachment] = []
    try fields.forEach("attachments") { value throws(JSONError) in
      guard let file = JSONFields(value) else { return }
      let path = try file.firstText(["path", "localPath"])
      let name = try file.firstText(["name", "fileName"]) ?? path ?? "file"
      attachments.append(
        Message.Attachment(
          name: name, mediaType: try file.firstText(["contentType", "mimetype"]), path: path))
    }
    if let sticker = try fields.plainText("sticker") { attachments.append(Message.Attachment(name: sticker)) }
    return attachments
  }
}

extension ImportDetails {
  mutating func addReaction(_ emoji: String, by sender: String) {
    if let known = message.reactions.firstIndex(where: { $0.emoji == emoji }) {
      message.reactions[known].senders.append(sender)
    } else {
      message.reactions.append(Message.Reaction(emoji: emoji, senders: [sender]))
    }
  }
}

/// The table of messages by signalbackup-tools, in which people and conversations are numbers.
struct SignalBackupReader: HistoryReader {
  private let options: ImportOptions
  private var rows: TableRows
  private var columns: [String: Int]?
  private var ids = SignalIDs()

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    rows = TableRows(file.source, separator: UInt8(ascii: ","))
  }

  var hasSeenItsFormat: Bool { columns != nil }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      guard let row = try rows.next(skippingInto: &sink) else { return false }
      if let columns { add(row, columns, into: &sink) } else { columns = Self.header(row) }
    }
    return true
  }

  private static func header(_ row: TableRows.Row) -> [String: Int] {
    row.withCells { cells in
      Dictionary(cells.enumerated().map { ($1.string, $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  private mutating func add(_ row: TableRows.Row, _ columns: [String: Int], into sink: inout RecordSink) {
    let values = row.withCells { cells in
      columns.compactMapValues { $0 < cells.count ? FallbackText.string(cells[$0], options) : nil }
    }
    guard let sent = values["date_sent"].flatMap(Int64.init) else {
      return row.record.withUnsafeBytes { sink.skip(line: row.line, reason: "it has no time", record: $0) }
    }
    // The lowest five bits are the type: MessageTypes.java of Signal for Android.
    let base = (values["type"].flatMap(Int64.init) ?? 20) & 0x1F
    let isMine = (21...26).contains(base) || base == 2 || base == 11
    let author = values["from_recipient_id"] ?? ""
    var message = RichMessage(time: Timestamp(millisecondsSince1970: sent), text: values["body"] ?? "")
    switch base {
    case 20...26: message.kind = .text
    case 1...3, 8, 10...12:
      message.kind = .call
      if message.text.isEmpty { message.text = Self.calls[base] ?? "" }
    default: message.kind = .system
    }
    message.sender = isMine ? options.me ?? "me" : "recipient \(author)"
    message.details.senderID = author.isEmpty ? nil : author
    message.details.source = Message.Source(
      platform: "signal-backup", id: ids.id(of: author, at: sent),
      original: options.keepsOriginal ? String(decoding: row.record, as: UTF8.self) : nil)
    let name = options.conversation ?? "thread \(values["thread_id"] ?? "unknown")"
    sink.append(message, conversation: sink.conversation(named: name))
  }
}

extension SignalBackupReader {
  private static let calls: [Int64: String] = [
    1: "voice call", 2: "voice call", 3: "missed voice call", 8: "missed video call", 10: "video call",
    11: "video call", 12: "group call",
  ]
}

enum FallbackText {
  static func string(_ bytes: Bytes, _ options: ImportOptions) -> String {
    if UTF8Check.isValid(bytes) { return bytes.string }
    var decoded: [UInt8] = []
    options.fallbackEncoding.decode(bytes, into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }
}
