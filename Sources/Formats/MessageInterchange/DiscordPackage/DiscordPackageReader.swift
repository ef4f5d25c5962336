internal import MessageModel

struct DiscordPackageMessages {
  private let channel: DiscordPackageChannel
  private let options: ImportOptions
  private var times: LooseTime

  init(_ channel: DiscordPackageChannel, _ options: ImportOptions) {
    self.channel = channel
    self.options = options
    // Times are UTC without saying so.
    times = LooseTime(ImportOptions(timeZone: .gmt))
  }

  mutating func add(
    id: String, time written: String, _ text: String, attachments: String, _ original: Bytes,
    to sink: inout RecordSink
  ) -> String? {
    // The id contains the time: https://docs.discord.com/developers/reference#snowflakes
    var time: (Timestamp, TimePrecision)?
    if let number = UInt64(id), number >> 22 > 0 {
      time = (Timestamp(millisecondsSince1970: Int64(number >> 22) + 1_420_070_400_000), .millisecond)
    } else {
      var written = written
      time = written.withUTF8 { times.read(Bytes($0)) }
    }
    guard let time else { return "it has neither an id nor a time" }
    var message = RichMessage(time: time.0, precision: time.1, text: text)
    message.sender = options.me ?? channel.owner ?? "me"
    message.details.senderID = channel.ownerID
    message.details.source = Message.Source(
      platform: "discord", id: id.isEmpty ? nil : id, original: options.keepsOriginal ? original.string : nil)
    for address in attachments.split(whereSeparator: { $0 == " " || $0 == "," }).prefix(500) {
      let path = String(address)
      let name = path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? path
      message.details.attachments.append(Message.Attachment(name: name, path: path))
    }
    sink.append(
      message,
      conversation: sink.conversation(
        keyed: "discord:\(channel.id)", title: channel.title, isDirect: channel.isDirect, options))
    return nil
  }
}

struct DiscordPackageHistory: JSONHistory {
  var messages: DiscordPackageMessages

  func descends(into path: [String]) -> Bool { path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    let reason = messages.add(
      id: try fields.plainText("ID") ?? "", time: try fields.plainText("Timestamp") ?? "",
      try fields.plainText("Contents") ?? "", attachments: try fields.plainText("Attachments") ?? "", value,
      to: &sink)
    if let reason { throw JSONError(reason: reason) }
  }
}

struct DiscordPackageTableReader: HistoryReader {
  private var rows: TableRows
  private var messages: DiscordPackageMessages
  private let fallback: FallbackEncoding = .windows1252
  private var hasHeader = false

  init(file: InputFile, _ messages: DiscordPackageMessages) {
    rows = TableRows(file.source, separator: UInt8(ascii: ","))
    self.messages = messages
  }

  /// A channel may be empty.
  var hasSeenItsFormat: Bool { hasHeader }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      guard let row = try rows.next(skippingInto: &sink) else { return false }
      if hasHeader { take(row, into: &sink) }
      hasHeader = true
    }
    return true
  }

  private mutating func take(_ row: TableRows.Row, into sink: inout RecordSink) {
    let cells = row.withCells { $0.map { Charset.string(Array($0), nil, fallback) } }
    func cell(_ number: Int) -> String { number < cells.count ? cells[number] : "" }
    row.record.withUnsafeBytes { record in
      let reason = messages.add(
        id: cell(0), time: cell(1), cell(2), attachments: cell(3), record, to: &sink)
      if let reason { sink.skip(line: row.line, reason: reason, record: record) }
    }
  }
}
