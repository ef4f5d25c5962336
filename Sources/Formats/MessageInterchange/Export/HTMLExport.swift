public import Foundation
internal import MessageMarkup
package import MessageModel

/// Writes one self-contained HTML page: no scripts, no network, no files but attachments that were written beside it.
///
/// It is grouped by day and by sender, and ends with its contents by month, which stand beside the messages on wide
/// screens. On paper, each message has its sender and time, on each page that it goes on to.
///
/// All content is escaped; only addresses that begin with `http://` or `https://` become links.
public struct HTMLExport: ExportFormat {
  private var headings: ExportHeadings
  /// The number of the last message; `nil` in a document without numbers.
  private var number: Int?
  /// Where the links of messages lead, if their page is one of several.
  private let surroundings: Surroundings?
  /// The message above, if others may follow it without their sender's name.
  private var above: (sender: String, time: Timestamp)?
  private var contents: [(conversation: String, months: [String])] = []

  /// Creates a writer that shows times in `timeZone`.
  public init(timeZone: TimeZone = .current) { self.init(timeZone: timeZone, isNumbered: false) }

  /// - Parameter isNumbered: Whether messages have numbers and accounts follow them.
  package init(timeZone: TimeZone, isNumbered: Bool) {
    headings = ExportHeadings(timeZone: timeZone)
    number = isNumbered ? 0 : nil
    surroundings = nil
  }

  /// Creates a writer of messages alone, for one of several pages.
  package init(timeZone: TimeZone, _ surroundings: Surroundings) {
    headings = ExportHeadings(timeZone: timeZone)
    self.surroundings = surroundings
  }

  package struct Surroundings: Sendable {
    /// The first message of the page: those before it are elsewhere.
    package var first: Message.ID
    /// The address, up to a message's id, where any message is shown.
    package var message: String
    /// The address, up to the id of its first message, of a thread; `nil` if threads have no pages.
    package var thread: String?

    package init(first: Message.ID, message: String, thread: String?) {
      (self.first, self.message, self.thread) = (first, message, thread)
    }
  }

  package var isNumbered: Bool { number != nil }

  package var timeZone: TimeZone { headings.timeZone }

  public mutating func writeHeader(to bytes: inout [UInt8]) {
    bytes.append(
      """
      \(Self.head(titled: "Scrollback", allowing: "style-src 'unsafe-inline'; img-src 'self' file: data:"))
      <style>
      \(Self.style)\(isNumbered ? Self.numberedStyle : "")</style>
      </head>
      <body>
      \(isNumbered ? Self.numberedHead : "")
      """)
  }

