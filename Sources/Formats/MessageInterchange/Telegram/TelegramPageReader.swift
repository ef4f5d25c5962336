internal import MessageModel

/// Telegram Desktop's HTML export, a page per thousand messages of a chat.
/// Messages within minutes share one author. Pages lack the chat's id, edits, and the time of day of events.
struct TelegramPageReader: HistoryReader {
  private static let mostParts = 500
  private static let beginning: StaticString = "<div class=\"message "

  private let options: ImportOptions
  private let source: ByteSource
  private var clock: TelegramClock
  private var conversation: String
  private var hasHead = false
  private var author: String?
  /// The origin of the previous message: a page names it once for several in a row.
  private var origin: Message.Forward?
  private var undated: [(message: RichMessage, offset: Int64)] = []
  private static let mostUndated = 10_000
  /// Days count down from -1. Messages of a chat's former group have ids far below that.
  private static let lowestDay: Int64 = -100_000

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    source = file.source
    clock = TelegramClock(zone: options.timeZone)
    conversation = options.conversation ?? PathNames(file.components).conversation
  }

  var hasSeenItsFormat: Bool { hasHead }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      let block = try HTMLBlock(nextOf: source) { $0.position(of: Self.beginning, from: $1) }
      if !block.bytes.has(Self.beginning) {
        if !hasHead { readHead(block.bytes) }
      } else if let fault = block.fault {
        sink.skip(offset: block.offset, reason: fault)
      } else {
        take(block.bytes, at: block.offset, into: &sink)
      }
      source.consume(block.bytes.count)
      if block.isLast {
        settleUndated(into: &sink)
        return false
      }
    }
    return true
  }

  private mutating func readHead(_ head: Bytes) {
    guard let start = head.position(of: "class=\"page_header"),
      let name = HTMLPart(head).first("text bold", from: start)?.text
    else { return }
    hasHead = head.position(of: "class=\"history\"") != nil
    if options.conversation == nil, !name.isEmpty { conversation = name }
  }

  private mutating func take(_ block: Bytes, at offset: Int64, into sink: inout RecordSink) {
    let part = HTMLPart(block)
    let tag = part.tag(at: 0)
    let isService = tag.position(of: "message service") != nil
    guard let id = HTMLText.attribute("id=", of: tag).flatMap({ Int64($0.dropFirst("message".count)) }) else {
      return sink.skip(offset: offset, reason: "it has no id", record: block)
    }
    if isService {
      takeService(part, id, at: offset, into: &sink)
    } else {
      takeMessage(part, id, at: offset, into: &sink)
    }
  }

  private mutating func takeService(
    _ part: HTMLPart, _ id: Int64, at offset: Int64, into sink: inout RecordSink
  ) {
    let text = part.first("body details")?.text ?? ""
    if id <= 0, clock.learnDay(text) || id >= Self.lowestDay { return }
    let day = clock.day ?? Timestamp(millisecondsSince1970: 0)
    var message = RichMessage(time: day, precision: .day, kind: .system, text: text)
    if let reply = Self.answered(part.bytes) { message.details.replyTo = .external(externalID(reply)) }
    message.details.source = origin(id, part.bytes)
    if clock.day != nil {
      append(message, to: &sink)
    } else if undated.count < Self.mostUndated {
      undated.append((message, offset))
    } else {
      sink.skip(offset: offset, reason: Self.dayReason, record: part.bytes)
    }
  }

  private static let dayReason = "no day for its time"

  private mutating func settleUndated(into sink: inout RecordSink) {
    let waiting = undated
    undated = []
    for (undated, offset) in waiting {
      var message = undated
      if let day = clock.day {
        message.time = day
        append(message, to: &sink)
      } else {
        sink.skip(offset: offset, reason: Self.dayReason, record: message.text)
      }
    }
  }

  private mutating func takeMessage(
    _ part: HTMLPart, _ id: Int64, at offset: Int64, into sink: inout RecordSink
  ) {
    guard let date = part.opening("date details"), let written = HTMLText.attribute("title=", of: date),
      let time = clock.moment(written)
    else {
      return sink.skip(offset: offset, reason: "it has no time that is understood", record: part.bytes)
    }
    // A forwarded message contains its author's name.
    let inner = part.bytes.position(of: "class=\"forwarded body\"") ?? part.bytes.count
    if let name = part.first("from_name", before: inner) {
      // `Ann via @bot`
      author = name.text.firstRange(of: " via @").map { String(name.text[..<$0.lowerBound]) } ?? name.text
    } else if part.tag(at: 0).position(of: " joined") == nil {
      // The name was removed from the page: the message is not by the author of the one before.
      author = nil
    }
    var message = RichMessage(time: time, precision: .second, sender: author, text: "")
    if let reply = part.first("reply_to details"), let id = Self.answered(reply.bytes) {
      message.details.replyTo = .external(externalID(id))
    }
    message.text =
      part.first("text").map { HTMLText.plain($0.html, showsEmoji: true) } ?? ""
    addMedia(part, to: &message)
    addReactions(part, to: &message)
    origin = inner < part.bytes.count ? forward(part, from: inner) ?? origin ?? Message.Forward() : nil
    message.details.forward = origin
    message.details.source = origin(id, part.bytes)
    append(message, to: &sink)
  }

  /// The name of the author stands before the time; `nil` if the page does not name it again.
  private func forward(_ part: HTMLPart, from start: Int) -> Message.Forward? {
    guard let name = part.first("from_name", from: start) else { return nil }
    let end = name.html.firstRange(of: "<span")?.lowerBound ?? name.html.endIndex
    let author = HTMLText.plain(String(name.html[..<end])).trimming { $0 == " " || $0.isNewline }
    var clock = clock
    let date = HTMLPart(part.bytes.dropping(start)).opening("date details")
    let time = date.flatMap { HTMLText.attribute("title=", of: $0) }.flatMap { clock.moment($0) }
    return Message.Forward(author: author.isEmpty ? nil : author, time: time)
  }

  private func origin(_ id: Int64, _ block: Bytes) -> Message.Source {
    Message.Source(
      platform: "telegram", id: externalID(id), original: options.keepsOriginal ? block.string : nil)
  }

  private mutating func append(_ message: RichMessage, to sink: inout RecordSink) {
    if clock.day != nil, !undated.isEmpty { settleUndated(into: &sink) }
    var message = message
    // Two chats with the same name may use the same number.
    message.details.hasDoubtfulID = true
    sink.append(message, conversation: sink.conversation(named: conversation))
  }

  private func externalID(_ id: Int64) -> String { "\(conversation)/\(id)" }

  private static func answered(_ bytes: Bytes) -> Int64? {
    guard let found = bytes.position(of: "go_to_message") else { return nil }
    let number = bytes[(found + 13)...].prefix { $0 &- 48 < 10 || $0 == UInt8(ascii: "-") }
    return Int64(Bytes(rebasing: number).string)
  }

  private func addMedia(_ part: HTMLPart, to message: inout RichMessage) {
    guard let wrap = part.bytes.position(of: "class=\"media_wrap") else { return }
    let media = HTMLPart(part.bytes.dropping(wrap))
    if let poll = media.first("media_poll") { return readPoll(poll, into: &message) }
    let title = media.first("title bold")?.text ?? ""
    let status = media.first("status details")?.text ?? ""
    let sort = media.opening("media clearfix").flatMap { HTMLText.attribute("class=", of: $0) } ?? ""
    let address = Self.address(in: media.bytes).map { HTMLText.plain($0) }
    if sort.contains("media_call") {
      message.kind = .call
      message.text = [title, status].filter { !$0.isEmpty }.joined(separator: " ")
    } else if sort.contains("media_contact") || sort.contains("media_location")
      || sort.contains("media_venue")
      || sort.contains("media_live_location") || sort.contains("media_game") || sort.contains("media_invoice")
    {
      let words = [title, media.first("description")?.text, status].compactMap { $0 }.filter { !$0.isEmpty }
      let text = words.joined(separator: "\n")
      message.text += message.text.isEmpty ? text : "\n" + text
    } else {
      let path = address.flatMap { $0.hasPrefix("http") ? nil : $0 }
      let name = path?.split(separator: "/").last.map(String.init) ?? (title.isEmpty ? "file" : title)
      message.details.attachments.append(Message.Attachment(name: name, path: path))
    }
  }

  private static func address(in media: Bytes) -> String? {
    let end = media.position(of: "<div class=\"text\"") ?? media.count
    guard let link = media.first(end).position(of: "href=\"") else { return nil }
    return HTMLText.attribute("href=", of: media.first(end).dropping(link - 1))
  }

  private func readPoll(_ poll: HTMLPart, into message: inout RichMessage) {
    var lines = [poll.first("question bold")?.text ?? "poll"]
    var position = 0
    while lines.count < Self.mostParts, let answer = poll.first("answer", from: position) {
      lines.append(answer.text)
      position = answer.end
    }
    message.text = lines.joined(separator: "\n")
  }

  private func addReactions(_ part: HTMLPart, to message: inout RichMessage) {
    guard let start = part.bytes.position(of: "class=\"reactions\"") else { return }
    let all = HTMLPart(part.bytes.dropping(start))
    var position = 0
    while message.details.reactions.count < Self.mostParts, let emoji = all.first("emoji", from: position) {
      guard emoji.end < all.bytes.count else { return }
      let next = all.bytes.position(of: "class=\"emoji\"", from: emoji.end) ?? all.bytes.count
      var senders: [String] = []
      var place = emoji.end
      while senders.count < Self.mostParts, let found = all.bytes.position(of: "title=\"", from: place),
        found < next
      {
        place = found + 7
        let end = all.bytes.position(of: UInt8(ascii: "\""), from: place) ?? next
        senders.append(HTMLText.plain(Bytes(rebasing: all.bytes[place..<end]).string))
      }
      message.details.reactions.append(
        Message.Reaction(emoji: HTMLText.plain(emoji.html, showsEmoji: true), senders: senders))
      position = next
    }
  }
}
