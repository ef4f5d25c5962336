extension IRCDialect {
  /// The whole logs of meetings that MeetBot writes as pages, `tea.2013-06-18-19.00.log.html`, by itself or, until 2009, by Pygments.
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

  /// Returns the name of a channel without the time of day that a meeting began, which stands behind its date: `tea.-19.00`.
  @Sendable private static func withoutClock(_ name: String) -> String {
    name.replacing(/[.]?-\d\d[.]\d\d$/, with: "")
  }

  /// Whether a file begins as a page does: a history of something else may speak of one.
  static func isPage(_ sample: FormatSample) -> Bool {
    sample.lines.first?.withUnsafeBytes { $0.withoutLeadingSpaces.first == UInt8(ascii: "<") } == true
  }
}
