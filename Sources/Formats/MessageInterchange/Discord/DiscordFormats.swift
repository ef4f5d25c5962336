internal import MessageModel

extension DiscordTableReader {
  static func isTable(_ sample: FormatSample) -> Bool {
    guard let first = sample.lines.first, let separator = separator(of: first) else { return false }
    let names = String(decoding: first, as: UTF8.self).replacing("\"", with: "")
      .split(separator: Character(Unicode.Scalar(separator))).map(String.init)
    let own = names.first == "AuthorID" ? names.dropFirst() : names[...]
    return own.starts(with: ["Author", "Date", "Content", "Attachments"])
  }

  private static func separator(of header: ArraySlice<UInt8>) -> UInt8? {
    header.first { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
  }
}

/// DiscordChatExporter's CSV. It has no ids, so it does not match messages imported from JSON or HTML. Until
/// 2019 cells were separated by semicolons and senders had no ids.
/// Columns are AuthorID, Author, Date, Content, Attachments and Reactions; older tables have only some.
struct DiscordTableReader: HistoryReader {
  private let options: ImportOptions
  private let channel: DiscordChannel
  private var rows: TableRows
  private var times: LooseTime
  private var hasHeader = false
  private var idCount = 0

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    let separator = (try? FormatSample(file))?.lines.first.flatMap(Self.separator)
    rows = TableRows(file.source, separator: separator ?? UInt8(ascii: ","))
    times = LooseTime(options)
    channel = DiscordChannel(fileName: PathNames(file.components).conversation)
  }

  var hasSeenItsFormat: Bool { hasHeader }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      guard let row = try rows.next(skippingInto: &sink) else { return false }
      if hasHeader || !takesHeader(row) { take(row, into: &sink) }
    }
    return true
  }

  /// Returns whether the first row is a header; rows without one have an id if they begin with a number.
  private mutating func takesHeader(_ row: TableRows.Row) -> Bool {
    hasHeader = true
    return row.withCells { cells in
      guard let first = cells.first else { return false }
      let isHeader = first.has("AuthorID") || first.has("Author")
      idCount =
        first.has("AuthorID") || !isHeader && !first.isEmpty && first.allSatisfy { $0 &- 48 < 10 } ? 1 : 0
      return isHeader
    }
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

/// A channel in DiscordChatExporter's files that have no field for its id.
struct DiscordChannel {
  var name: String
  /// The server, or a thread's channel or forum.
  var place: String?
  private var path: [String]
  private var id: String?

  /// Parses `House - Rooms - tea [2]`.
  init(fileName: String) {
    let bracket = fileName.firstRange(of: " [")
    let own = bracket.map { String(fileName[..<$0.lowerBound]) } ?? fileName
    path = own.split(separator: " - ").map(String.init)
    name = path.last ?? own
    place = path.count > 1 ? path[0] : nil
    id = bracket.flatMap { Self.id(fileName[$0.upperBound...]) }
  }

  /// `line` is `Rooms / tea` or `Rooms / forum / thread` in the page's head.
  mutating func learn(server: String?, line: String) {
    let parts = line.split(separator: " / ").map(String.init)
    guard let last = parts.last else { return }
    name = last
    path = [server].compactMap { $0 } + parts
    place = parts.count > 2 ? parts[parts.count - 2] : server
  }

  var identity: ConversationIdentity? {
    if let id { return Self.identity(id: id) }
    guard path.count > 1 else { return nil }
    return ConversationIdentity(platform: "discord-path", key: path.joined(separator: " / "))
  }

  static func identity(id: String) -> ConversationIdentity? {
    ConversationIdentity(platform: "discord", key: id)
  }

  private static func id(_ rest: Substring) -> String? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && rest[digits.endIndex...].hasPrefix("]") ? String(digits) : nil
  }
}
