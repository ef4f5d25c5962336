internal import MessageModel

/// Columns are AuthorID, Author, Date, Content, Attachments and Reactions; older tables have only some.
struct DiscordTableReader: HistoryReader {
  private let options: ImportOptions
  private let channel: DiscordChannel
  private var rows: TableRows
  private var times: LooseTime
  private var hasHeader = false
  private var idCount = 0

  init(file: InputFile, separator: UInt8, options: ImportOptions) {
    self.options = options
    rows = TableRows(file.source, separator: separator)
    times = LooseTime(options)
    channel = DiscordChannel(fileName: PathNames(file.components).conversation)
  }

  /// A channel may be empty.
  var hasSeenItsFormat: Bool { hasHeader }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      guard let row = try rows.next(skippingInto: &sink) else { return false }
      if hasHeader { take(row, into: &sink) } else { takeHeader(row) }
    }
    return true
  }

  private mutating func takeHeader(_ row: TableRows.Row) {
    hasHeader = true
    idCount = row.withCells { $0.first?.has("AuthorID") == true } ? 1 : 0
  }

  private mutating func take(_ row: TableRows.Row, into sink: inout RecordSink) {
    let cells = row.withCells { $0.map { Charset.string(Array($0), nil, options.fallbackEncoding) } }
    let columns = cells.dropFirst(idCount)
    func cell(_ number: Int) -> String {
      number < columns.count ? columns[columns.startIndex + number] : ""
    }
    guard let (time, precision) = times.read(cell(1)) else {
      return row.record.withUnsafeBytes { record in
        sink.skip(line: row.line, reason: "its time is not understood", record: record)
      }
    }
    var message = RichMessage(time: time, precision: precision, text: cell(2))
    message.sender = cell(0).isEmpty ? nil : cell(0)
    message.details.senderID = idCount == 0 || cells[0].isEmpty ? nil : cells[0]
    message.details.attachments = Self.attachments(cell(3))
    message.details.reactions = Self.reactions(cell(4))
    if options.keepsOriginal {
      message.details.source = Message.Source(
        platform: "discord", original: String(decoding: row.record, as: UTF8.self))
    }
    sink.append(
      message,
      conversation: sink.conversation(
        named: channel.name, isDirect: nil, identity: channel.identity, in: channel.place, options))
  }

  private static func attachments(_ cell: String) -> [Message.Attachment] {
    cell.split(separator: ",").map { address in
      let path = String(address).trimming { $0 == " " }.replacing("\\", with: "/")
      let name = path.split(separator: "?").first?.split(separator: "/").last.map(String.init)
      return Message.Attachment(name: name ?? path, path: path)
    }
  }

  /// `👍 (2),❤️ (1)`, without the people who reacted.
  private static func reactions(_ cell: String) -> [Message.Reaction] {
    cell.split(separator: ",").compactMap { part in
      let emoji = String(part).trimming { $0 == " " }
      let end = emoji.firstRange(of: " (")?.lowerBound ?? emoji.endIndex
      return end > emoji.startIndex ? Message.Reaction(emoji: String(emoji[..<end]), senders: []) : nil
    }
  }
}
