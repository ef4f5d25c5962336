extension IRCDialect {
  /// The logs at irclogs.ubuntu.com: times in minutes, none before events; the day is in the path. Until 2007
  /// an action was written `=== nick waves`; it cannot be told from other events and is kept as *system*.
  static let ubuntu = IRCDialect(
    name: "irc-ubuntu",
    title: "IRC, as Ubuntu publishes it",
    clocks: [ClockPattern("[%H:%M] ")],
    shapes: [.said, .action(" * "), .event("*** "), .eventWithHost("=== "), .action("* "), .notice],
    untimedShapes: [.eventWithHost("=== ")],
    mayUseTwelveHours: true,
    isTypical: { sample in sample.lines.contains { $0.starts(with: "=== ".utf8) } })

  /// colabti.org's and the Raku community's: a blank line after each message, the day as the file's name.
  static let raku = IRCDialect(
    name: "irc-raku",
    title: "IRC, as colabti and the Raku community archive it",
    clocks: [ClockPattern("[%H:%M] ")],
    shapes: [.said, .event("*** "), .action("* "), .action(" * "), .notice, .eventWithHost("=== ")],
    isTypical: { $0.blankLineCount * 3 >= $0.lines.count || !$0.name.contains(".") })

  /// Corpora that collect several days, with channel and day before each line.
  static let collected = IRCDialect(
    name: "irc-collected",
    title: "IRC, with the channel and the day in each line",
    clocks: [
      ClockPattern("%w %Y-%m-%d [%H:%M:%S] "), ClockPattern("%w %Y-%m-%d [%H:%M] "),
      ClockPattern("%w %Y-%m-%d "),
    ],
    shapes: [.said, .action(" * "), .event("*** "), .eventWithHost("=== "), .action("* "), .notice],
    conversationName: { name in String(name.prefix { $0 != "." }) })

  /// Bots' pages of a day, named after it: a line per message with coloured spans; others are skipped.
  static let spans = IRCDialect(
    name: "irc-html",
    title: "IRC, a bot's pages with colours",
    clocks: spanClocks,
    shapes: spanShapes,
    markup: markedUp,
    decides: { sample in
      sample.lines.contains { line in
        line.withUnsafeBytes { line in
          guard line.withoutLeadingSpaces.has("<span") else { return false }
          return fitsSpans(markedUp(line, .windows1252))
        }
      }
    })

  private static let spanClocks = [ClockPattern("[%k:%M] "), ClockPattern("[%k:%M:%S] ")]
  private static let spanShapes: [IRCShape] = [
    .said, .hostEvent("* "), .actionOrEvent("* "), .event("*** "), .notice,
  ]

  private static func fitsSpans(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      spanClocks.contains { clock in
        guard let reading = clock.read(Bytes(bytes)) else { return false }
        let rest = Bytes(bytes).dropping(reading.byteCount)
        return IRCSentence(rest, shapes: spanShapes, rankMarks: "") != nil
      }
    }
  }

  @Sendable static func markedUp(_ line: Bytes, _ encoding: FallbackEncoding) -> String {
    guard line.position(of: "<span") != nil else { return "" }
    return HTMLText.plain(encoding.string(line), showsLinks: false)
  }

  /// MeetBot's pages of meetings, `tea.2013-06-18-19.00.log.html`; until 2009 formatted by Pygments.
  static let meetbot = IRCDialect(
    name: "irc-meetbot",
    title: "IRC, MeetBot's pages",
    clocks: [ClockPattern("%k:%M:%S "), ClockPattern("[%k:%M:%S] "), ClockPattern("%k:%M ")],
    shapes: [.said, .action("* ")],
    markup: markedUp,
    decides: { sample in
      isPage(sample)
        && sample.lines.contains { line in
          line.withUnsafeBytes { line in
            line.position(of: "<span class=\"tm\">") != nil && line.position(of: "name=\"l-") != nil
          }
        }
    },
    conversationName: withoutClock)

  @Sendable private static func withoutClock(_ name: String) -> String {
    name.replacing(/[.]?-\d\d[.]\d\d$/, with: "")
  }

  /// Whether the file itself begins as a page; other histories may quote one.
  static func isPage(_ sample: FormatSample) -> Bool {
    sample.lines.first?.withUnsafeBytes { $0.withoutLeadingSpaces.first == UInt8(ascii: "<") } == true
  }

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
    HTMLText.plain(String(text).replacing("&nbsp;", with: " "), showsLinks: false)
  }
}
