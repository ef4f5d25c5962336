internal import MessageModel

/// DiscordChatExporter's HTML, a page per channel or thread.
/// Times come from ids, exact to the millisecond; pages only show minutes. Until 2022 author and time were
/// given per group of messages; until July 2019 messages had no ids and share their group's time.
struct DiscordPageReader: HistoryReader {
  static let mostParts = 500
  private static let mostMessages = 10_000

  private let options: ImportOptions
  private let source: ByteSource
  private var channel: DiscordChannel
  private var hasHead = false
  private var saysItIsEmpty = false
  private(set) var times: LooseTime
  private var author: (name: String, id: String?)?
  private var groupReply: String?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    source = file.source
    times = LooseTime(options)
    channel = DiscordChannel(fileName: PathNames(file.components).conversation)
    channel.name = PathNames(file.components).conversation
  }

  var hasSeenItsFormat: Bool { saysItIsEmpty }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      let block = try HTMLBlock(nextOf: source, beginning: Self.beginning)
      if !hasHead {
        readHead(block.bytes)
        hasHead = true
      } else if let fault = block.fault {
        sink.skip(offset: block.offset, reason: fault)
      } else {
        take(block.bytes, at: block.offset, into: &sink)
      }
      source.consume(block.bytes.count)
      if block.isLast { return false }
    }
    return true
  }

  private mutating func take(_ block: Bytes, at offset: Int64, into sink: inout RecordSink) {
    if Self.begins(.group, block, at: 0) {
      takeGroup(block, at: offset, into: &sink)
    } else if let message = message(block) {
      sink.append(message, conversation: conversation(in: &sink))
    } else if !block.isBlank {
      sink.skip(offset: offset, reason: "it has no id, and so no time", record: block)
    }
  }

  private func conversation(in sink: inout RecordSink) -> Int32 {
    sink.conversation(
      named: channel.name, isDirect: nil, identity: channel.identity, in: channel.place, options)
  }

  private enum Beginning: CaseIterable {
    /// A message, since 2022.
    case container
    /// Messages of one author; until 2022 only the group named the author.
    case group
    /// A message in a group, from July 2019 to 2022.
    case message

    var tags: [StaticString] {
      switch self {
      case .container:
        ["<div id=chatlog__message-container-", "<div id=\"chatlog__message-container-"]
      case .group: ["<div class=\"chatlog__message-group\"", "<div class=chatlog__message-group"]
      case .message: ["<div class=\"chatlog__message "]
      }
    }
  }

  private static func begins(_ beginning: Beginning, _ bytes: Bytes, at position: Int) -> Bool {
    beginning.tags.contains { bytes.has($0, at: position) }
  }

  private static func beginning(in bytes: Bytes, from position: Int) -> Int? {
    var searched = position
    while let tag = bytes.position(of: "<div ", from: searched) {
      if Beginning.allCases.contains(where: { begins($0, bytes, at: tag) }) { return tag }
      searched = tag + 1
    }
    return nil
  }

  /// The channel has its own line or, in later pages, is in the second line after its category.
  private mutating func readHead(_ head: Bytes) {
    saysItIsEmpty =
      head.position(of: "Exported 0 message") != nil
      || head.position(of: "info__channel-message-count\">0 message") != nil
    var server = end(of: "info__guild-name\"", in: head).flatMap { text(in: head, behind: $0) }
    var line = end(of: "info__channel-name\"", in: head).flatMap { text(in: head, behind: $0) }
    if line == nil, let first = end(of: "preamble__entry", in: head),
      let second = end(of: "preamble__entry", in: head, from: first)
    {
      server = text(in: head, behind: first)
      line = text(in: head, behind: second)
    }
    if let line, !line.isEmpty { channel.learn(server: server, line: line) }
  }

  private mutating func takeGroup(_ block: Bytes, at offset: Int64, into sink: inout RecordSink) {
    groupReply = reply(in: block)
    guard let name = end(of: "chatlog__author-name", in: block) else { return }
    author = text(in: block, behind: name).map {
      ($0, HTMLText.attribute("data-user-id=", of: tag(block, name)))
    }
    let starts = messageStarts(in: block)
    guard !starts.isEmpty else { return }
    let written = end(of: "chatlog__timestamp", in: block).flatMap { text(in: block, behind: $0) } ?? ""
    guard let (time, precision) = times.read(written) else {
      return sink.skip(
        offset: offset, reason: "its messages have no ids, and their time is not understood",
        record: block)
    }
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : block.count
      let part = Bytes(rebasing: block[start..<end])
      var message = RichMessage(time: time, precision: precision, text: "")
      readContent(part, into: &message)
      if options.keepsOriginal {
        message.details.source = Message.Source(platform: "discord", original: part.string)
      }
      sink.append(message, conversation: conversation(in: &sink))
    }
  }

  private static let parts: [StaticString] = [
    "<div class=\"chatlog__content\"", "<div class=\"chatlog__attachment\"", "<div class=\"chatlog__embed\"",
    "<div class=\"chatlog__reactions\"",
  ]

  /// A message without an id begins at its text, or at a part that would precede the previous part.
  private func messageStarts(in block: Bytes) -> [Int] {
    var starts: [Int] = []
    var last = Self.parts.count
    var position = 0
    while starts.count < Self.mostMessages,
      let tag = block.position(of: "<div class=\"chatlog__", from: position)
    {
      position = tag + 1
      guard let part = Self.parts.firstIndex(where: { block.has($0, at: tag) }) else { continue }
      if part == 0 || part < last { starts.append(tag) }
      last = part
    }
    return starts
  }

  private mutating func message(_ block: Bytes) -> RichMessage? {
    guard
      let start = end(of: "chatlog__message-container-", in: block)
        ?? end(of: "data-message-id=\"", in: block)
    else { return nil }
    let digits = Bytes(rebasing: block[start...].prefix { $0 &- 48 < 10 }).string
    guard let number = UInt64(digits) else { return nil }
    // https://docs.discord.com/developers/reference#snowflakes
    let time = Timestamp(millisecondsSince1970: Int64(number >> 22) + 1_420_070_400_000)
    var message = RichMessage(time: time, text: "")
    readAuthor(block)
    readContent(block, into: &message)
    message.details.source = Message.Source(
      platform: "discord", id: digits, original: options.keepsOriginal ? block.string : nil)
    let answered = groupReply ?? (Self.begins(.container, block, at: 0) ? reply(in: block) : nil)
    groupReply = nil
    if let answered { message.details.replyTo = .external(answered) }
    return message
  }

  private func readContent(_ block: Bytes, into message: inout RichMessage) {
    message.sender = author?.name
    message.details.senderID = author?.id
    if let content = end(of: "chatlog__system-notification-content", in: block) {
      message.kind = .system
      message.text = HTMLText.plain(inside(block, behind: content), showsEmoji: true)
    } else if let content = end(of: "chatlog__content", in: block) {
      message.text = HTMLText.plain(text(ofContent: inside(block, behind: content)), showsEmoji: true)
    }
    message.details.isEdited = block.position(of: "chatlog__edited-timestamp") != nil
    addAttachments(block, to: &message)
    addStickers(block, to: &message)
    addReactions(block, to: &message)
    addCards(block, to: &message)
    addForwarded(block, to: &message)
  }

  private func text(ofContent content: String) -> String {
    var content = content
    let shown = content.withUTF8 { bytes -> String? in
      let whole = Bytes(bytes)
      for mark: StaticString in ["chatlog__markdown-preserve", "\"preserve-whitespace\"", "\"markdown\""] {
        if let shown = end(of: mark, in: whole) { return inside(whole, behind: shown) }
      }
      return nil
    }
    if let shown { return shown }
    guard let edited = content.firstRange(of: "<span class=\"chatlog__edited-timestamp\"") else {
      return content
    }
    return String(content[..<edited.lowerBound])
  }

  /// The reply is before the message's own text, which may also link to messages.
  private func reply(in block: Bytes) -> String? {
    let head =
      end(of: "chatlog__content ", in: block) ?? end(of: "chatlog__content\"", in: block) ?? block.count
    guard let reply = end(of: "scrollToMessage(event", in: block.first(head)) else { return nil }
    let id = block[reply...].drop { $0 &- 48 >= 10 }.prefix { $0 &- 48 < 10 }
    return String(decoding: id, as: UTF8.self)
  }

  private mutating func readAuthor(_ block: Bytes) {
    guard Self.begins(.container, block, at: 0) else { return }
    for name: StaticString in ["chatlog__author", "chatlog__system-notification-author"] {
      guard let found = end(of: name, in: block), let text = text(in: block, behind: found) else { continue }
      author = (text, HTMLText.attribute("data-user-id=", of: tag(block, found)))
      return
    }
  }

  func tag(_ block: Bytes, _ position: Int) -> Bytes {
    let end = block.position(of: UInt8(ascii: ">"), from: position) ?? block.count
    return Bytes(rebasing: block[position..<end])
  }
}
