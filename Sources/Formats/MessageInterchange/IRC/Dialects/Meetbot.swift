extension IRCDialect {
  /// Full logs of meetings as MeetBot's pages, `tea.2013-06-18-19.00.log.html`; until 2009 formatted by
  /// Pygments.
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
}
