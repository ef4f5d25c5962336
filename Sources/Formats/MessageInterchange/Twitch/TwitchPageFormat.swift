internal import MessageModel

/// TwitchDownloader's HTML of a video's chat.
/// A comment has no time but its distance from the video's beginning: its day is that of the file's name, or
/// of `--date`.
struct TwitchPageReader: HistoryReader {
  private static let beginning: StaticString = "<pre class=\"comment-root\">"

  private let options: ImportOptions
  private let source: ByteSource
  private let conversation: String
  private let day: Timestamp?
  private var hasHead = false

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    source = file.source
    let place = PathNames(file.components)
    conversation = options.conversation ?? place.conversation
    day = (options.day ?? place.day).map {
      Timestamp(utc: CivilTime(year: $0.year, month: $0.month, day: $0.day))
    }
  }

  /// A chat may be empty.
  var hasSeenItsFormat: Bool { hasHead }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      let block = try HTMLBlock(nextOf: source) { $0.position(of: Self.beginning, from: $1) }
      if !block.bytes.has(Self.beginning) {
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

  private func take(_ block: Bytes, at offset: Int64, into sink: inout RecordSink) {
    guard let day else {
      return sink.skip(offset: offset, reason: "no day for this time (give it with --date)", record: block)
    }
    let part = HTMLPart(block)
    guard let said = part.element(of: "comment-message") else {
      return sink.skip(offset: offset, reason: "it has no text", record: block)
    }
    // The name of a picture stands behind it in a hidden block, which breaks no line.
    let html = said.html.replacing("<div", with: "<b").replacing("</div>", with: "</b>")
    let text = HTMLText.plain(html).after(": ") ?? HTMLText.plain(html).after(":") ?? HTMLText.plain(html)
    guard !text.isEmpty else {
      return sink.skip(offset: offset, reason: "it has no text", record: block)
    }
    var message = RichMessage(time: day, precision: .day, text: text)
    message.sender = part.element(of: "comment-author").map { Self.name(HTMLText.plain($0.html)) }
    if options.keepsOriginal {
      message.details.source = Message.Source(platform: "twitch", original: block.string)
    }
    sink.append(message, conversation: sink.conversation(named: conversation))
  }

  /// The name that is shown: names in other scripts have the login behind them, `鯨 (kujira)`.
  private static func name(_ written: String) -> String {
    guard written.hasSuffix(")"), let open = written.lastIndex(of: "("), open > written.startIndex,
      written.utf8.contains(where: { $0 >= 0x80 })
    else { return written }
    return String(written[..<open]).trimming { $0 == " " }
  }
}

extension String {
  /// The rest behind a beginning; `nil` if it begins with something else.
  fileprivate func after(_ beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}
