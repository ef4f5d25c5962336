public import Foundation
internal import MessageMarkup
internal import MessageModel

/// Writes one self-contained HTML page: no scripts, no files, no network.
///
/// All content is escaped; only addresses that begin with `http://` or `https://` become links.
public struct HTMLExport: ExportFormat {
  private var headings: ExportHeadings

  /// Creates a writer that shows times in `timeZone`.
  public init(timeZone: TimeZone = .current) { headings = ExportHeadings(timeZone: timeZone) }

  public mutating func writeHeader(to bytes: inout [UInt8]) {
    bytes.append(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Scrollback</title>
      <style>
      body { font: 1rem/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 48rem; padding: 1rem; color-scheme: light dark; }
      h2 { font-size: 1rem; position: sticky; top: 0; background: Canvas; padding: .25rem 0; }
      div { margin: .35rem 0; }
      p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
      time, small { opacity: .65; font-size: .85em; }
      .event p, .action p { display: inline; font-style: italic; }
      .thinking p, .tool p, .result p { opacity: .65; font-size: .85em; }
      code { font-family: ui-monospace, monospace; font-size: .9em; background: color-mix(in srgb, currentColor 9%, transparent); border-radius: .25em; padding: 0 .2em; }
      .block, .quote, .item, .heading { display: block; }
      .block { padding: .4em .6em; margin: .2em 0; }
      .quote { border-left: .2em solid color-mix(in srgb, currentColor 35%, transparent); padding-left: .6em; }
      .item { padding-left: 1.4em; text-indent: -1.4em; }
      .spoiler:not(:hover) { background: currentColor; }
      </style>
      </head>
      <body>

      """)
  }

  public mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    let record = record.withVisibleDeletion
    let position = headings.move(to: record)
    if let conversation = position.newConversation {
      bytes.append("<h1><bdi>\(Self.escapedName(conversation))</bdi></h1>\n")
    }
    if let day = position.newDay { bytes.append("<h2>\(day)</h2>\n") }
    bytes.append("<div id=\"m\(record.id)\"\(Self.styleClass(of: record.kind))>")
    if let reply = record.replyTo { bytes.append("<a href=\"#m\(reply)\">↩</a> ") }
    if let sender = record.sender { bytes.append("<b><bdi>\(Self.escapedName(sender))</bdi></b> ") }
    bytes.append("<time>\(position.timeOfDay)</time>\n")
    if let heading = record.forward?.heading {
      bytes.append("<small><bdi>\(Self.escapedName(heading))</bdi></small>\n")
    }
    if record.kind.isStep { bytes.append("<details><summary>\(record.kind.name)</summary>\n") }
    if !record.text.isEmpty { bytes.append("<p dir=\"auto\">\(Self.text(of: record))</p>\n") }
    if record.kind.isStep { bytes.append("</details>\n") }
    for file in record.attachments {
      bytes.append("<p>📎 \(Self.fileName(file, isLinked: record.hasFilesBeside))</p>\n")
    }
    for reaction in record.reactions {
      let names = Self.escapedName(reaction.senders.joined(separator: ", "))
      let emoji = record.dialect.isParsed ? EmojiTable.shown(reaction.emoji) : reaction.emoji
      bytes.append("<small>\(Self.escapedName(emoji)) <bdi>\(names)</bdi></small>\n")
    }
    bytes.append("</div>\n")
  }

  public mutating func writeFooter(to bytes: inout [UInt8]) {
    bytes.append("</body>\n</html>\n")
  }

  /// A file written beside the page becomes a link; it is downloaded if it could run code as the page.
  private static func fileName(_ file: Message.Attachment, isLinked: Bool) -> String {
    let name = "<bdi>\(escapedName(file.name))</bdi>"
    guard isLinked, file.isStored, let path = file.path else { return name }
    // A percent-encoded path cannot end the attribute, and the prefix keeps it from beginning with a scheme.
    var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{20}"..."\u{7E}"))
    allowed.insert(charactersIn: "-._~/")
    let address = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    let attribute = FileEnding.isInert(path) ? "" : " download"
    return "<a href=\"\(address.hasPrefix("/") ? "" : "./")\(address)\"\(attribute)>\(name)</a>"
  }

  private static func styleClass(of kind: Message.Kind) -> String {
    switch ExportManner(kind) {
    case .said: ""
    case .action, .notice, .step: " class=\"\(kind.name)\""
    case .event: " class=\"event\""
    }
  }

  private static func escapedName(_ name: String) -> String {
    escaped(VisibleText.of(name, keepsTabs: false))
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let visible = lines.map { VisibleText.of(String($0)) }.joined(separator: "\n")
    guard visible.utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return visible }
    var result = ""
    for character in visible.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  private static func text(of record: ExportRecord) -> String {
    record.dialect.isParsed && !record.kind.isEvent
      ? HTMLMarkup.html(of: record.text, as: record.kind.isStep ? .plain : record.dialect, escaping: escaped)
      : linked(record.text)
  }

  private static func linked(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = addressStart(in: rest) {
      let address = withoutSentenceEnd(rest[start...].prefix { !$0.isWhitespace && !"<>\"'".contains($0) })
      let shown = escaped(address)
      result += escaped(rest[..<start])
      result += "<a href=\"\(shown)\" rel=\"noreferrer noopener nofollow\">\(shown)</a>"
      rest = rest[address.endIndex...]
    }
    return result + escaped(rest)
  }

  private static func withoutSentenceEnd(_ address: Substring) -> Substring {
    var address = address
    while let last = address.last, ".,;:!?)".contains(last) {
      if last == ")", address.contains("(") { break }
      address.removeLast()
    }
    return address
  }

  private static func addressStart(in text: Substring) -> Substring.Index? {
    [text.firstRange(of: "https://"), text.firstRange(of: "http://")].compactMap { $0?.lowerBound }.min()
  }
}

/// Renders marked-up text as HTML. All tags are generated here; text and attributes are escaped.
enum HTMLMarkup {
  static func html(
    of text: String, as dialect: MarkupDialect, escaping escaped: (Substring) -> String
  ) -> String {
    let markup = Markup(text, as: dialect)
    guard !markup.spans.isEmpty else { return escaped(text[...]) }
    var html = ""
    func part(_ range: Range<Int>) -> Substring {
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      return text[start..<text.utf8.index(start, offsetBy: range.count)]
    }
    markup.walk(byteCount: text.utf8.count) { step in
      switch step {
      case .text(let range): html += escaped(part(range))
      case .instead(let other, _): html += escaped(other[...])
      case .begin(let span):
        if span.style == .link {
          let address = escaped(span.target?[...] ?? part(span.content))
          html += "<a href=\"\(address)\" rel=\"noreferrer noopener nofollow\">"
        } else {
          html += "<\(tag(of: span.style).opening)>"
        }
      case .end(let span): html += "</\(tag(of: span.style).name)>"
      }
    }
    return html
  }

  private static func tag(of style: MarkupSpan.Style) -> (name: String, opening: String) {
    switch style {
    case .bold: ("b", "b")
    case .italic: ("i", "i")
    case .underline: ("u", "u")
    case .strike: ("s", "s")
    case .code: ("code", "code")
    case .block: ("code", "code class=\"block\"")
    case .heading: ("b", "b class=\"heading\"")
    case .link: ("a", "a")
    case .spoiler, .quote, .item, .mention, .emoji, .sign, .quoteSign:
      ("span", "span class=\"\(style.rawValue)\"")
    }
  }
}
