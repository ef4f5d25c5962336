extension IRCDialect {
  /// Pages by irclog2html in its two styles with times: a table row or a paragraph per line.
  static let irclog2html = IRCDialect(
    name: "irc-irclog2html",
    title: "IRC, irclog2html's pages",
    clocks: [
      ClockPattern("%Y-%m-%dT%H:%M:%S "), ClockPattern("%Y-%m-%d %H:%M:%S "), ClockPattern("%k:%M:%S "),
      ClockPattern("%k:%M "),
    ],
    shapes: [
      .said, .actionOrEvent("* "), .event("*** "), .event("-!- "), .event("--> "), .event("<-- "),
      .event("--- "),
    ],
    untimedShapes: [.said],
    markup: { line, encoding in IRCPageLine(encoding.string(line))?.text ?? "" },
    decides: { sample in
      isPage(sample)
        && sample.lines.contains { line in
          line.withUnsafeBytes { line in IRCPageLine.sign.contains { line.position(of: $0) != nil } }
        }
    })
}

private struct IRCPageLine {
  let text: String

  static let sign: [StaticString] = [
    "<table class=\"irclog\">", "<div class=\"irclog\">", "content=\"irclog2html",
  ]

  init?(_ line: String) {
    guard line.hasPrefix("<tr") || line.hasPrefix("<p "), let first = line.firstIndex(of: ">") else {
      return nil
    }
    let opening = line[..<first]
    // The anchor has the log's full time, where the page only shows hours and minutes.
    let time = Self.value(of: "id=\"t", in: opening)
    var said: String
    if let nick = Self.element("th", "nick", in: line), let words = Self.element("td", "text", in: line) {
      said = "<\(nick)> \(words)"
    } else if opening.hasPrefix("<tr") {
      guard let words = Self.element("td", "", in: line) else { return nil }
      said = words
    } else {
      let end = line.firstRange(of: "</a>")?.upperBound
      guard let start = time == nil ? line.index(after: first) : end else { return nil }
      said = Self.plain(line[start...])
      if said.first == " " { said.removeFirst() }
    }
    text = time.map { "\($0) \(said)" } ?? said
  }

  private static func value(of start: String, in opening: Substring) -> String? {
    guard let begin = opening.firstRange(of: start)?.upperBound,
      let end = opening[begin...].firstIndex(of: "\"")
    else { return nil }
    return plain(opening[begin..<end].replacing("%3A", with: ":"))
  }

  private static func element(_ name: String, _ style: String, in line: String) -> String? {
    let start = style.isEmpty ? "<\(name) class=\"" : "<\(name) class=\"\(style)\""
    guard let begin = line.firstRange(of: start)?.upperBound,
      let open = line[begin...].firstIndex(of: ">"), let end = line[open...].firstRange(of: "</\(name)>")
    else { return nil }
    return plain(line[line.index(after: open)..<end.lowerBound])
  }

  private static func plain(_ text: some StringProtocol) -> String {
    HTMLText.plain(String(text).replacing("&nbsp;", with: " "))
  }
}
