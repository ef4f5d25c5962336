internal import MessageModel

/// Reads the pages of DiscordChatExporter, message by message.
///
/// Times are taken from the ids, which hold them to the millisecond: those on the page are in words and to the minute.
struct DiscordPageReader: HistoryReader {
  /// The longest message that is read, in bytes of HTML.
  private static let bound = 4 << 20
  /// The most attachments, and the most reactions, that are looked for in one message.
  private static let mostParts = 500

  private let options: ImportOptions
  private let source: ByteSource
  private var conversation: String
  private var hasHead = false
  private var author: (name: String, id: String?)?

  /// Prepares to read `file`.
  init(file: InputFile, options: ImportOptions) {
    self.options = options
    source = file.source
    conversation = options.conversation ?? PathNames(file.components).conversation
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      let offset = source.offset
      let (count, isLast) = try blockByteCount()
      let block = source.buffered.first(count)
      if !hasHead {
        readHead(block)
        hasHead = true
      } else if !isLast, count > Self.bound - 64 {
        sink.skip(offset: offset, reason: "it is longer than \(Self.bound >> 20) MB")
      } else if let message = message(block) {
        sink.append(message, conversation: sink.conversation(named: conversation))
      } else if !block.isBlank {
        sink.skip(offset: offset, reason: "it has no id, and so no time", record: block)
      }
      source.consume(count)
      if isLast { return false }
    }
    return true
  }

  /// How far it is to where the next message begins, and whether that is the end of the page.
  private func blockByteCount() throws(InterchangeError) -> (Int, isLast: Bool) {
    var searched = 1
    while true {
      let bytes = source.buffered
      let starts = [
        bytes.position(of: "<div id=chatlog__message-container-", from: searched),
        bytes.position(of: "<div id=\"chatlog__message-container-", from: searched),
      ].compactMap { $0 }
      if let start = starts.min() { return (start, false) }
      if bytes.count > Self.bound { return (bytes.count - 64, false) }
      searched = max(1, bytes.count - 64)
      if try !source.fill() { return (source.buffered.count, true) }
    }
  }

  /// The second line above the messages is `category / channel`, the first the server.
  private mutating func readHead(_ head: Bytes) {
    guard options.conversation == nil, let first = end(of: "preamble__entry", in: head),
      let second = end(of: "preamble__entry", in: head, from: first),
      let text = text(in: head, behind: second)
    else { return }
    let name = text.split(separator: " / ").last.map(String.init) ?? text
    if !name.isEmpty { conversation = name }
  }

  private mutating func message(_ block: Bytes) -> RichMessage? {
    guard let start = end(of: "chatlog__message-container-", in: block) else { return nil }
    let digits = Bytes(rebasing: block[start...].prefix { $0 &- 48 < 10 }).string
    guard let number = UInt64(digits) else { return nil }
    // https://docs.discord.com/developers/reference#snowflakes
    let time = Timestamp(millisecondsSince1970: Int64(number >> 22) + 1_420_070_400_000)
    var message = RichMessage(time: time, text: "")
    readAuthor(block)
    message.sender = author?.name
    message.details.senderID = author?.id
    message.details.source = Message.Source(
      platform: "discord", id: digits, original: options.keepsOriginal ? block.string : nil)
    if let content = end(of: "chatlog__system-notification-content", in: block) {
      message.kind = .system
      message.text = HTMLText.plain(inside(block, behind: content), showsEmoji: true)
    } else if let content = end(of: "chatlog__content ", in: block),
      let shown = end(of: "chatlog__markdown-preserve", in: block, from: content)
    {
      message.text = HTMLText.plain(inside(block, behind: shown), showsEmoji: true)
    }
    message.details.isEdited = block.position(of: "chatlog__edited-timestamp") != nil
    if let reply = end(of: "scrollToMessage(event", in: block) {
      let id = block[reply...].drop { $0 &- 48 >= 10 }.prefix { $0 &- 48 < 10 }
      message.details.replyTo = .external(String(decoding: id, as: UTF8.self))
    }
    addAttachments(block, to: &message)
    addReactions(block, to: &message)
    return message
  }

  /// Only the first message of a group says who wrote it.
  private mutating func readAuthor(_ block: Bytes) {
    for name: StaticString in ["chatlog__author", "chatlog__system-notification-author"] {
      guard let found = end(of: name, in: block), let text = text(in: block, behind: found) else { continue }
      let tag = Bytes(
        rebasing: block[found..<(block.position(of: UInt8(ascii: ">"), from: found) ?? block.count)])
      author = (text, HTMLText.attribute("data-user-id=", of: tag))
      return
    }
  }

  private func addAttachments(_ block: Bytes, to message: inout RichMessage) {
    var position = 0
    while let found = end(of: "chatlog__attachment>", in: block, from: position)
      ?? end(of: "chatlog__attachment\"", in: block, from: position)
    {
      guard message.details.attachments.count < Self.mostParts else { return }
      position = found
      let next = block.dropping(found)
      guard let path = HTMLText.attribute("href=", of: next) ?? HTMLText.attribute("src=", of: next) else {
        continue
      }
      let address = HTMLText.plain(path)
      let name = address.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? address
      message.details.attachments.append(Message.Attachment(name: name, path: address))
    }
  }

  private func addReactions(_ block: Bytes, to message: inout RichMessage) {
    var position = 0
    while let found = end(of: "chatlog__reaction ", in: block, from: position)
      ?? end(of: "chatlog__reaction\" ", in: block, from: position)
    {
      guard message.details.reactions.count < Self.mostParts else { return }
      position = found
      guard let emoji = HTMLText.attribute("alt=", of: block.dropping(found)) else { continue }
      message.details.reactions.append(Message.Reaction(emoji: HTMLText.plain(emoji), senders: []))
    }
  }

  // MARK: Places in HTML

  private func end(of word: StaticString, in block: Bytes, from start: Int = 0) -> Int? {
    block.position(of: word, from: start).map { $0 + word.utf8CodeUnitCount }
  }

  /// The text from the end of the tag around `position` to the next tag.
  private func text(in block: Bytes, behind position: Int) -> String? {
    guard let open = block.position(of: UInt8(ascii: ">"), from: position) else { return nil }
    let close = block.position(of: UInt8(ascii: "<"), from: open) ?? block.count
    return HTMLText.plain(Bytes(rebasing: block[(open + 1)..<close]).string)
  }

  /// What stands between the `span` or `div` in whose tag `position` lies and its end.
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
