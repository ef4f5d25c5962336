internal import MessageModel

extension DiscordPackage {
  static func isTable(_ header: Bytes) -> Bool {
    header.elementsEqual("ID,Timestamp,Contents,Attachments".utf8)
  }

  static func reader(of file: InputFile, _ options: ImportOptions) -> any HistoryReader {
    let messages = DiscordPackageMessages(file.companions.discordChannel(of: file), options)
    if let first = (try? FormatSample(file))?.lines.first, first.withUnsafeBytes(isTable) {
      return DiscordPackageTableReader(file: file, messages)
    }
    return JSONHistoryReader(DiscordPackageHistory(messages: messages), file: file)
  }

  private static let folders: Set<String> = [
    "account", "servers", "activity", "activities", "programs", "messages", "ads", "support_tickets",
  ]

  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    guard sample.mayGoWith() else { return false }
    let folder = sample.folder
    if sample.name == "channel.json" {
      return companions.has("messages.json", in: folder) || companions.has("messages.csv", in: folder)
    }
    // Only files in a package's folders justify a search of all files.
    guard folder.contains(where: { folders.contains($0.lowercased()) }) else { return false }
    return (0...folder.count).contains { count in
      ["messages", "Messages"].contains { companions.isDiscordPackage(Array(folder[..<count]) + [$0]) }
    }
  }
}

struct DiscordPackageChannel {
  var id: String
  var title: String
  var isDirect: Bool?
  var owner: String?
  var ownerID: String?
}

/// Discord's data package: the requester's own messages, a folder per channel.
struct DiscordPackage {
  var channels: [[String]: DiscordPackageChannel] = [:]
  /// From `index.json`, by id.
  var names: [String: String] = [:]
  var places: Set<[String]> = []
  var owner: (id: String?, name: String?)?

  private static let mostNames = 500_000

  mutating func learn(_ file: InputFile, _ fields: JSONFields) {
    let folder = file.folder
    switch file.name {
    case "channel.json":
      guard let id = try? fields.plainText("id") else { return }
      let guild = fields.object("guild")
      let type = (try? fields.plainText("type")) ?? ""
      let isDirect =
        type == "1" || type == "DM" ? true : guild == nil && type != "3" && type != "GROUP_DM" ? nil : false
      let name = (try? fields.plainText("name")) ?? nil
      let house = (try? guild?.plainText("name")) ?? nil
      let own = name.map { name in house.map { "\($0) > \(name)" } ?? name }
      channels[folder] = DiscordPackageChannel(id: id, title: own ?? "", isDirect: isDirect)
    case "index.json":
      guard folder.last?.lowercased() == "messages" else { return }
      places.insert(folder)
      for key in fields.keys where names.count < Self.mostNames && key.utf8.allSatisfy({ $0 &- 48 < 10 }) {
        names[key] = (try? fields.plainText(key)) ?? nil
      }
    case "user.json":
      guard fields["username"] != nil || fields["global_name"] != nil else { return }
      let name = try? fields.firstText(["global_name", "username"])
      owner = ((try? fields.plainText("id")) ?? nil, name ?? nil)
    default: break
    }
  }

  func channel(in folder: [String]) -> DiscordPackageChannel {
    // `c123`, or `123` in early packages.
    let number = folder.last.map { $0.hasPrefix("c") ? String($0.dropFirst()) : $0 } ?? ""
    var channel = channels[folder] ?? DiscordPackageChannel(id: number, title: "")
    if channel.title.isEmpty, let name = names[channel.id], name != "None", name != "Unknown channel" {
      channel.title = name
      for start in ["Direct Message with "] where name.hasPrefix(start) {
        channel.title = String(name.dropFirst(start.count))
        channel.isDirect = true
      }
    }
    if channel.title.isEmpty { channel.title = "channel \(channel.id)" }
    channel.owner = owner?.name
    channel.ownerID = owner?.id
    return channel
  }
}

extension Companions {
  /// O(files), once.
  func discordChannel(of file: InputFile) -> DiscordPackageChannel {
    package.channel(in: file.folder)
  }

  func isDiscordPackage(_ folder: [String]) -> Bool { package.places.contains(folder) }

  private var package: DiscordPackage {
    if let discordPackage { return discordPackage }
    var found = DiscordPackage()
    forEachObject(["channel.json", "index.json", "user.json"]) { found.learn($0, $1) }
    discordPackage = found
    return found
  }
}

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
