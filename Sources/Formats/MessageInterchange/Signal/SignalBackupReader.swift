internal import MessageModel

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
    let isMine = (21...26).contains(base)
    let author = values["from_recipient_id"] ?? ""
    var message = RichMessage(time: Timestamp(millisecondsSince1970: sent), text: values["body"] ?? "")
    switch base {
    case 20...26: message.kind = .text
    case 1...3, 8, 10...12: message.kind = .call
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

enum FallbackText {
  static func string(_ bytes: Bytes, _ options: ImportOptions) -> String {
    if UTF8Check.isValid(bytes) { return bytes.string }
    var decoded: [UInt8] = []
    options.fallbackEncoding.decode(bytes, into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }
}
