internal import MessageModel

/// Facebook's Messenger and Instagram: the pages of "Download your information" as HTML, `message_1.html` …
/// Messages are newest first, with minutes or seconds in the exporter's zone and language. They are held until
/// the end and emitted oldest first; an unusually long page is emitted in parts.
struct MessengerPageReader: HistoryReader {
  private static let mostHeld = 50_000
  private static let mostParts = 500

  private let options: ImportOptions
  private let source: ByteSource
  private let thread: String?
  private var conversation: String
  private var days: LocalDays
  private var times: LooseTime
  private var hasHead = false
  private var held: [RichMessage] = []

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    source = file.source
    thread = MessengerHistory.thread(ofFolder: file.folder.last)
    conversation = PathNames(file.folder.isEmpty ? file.components : file.folder).conversation
    days = LocalDays(zone: options.timeZone)
    times = LooseTime(options)
  }

  /// A chat may be empty.
  var hasSeenItsFormat: Bool { hasHead }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      let block = try nextBlock(&sink)
      if Self.beginning(in: block.bytes, from: 0) != 0 {
        readHead(block.bytes)
      } else if let fault = block.fault {
        sink.skip(offset: block.offset, reason: fault)
      } else {
        take(block.bytes, at: block.offset, into: &sink)
      }
      source.consume(block.bytes.count)
      if block.isLast || held.count >= Self.mostHeld { handOver(to: &sink) }
      if block.isLast { return false }
    }
    return true
  }

  private mutating func nextBlock(_ sink: inout RecordSink) throws(InterchangeError) -> HTMLBlock {
    do throws(InterchangeError) {
      return try HTMLBlock(nextOf: source, beginning: Self.beginning)
    } catch {
      handOver(to: &sink)
      throw error
    }
  }

  /// A message's box has the class `_a6-g` since 2021, and `_2lej` before.
  private static func beginning(in bytes: Bytes, from position: Int) -> Int? {
    var searched = position
    while let found = bytes.position(of: " class=\"", from: searched) {
      searched = found + 1
      let open = bytes[..<found].suffix(8).lastIndex(of: UInt8(ascii: "<"))
      guard let open, open >= position, bytes.has("<div", at: open) || bytes.has("<section", at: open) else {
        continue
      }
      let classes = Bytes(rebasing: bytes[(found + 8)...].prefix(40)).prefix { $0 != UInt8(ascii: "\"") }
      let names = classes.split(separator: 0x20)
      if names.contains(where: { $0.elementsEqual("_a6-g".utf8) || $0.elementsEqual("_2lej".utf8) }) {
        return open
      }
    }
    return nil
  }

  private mutating func readHead(_ head: Bytes) {
    hasHead = hasHead || head.position(of: "role=\"main\"") != nil
    if let title = HTMLPart(head).element(named: "<title")?.text, !title.isEmpty { conversation = title }
  }

  private mutating func handOver(to sink: inout RecordSink) {
    guard let first = held.first, let last = held.last else { return }
    let identity = thread.flatMap { ConversationIdentity(platform: "messenger-html", key: $0) }
    let index = sink.conversation(named: conversation, isDirect: nil, identity: identity, options)
    for message in first.time < last.time ? held : held.reversed() {
      sink.append(message, conversation: index)
    }
    held.removeAll()
  }

  private mutating func take(_ block: Bytes, at offset: Int64, into sink: inout RecordSink) {
    let part = HTMLPart(block)
    let content = part.element(of: "_a6-p") ?? part.element(of: "_2let")
    guard let written = (part.element(of: "_a6-o") ?? part.element(of: "_2lem"))?.text else {
      // The names of the participants stand in a box of their own.
      if content != nil { sink.skip(offset: offset, reason: "it has no time", record: block) }
      return
    }
    guard let (time, precision) = moment(written) else {
      return sink.skip(offset: offset, reason: "its time is not understood", record: block)
    }
    var message = RichMessage(time: time, precision: precision, text: "")
    let name = (part.element(of: "_a6-h") ?? part.element(of: "_2lel"))?.text ?? ""
    message.sender = name.isEmpty ? nil : name
    if let content { Self.read(content.content, into: &message) }
    message.word = "no content"
    if options.keepsOriginal {
      message.details.source = Message.Source(platform: "messenger", original: block.string)
    }
    held.append(message)
  }

  private mutating func moment(_ written: String) -> (time: Timestamp, precision: TimePrecision)? {
    guard let time = LineTime(written), let day = time.day, time.precision != .day else {
      return times.read(written)
    }
    return (days.moment(day: day, milliseconds: time.clock.millisecondOfDay), time.precision)
  }

  private static func read(_ content: HTMLPart, into message: inout RichMessage) {
    var kept: [UInt8] = []
    var position = 0
    while message.details.attachments.count < mostParts, let cut = nextCut(in: content, from: position) {
      kept += content.bytes[position..<cut.range.lowerBound]
      addFiles(HTMLPart(Bytes(rebasing: content.bytes[position..<cut.range.lowerBound])), to: &message)
      if cut.tag.has("<ul") {
        message.details.reactions += reactions(in: cut.content)
      } else {
        addFiles(HTMLPart(Bytes(rebasing: content.bytes[cut.range])), to: &message)
      }
      position = cut.range.upperBound
    }
    kept += content.bytes[position...]
    addFiles(HTMLPart(content.bytes.dropping(position)), to: &message)
    message.text = text(String(decoding: kept, as: UTF8.self))
    readShare(in: content, into: &message)
  }

  /// A box of a text, a name and an address, or of two of them, is a shared post: the words of the one named.
  private static func readShare(in content: HTMLPart, into message: inout RichMessage) {
    guard let whole = content.element(named: "<div") else { return }
    for box in boxes(in: whole.content) {
      let (parts, shown) = (boxes(in: box.content).map(\.text), text(box.html))
      guard (2...3).contains(parts.count), let address = parts.last, address.hasPrefix("http"),
        message.text.hasSuffix(shown)
      else { continue }
      let own = String(message.text.dropLast(shown.count)).trimming { $0.isWhitespace }
      message.text = own.hasSuffix(" sent an attachment.") ? "" : own
      let owner = parts.count == 3 && !parts[1].isEmpty ? parts[1] : nil
      message.addForwarded(
        [parts[0], address].filter { !$0.isEmpty }.joined(separator: "\n"),
        from: Message.Forward(author: owner))
      return
    }
  }

  private static func boxes(in part: HTMLPart) -> [HTMLElement] {
    var found: [HTMLElement] = []
    while found.count < 8, let next = part.element(named: "<div", from: found.last?.range.upperBound ?? 0) {
      found.append(next)
    }
    return found
  }

  /// The next list of reactions, film or sound, whose words are no text.
  private static func nextCut(in content: HTMLPart, from position: Int) -> HTMLElement? {
    [
      content.element(named: "<ul", from: position), content.element(named: "<video", from: position),
      content.element(named: "<audio", from: position),
    ].compactMap { $0 }.min { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Empty boxes and boxes within each other end one line.
  private static func text(_ html: String) -> String {
    let marked = html.replacing("</div>", with: "\u{1}")
    let lines = HTMLText.plain(marked).split(separator: "\u{1}").map { line in
      String(line).trimming { $0.isWhitespace }
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Files lie in the download; pictures may also have an address.
  private static func addFiles(_ part: HTMLPart, to message: inout RichMessage) {
    for attribute: StaticString in [" href=\"", " src=\""] {
      var position = 0
      while message.details.attachments.count < mostParts,
        let found = part.bytes.position(of: attribute, from: position)
      {
        let start = found + attribute.utf8CodeUnitCount
        let end = part.bytes.position(of: UInt8(ascii: "\""), from: start) ?? part.bytes.count
        position = end
        let path = HTMLText.plain(Bytes(rebasing: part.bytes[start..<end]).string)
        let isAddress = path.hasPrefix("http")
        guard !path.isEmpty, !path.hasPrefix("#"), !isAddress || attribute.utf8CodeUnitCount == 6,
          !message.details.attachments.contains(where: { $0.path == path })
        else { continue }
        let name = path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
        message.details.attachments.append(Message.Attachment(name: name ?? path, path: path))
      }
    }
  }

  /// `❤️Ann`, and since 2022 `❤️Ann (Apr 23, 2022 5:32 pm)`.
  private static func reactions(in list: HTMLPart) -> [Message.Reaction] {
    var given: [(emoji: String, sender: String)] = []
    var position = 0
    while given.count < mostParts, let item = list.element(named: "<li", from: position) {
      position = item.range.upperBound
      var text = item.text
      if text.hasSuffix(")"), let open = text.lastIndex(of: "("),
        LineTime(String(text[text.index(after: open)...].dropLast())) != nil
      {
        text = String(text[..<open])
      }
      if let emoji = text.first {
        given.append((String(emoji), String(text.dropFirst()).trimming { $0.isWhitespace }))
      }
    }
    return Message.Reaction.gathered(given)
  }
}