  /// The beginning of a page that runs no script.
  ///
  /// - Parameters:
  ///   - title: Its title as HTML.
  ///   - sources: The directives of its Content-Security-Policy, after the one that allows nothing.
  package static func head(titled title: String, allowing sources: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \(sources)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>
    """
  }

  /// The rules of a document, also for the pages of a site.
  package static let style = """
    @page { @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif; } }
    body { font: 1rem/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 48rem; padding: 1rem; color-scheme: light dark; }
    h1 { margin: 2rem 0 .5rem; font-size: 1.5rem; }
    h2 { position: sticky; top: 0; z-index: 1; margin: 1.2rem 0 .4rem; padding: .25rem 0; font-size: .9rem; background: Canvas; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
    .message { margin: .7rem 0 .2rem; }
    .again { margin-top: .2rem; }
    .message:target { background: color-mix(in srgb, Highlight 25%, transparent); }
    header b { font-weight: 650; }
    .again header b { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .again header { float: left; width: 4rem; }
    .again > :not(header) { margin-left: 4rem; }
    .head > :not(header) { margin-left: 4rem; }
    p { margin: 0; max-width: 75ch; white-space: pre-wrap; overflow-wrap: anywhere; }
    time, small { color: color-mix(in srgb, currentColor 65%, transparent); font-size: .85em; }
    .event p, .action p { font-style: italic; }
    .thinking p, .tool p, .result p { color: color-mix(in srgb, currentColor 65%, transparent); font-size: .85em; }
    code { font-family: ui-monospace, monospace; font-size: .9em; background: color-mix(in srgb, currentColor 9%, transparent); border-radius: .25em; padding: 0 .2em; }
    .block, .quote, .item, .heading { display: block; }
    .block { padding: .4em .6em; margin: .2em 0; }
    .quote { border-left: .2em solid color-mix(in srgb, currentColor 35%, transparent); padding-left: .6em; }
    .item { padding-left: 1.4em; text-indent: -1.4em; }
    .spoiler:not(:hover) { background: currentColor; }
    img { display: block; max-width: 100%; max-height: 20rem; margin: .3rem 0; border-radius: .4rem; }
    nav { margin-top: 3rem; font-size: .9rem; overflow-wrap: anywhere; }
    nav ul { margin: .2rem 0 .8rem; padding: 0; display: flex; flex-wrap: wrap; gap: 0 .7rem; list-style: none; }
    @media (min-width: 82rem) {
      nav { position: fixed; inset: 0 auto 0 0; box-sizing: border-box; width: 15rem; margin: 0; padding: 1rem; overflow-y: auto; }
    }
    @media print {
      h2 { position: static; break-after: avoid; }
      .message { display: table; width: 100%; table-layout: fixed; break-inside: avoid; }
      .message header, .again header { display: table-header-group; float: none; }
      .again header b { position: static; width: auto; height: auto; clip-path: none; }
      .message > :not(header) { margin-left: 0; }
      nav { break-before: page; }
    }

    """

  private static let numberedStyle = """
    .number { display: inline-block; min-width: 3.75rem; color: inherit; font-variant-numeric: tabular-nums; text-decoration: none; }
    .number:target { background: color-mix(in srgb, Highlight 25%, transparent); }
    .earlier { border-left: .2em solid color-mix(in srgb, currentColor 35%, transparent); padding-left: .6em; }
    .account { margin: 2rem 0; border-top: 1px solid; }
    .account dt { margin-top: .5rem; font-weight: 650; break-after: avoid; }
    .account dd { margin: 0; max-width: 75ch; white-space: pre-wrap; overflow-wrap: anywhere; }

    """

  private static let numberedHead = """
    <p>Each message has a number, counted through this document. Counts of each conversation follow it. What is known of the sources, and what is not, stands <a href="#sources">at the end</a>.</p>

    """

  public mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    let record = record.withVisibleDeletion
    let position = headings.move(to: record)
    if let conversation = position.newConversation {
      contents.append((conversation, []))
      bytes.append("<h1 id=\"c\(contents.count)\"><bdi>\(Self.escapedName(conversation))</bdi></h1>\n")
    }
    if let day = position.newDay {
      above = nil
      bytes.append("<h2\(monthMark(of: day))>\(day)</h2>\n")
    }
    let isAgain = goesOn(record)
    bytes.append(
      "<div id=\"m\(record.id)\" class=\"message \(isAgain ? "again" : "head")\(Self.look(of: record.kind))\">"
    )
    bytes.append("<header>")
    if let number = nextNumber() {
      bytes.append("<a class=\"number\" id=\"n\(number)\" href=\"#n\(number)\">\(number)</a> ")
    }
    if let sender = record.sender { bytes.append("<b><bdi>\(Self.escapedName(sender))</bdi></b> ") }
    let time = "<time>\(position.timeOfDay)</time>"
    let sign = position.timeOfDay.isEmpty ? "¶" : time
    bytes.append(surroundings == nil ? time : "<a href=\"#m\(record.id)\">\(sign)</a>")
    bytes.append("</header>\n")
    writeContent(of: record, to: &bytes)
    bytes.append("</div>\n")
  }

  private func writeContent(of record: ExportRecord, to bytes: inout [UInt8]) {
    if let reply = record.replyTo {
      bytes.append("<small><a href=\"\(address(of: reply))\">↩ in reply</a></small>\n")
    }
    if let page = surroundings?.thread, let thread = record.thread, thread != record.id {
      bytes.append("<small><a href=\"\(page)\(thread).html\">in a thread</a></small>\n")
    }
    if let heading = record.forward?.heading {
      bytes.append("<small><bdi>\(Self.escapedName(heading))</bdi></small>\n")
    }
    if record.kind.isStep { bytes.append("<details><summary>\(record.kind.name)</summary>\n") }
    if !record.text.isEmpty { bytes.append("<p dir=\"auto\">\(Self.text(of: record))</p>\n") }
    if record.kind.isStep { bytes.append("</details>\n") }
    for file in record.attachments {
      bytes.append("<p>\(Self.file(file, isLinked: record.hasFilesBeside))</p>\n")
      if isNumbered { bytes.append("<small>\(Self.escapedName(file.evidence))</small>\n") }
    }
    for reaction in record.reactions {
      let names = Self.escapedName(reaction.senders.joined(separator: ", "))
      let emoji = record.dialect.isParsed ? EmojiTable.shown(reaction.emoji) : reaction.emoji
      bytes.append("<small>\(Self.escapedName(emoji)) <bdi>\(names)</bdi></small>\n")
    }
    if record.isEdited || !record.edits.isEmpty { writeEdits(of: record, to: &bytes) }
  }

  private func address(of message: Message.ID) -> String {
    guard let surroundings, message < surroundings.first else { return "#m\(message)" }
    return "\(surroundings.message)\(message)"
  }

  private func writeEdits(of record: ExportRecord, to bytes: inout [UInt8]) {
    guard isNumbered else { return bytes.append("<small>edited</small>\n") }
    let last = record.editedAt.map { ", last at \(ExportAccount.moment($0))" } ?? ""
    bytes.append("<small>edited\(last)</small>\n")
    for edit in record.edits {
      bytes.append("<small>until \(ExportAccount.moment(edit.time)):</small>\n")
      bytes.append("<p class=\"earlier\" dir=\"auto\">\(Self.escaped(edit.text))</p>\n")
    }
  }

  /// Writes what is known of the messages above, and what is not.
  package func write(_ account: ExportAccount, to bytes: inout [UInt8]) {
    bytes.append("<section class=\"account\"\(account.isOfSources ? " id=\"sources\"" : "")>\n")
    bytes.append("<h3><bdi>\(Self.escapedName(account.title))</bdi></h3>\n<dl>\n")
    for row in account.rows {
      bytes.append("<dt>\(Self.escaped(row.term))</dt><dd>\(Self.escaped(row.text))</dd>\n")
    }
    bytes.append("</dl>\n</section>\n")
  }

  public mutating func writeFooter(to bytes: inout [UInt8]) {
    bytes.append("<nav>\n")
    for (index, part) in contents.enumerated() {
      bytes.append(
        "<b><a href=\"#c\(index + 1)\"><bdi>\(Self.escapedName(part.conversation))</bdi></a></b>\n<ul>\n")
      for month in part.months {
        bytes.append("<li><a href=\"#c\(index + 1)-\(month)\">\(month)</a></li>\n")
      }
      bytes.append("</ul>\n")
    }
    bytes.append("</nav>\n</body>\n</html>\n")
  }

  /// The place to which the contents lead, on the first day of each month.
  private mutating func monthMark(of day: String) -> String {
    let month = String(day.dropLast(3))
    guard contents[contents.count - 1].months.last != month else { return "" }
    contents[contents.count - 1].months.append(month)
    return " id=\"c\(contents.count)-\(month)\""
  }

  private mutating func nextNumber() -> Int? {
    number = number.map { $0 + 1 }
    return number
  }

  /// Whether a message follows one of its sender by at most seven minutes; a numbered one stands alone.
  private mutating func goesOn(_ record: ExportRecord) -> Bool {
    guard !isNumbered, let sender = record.sender, ExportManner(record.kind) == .said else {
      above = nil
      return false
    }
    defer { above = (sender, record.time) }
    guard let above, above.sender == sender else { return false }
    return (0...420_000).contains(record.time.millisecondsSince1970 - above.time.millisecondsSince1970)
  }

  /// A file written beside the page becomes a link; it is downloaded if it could run code as the page. Pictures are
  /// shown.
  private static func file(_ file: Message.Attachment, isLinked: Bool) -> String {
    let name = "<bdi>\(escapedName(file.name))</bdi>"
    guard isLinked, file.isStored, let path = file.path else { return "📎 \(name)" }
    // A percent-encoded path cannot end the attribute, and the prefix keeps it from beginning with a scheme.
    var allowed = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{20}"..."\u{7E}"))
    allowed.insert(charactersIn: "-._~/")
    let address = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    let place = "\(address.hasPrefix("/") ? "" : "./")\(address)"
    let isInert = FileEnding.isInert(path)
    guard isInert, file.mediaType?.hasPrefix("image/") == true else {
      return "📎 <a href=\"\(place)\"\(isInert ? "" : " download")>\(name)</a>"
    }
    return
      "<a href=\"\(place)\"><img src=\"\(place)\" alt=\"\(escapedName(file.name))\" loading=\"lazy\"></a>"
  }

  private static func look(of kind: Message.Kind) -> String {
    switch ExportManner(kind) {
    case .said: ""
    case .action, .notice, .step: " \(kind.name)"
    case .event: " event"
    }
  }

  /// A name, or a text on one line, within an element or an attribute.
  package static func escapedName(_ name: String) -> String {
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

extension Message.Attachment {
  /// Whether its content is known, and by which hash.
  fileprivate var evidence: String {
    "\(isStored ? "" : "its content is not here; ")\(sha256.map { "SHA-256 \($0)" } ?? "SHA-256 unknown")"
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
