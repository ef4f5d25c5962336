internal import MessageModel

/// Reads the columns AuthorID, Author, Date, Content, Attachments and Reactions.
struct DiscordTableReader: HistoryReader {
  private let options: ImportOptions
  private let conversation: String
  private var rows: TableRows
  private var times: LooseTime
  private var hasHeader = false

  /// Prepares to read `file`, which is called after server, category and channel.
  init(file: InputFile, options: ImportOptions) {
    self.options = options
    rows = TableRows(file.source, separator: UInt8(ascii: ","))
    times = LooseTime(options)
    conversation = options.conversation ?? Self.channel(in: PathNames(file.components).conversation)
  }

  /// The channel in `House - Rooms - tea [2]`.
  private static func channel(in name: String) -> String {
    let own = name.firstRange(of: " [").map { String(name[..<$0.lowerBound]) } ?? name
    return own.split(separator: " - ").last.map(String.init) ?? own
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      guard let row = try rows.next(skippingInto: &sink) else { return false }
      if hasHeader { take(row, into: &sink) } else { hasHeader = true }
    }
    return true
  }

  private mutating func take(_ row: TableRows.Row, into sink: inout RecordSink) {
    let cells = row.withCells { $0.map { Charset.string(Array($0), nil, options.fallbackEncoding) } }
    var written = cells.count > 2 ? cells[2] : ""
    guard let (time, precision) = written.withUTF8({ times.read(Bytes($0)) }) else {
      return row.record.withUnsafeBytes { record in
        sink.skip(line: row.line, reason: "its time is none that is understood", record: record)
      }
    }
    var message = RichMessage(time: time, precision: precision, text: cells.count > 3 ? cells[3] : "")
    message.sender = cells[1].isEmpty ? nil : cells[1]
    message.details.senderID = cells[0].isEmpty ? nil : cells[0]
    if cells.count > 4 { message.details.attachments = Self.attachments(cells[4]) }
    if cells.count > 5 { message.details.reactions = Self.reactions(cells[5]) }
    if options.keepsOriginal {
      message.details.source = Message.Source(
        platform: "discord", original: String(decoding: row.record, as: UTF8.self))
    }
    sink.append(message, conversation: sink.conversation(named: conversation))
  }

  private static func attachments(_ cell: String) -> [Message.Attachment] {
    cell.split(separator: ",").map { address in
      let path = String(address).trimming { $0 == " " }.replacing("\\", with: "/")
      let name = path.split(separator: "?").first?.split(separator: "/").last.map(String.init)
      return Message.Attachment(name: name ?? path, path: path)
    }
  }

  /// The emoji of `👍 (2),❤️ (1)`; who reacted is not said.
  private static func reactions(_ cell: String) -> [Message.Reaction] {
    cell.split(separator: ",").compactMap { part in
      let emoji = String(part).trimming { $0 == " " }
      let end = emoji.firstRange(of: " (")?.lowerBound ?? emoji.endIndex
      return end > emoji.startIndex ? Message.Reaction(emoji: String(emoji[..<end]), senders: []) : nil
    }
  }
}
