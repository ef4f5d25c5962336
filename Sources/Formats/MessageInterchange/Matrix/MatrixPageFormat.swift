internal import Foundation
internal import MessageModel

extension MatrixPageReader {
  static func isCompanion(_ sample: FormatSample, beside files: Companions) -> Bool {
    guard let last = sample.folder.last, ["css", "js"].contains(last), sample.has("mx_") else { return false }
    let above = Array(sample.folder.dropLast())
    return ["messages.html", "index.html"].contains { files.has($0, in: above) }
  }
}

/// Element's HTML export of a room, a page per thousand messages.
/// Messages within minutes share one author. Events keep their ids, so they match those of the room's JSON.
struct MatrixPageReader: HistoryReader {
  private static let beginning: StaticString = "<div class=\"mx_Export_EventWrapper\""
  private static let separatorByteCount = 2_048
  private static let mostNames = 100_000

  private let options: ImportOptions
  private let source: ByteSource
  private var clock: MatrixPageClock
  private var roomName: String
  private var hasHead = false
  private var roomID: String?
  private var sender = ""
  private var names: [String: String] = [:]

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    source = file.source
    clock = MatrixPageClock(zone: options.timeZone)
    roomName = PathNames(file.components).conversation
  }

  var hasSeenItsFormat: Bool { hasHead }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      let block = try HTMLBlock(nextOf: source) { $0.position(of: Self.beginning, from: $1) }
      if let fault = block.fault {
        sink.skip(offset: block.offset, reason: fault)
      } else if block.bytes.has(Self.beginning) {
        take(HTMLPart(block.bytes), at: block.offset, into: &sink)
      } else if !hasHead {
        readHead(block.bytes)
      }
      learnDay(behind: block.bytes)
      source.consume(block.bytes.count)
      if block.isLast { return false }
    }
    return true
  }

  private mutating func readHead(_ head: Bytes) {
    guard let intro = head.position(of: "class=\"mx_NewRoomIntro\""),
      let start = head.position(of: "<h2>", from: intro), let end = head.position(of: "</h2>", from: start)
    else { return }
    hasHead = true
    let name = HTMLText.plain(Bytes(rebasing: head[start..<end]).string, showsEmoji: true)
    if !name.isEmpty { roomName = name }
  }

  private mutating func learnDay(behind bytes: Bytes) {
    let end = HTMLPart(bytes.dropping(max(0, bytes.count - Self.separatorByteCount)))
    guard let tag = end.opening("mx_DateSeparator\" role=\"separator\""),
      let day = HTMLText.attribute("aria-label=", of: tag)
    else { return }
    clock.learnDay(HTMLText.plain(day))
  }

  private mutating func take(_ part: HTMLPart, at offset: Int64, into sink: inout RecordSink) {
    guard let start = part.bytes.position(of: "mx_EventTile_line") else {
      return sink.skip(offset: offset, reason: "it could not be shown by Element either", record: part.bytes)
    }
    let tile = MatrixTile(head: HTMLPart(part.bytes.first(start)), line: HTMLPart(part.bytes.dropping(start)))
    learnSender(of: tile)
    let written = tile.time
    guard let (time, precision) = clock.moment(title: written.title, clock: written.clock) else {
      return sink.skip(offset: offset, reason: "it has no time that is understood", record: part.bytes)
    }
    var message = tile.message
    (message.time, message.precision) = (time, precision)
    message.sender = name(of: sender)
    message.details.senderID = sender.hasPrefix("@") ? sender : nil
    message.details.source = Message.Source(
      platform: "matrix", id: HTMLText.attribute("id=", of: part.tag(at: 0)),
      original: options.keepsOriginal ? part.html : nil)
    if roomID == nil { roomID = tile.roomID }
    sink.append(
      message,
      conversation: sink.conversation(
        named: options.conversation ?? roomName, isDirect: nil,
        identity: roomID.flatMap { ConversationIdentity(platform: "matrix", key: $0) }, options))
  }

  private mutating func learnSender(of tile: MatrixTile) {
    guard let id = tile.senderID ?? tile.senderName else { return }
    sender = id
    if let name = tile.senderName, !name.isEmpty, names[id] != nil || names.count < Self.mostNames {
      names[id] = name
    }
  }

  private func name(of id: String) -> String? {
    names[id] ?? (id.isEmpty ? nil : MatrixEvent.plainName(of: id))
  }
}

/// The times on Element's pages, in the exporter's language and zone: until 2024 in full in a title
/// (`Wed, May 17 2023 17:03:32`), since then hour and minute, with the day before its first message.
struct MatrixPageClock {
  private var calendar: LogCalendar
  private var day: String?

  init(zone: TimeZone) { calendar = LogCalendar(day: nil, for: .all, zone: zone) }

  mutating func learnDay(_ words: String) { day = words }

  mutating func moment(title: String?, clock: String) -> (time: Timestamp, precision: TimePrecision)? {
    if let title, let moment = moment(title) { return moment }
    return day.flatMap { moment("\($0) \(clock)") }
  }

  private mutating func moment(_ written: String) -> (time: Timestamp, precision: TimePrecision)? {
    guard case .time(let reading) = WrittenTime.read(written, order: .dmy, .sentence),
      reading.precision != .day
    else { return nil }
    let civil = reading.civil
    var line = ClockPattern.Reading(year: civil.year, month: civil.month, day: civil.day)
    (line.hour, line.minute, line.second) = (civil.hour, civil.minute, civil.second)
    return calendar.moment(line, isUTC: false).map { ($0, reading.precision) }
  }
}
