internal import MessageModel

/// Times come from ids, exact to the millisecond; pages only show minutes. Until 2022 author and time were
/// given per group of messages; until July 2019 messages had no ids and share their group's time.
struct DiscordPageReader: HistoryReader {
  private static let mostParts = 500
  private static let mostMessages = 10_000

  private let options: ImportOptions
  private let source: ByteSource
  private var channel: DiscordChannel
  private var hasHead = false
  private var saysItIsEmpty = false
  private var times: LooseTime
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
      } else if block.isTooLong {
        sink.skip(offset: block.offset, reason: HTMLBlock.lengthReason)
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

  // MARK: Blocks

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

  // MARK: Groups

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

  // MARK: Messages

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
    addReactions(block, to: &message)
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

  private func tag(_ block: Bytes, _ position: Int) -> Bytes {
    let end = block.position(of: UInt8(ascii: ">"), from: position) ?? block.count
    return Bytes(rebasing: block[position..<end])
  }

  private func addAttachments(_ block: Bytes, to message: inout RichMessage) {
    var position = 0
    while let found = endOfClass("chatlog__attachment", in: block, from: position) {
      guard message.details.attachments.count < Self.mostParts else { return }
      position = found
      let end = endOfClass("chatlog__attachment", in: block, from: found) ?? block.count
      let next = Bytes(rebasing: block[found..<end])
      guard let path = Self.address(in: next) else { continue }
      let address = HTMLText.plain(path)
      let name = address.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? address
      message.details.attachments.append(Message.Attachment(name: name, path: address))
    }
  }

  private static func address(in part: Bytes) -> String? {
    let (link, picture) = (part.position(of: " href="), part.position(of: " src="))
    return link ?? .max < picture ?? .max
      ? HTMLText.attribute("href=", of: part) : HTMLText.attribute("src=", of: part)
  }

  private func addReactions(_ block: Bytes, to message: inout RichMessage) {
    var position = 0
    while let found = endOfClass("chatlog__reaction", in: block, from: position) {
      guard message.details.reactions.count < Self.mostParts else { return }
      position = found
      guard let emoji = HTMLText.attribute("alt=", of: block.dropping(found)) else { continue }
      message.details.reactions.append(Message.Reaction(emoji: HTMLText.plain(emoji), senders: []))
    }
  }

  // MARK: Places in HTML

  /// The position after a class's name; a longer name with that prefix does not match.
  private func endOfClass(_ name: StaticString, in block: Bytes, from start: Int) -> Int? {
    var position = start
    while let found = end(of: name, in: block, from: position) {
      let isWhole = found < block.count && [0x20, 0x22, 0x3E].contains(block[found])
      let before = found - name.utf8CodeUnitCount - 1
      if isWhole, before >= 0, block[before] == 0x22 || block[before] == UInt8(ascii: "=") { return found }
      position = found
    }
    return nil
  }

  private func end(of word: StaticString, in block: Bytes, from start: Int = 0) -> Int? {
    block.position(of: word, from: start).map { $0 + word.utf8CodeUnitCount }
  }

  private func text(in block: Bytes, behind position: Int) -> String? {
    guard let open = block.position(of: UInt8(ascii: ">"), from: position) else { return nil }
    let close = block.position(of: UInt8(ascii: "<"), from: open) ?? block.count
    return HTMLText.plain(Bytes(rebasing: block[(open + 1)..<close]).string)
  }

  private func inside(_ block: Bytes, behind position: Int) -> String {
    guard let open = block.position(of: UInt8(ascii: ">"), from: position) else { return "" }
    var depth = 1
    var next = open + 1
    while depth > 0, let tag = block.position(of: UInt8(ascii: "<"), from: next) {
      if block.has("<span", at: tag) || block.has("<div", at: tag) { depth += 1 }
      if block.has("</span", at: tag) || block.has("</div", at: tag) { depth -= 1 }
      if depth == 0 { return Bytes(rebasing: block[(open + 1)..<tag]).string }
      next = tag + 1
    }
    return Bytes(rebasing: block[(open + 1)...]).string
  }
}
