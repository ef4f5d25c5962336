extension IRCDialect {
  /// dircproxy: dates without a year, which only the path or `--date` gives.
  ///
  /// Texts begin with `+` or `-` where the server marked identified users; the mark is kept, since a text may
  /// begin so.
  static let dircproxy = IRCDialect(
    name: "irc-dircproxy",
    title: "IRC, dircproxy's log",
    clocks: [ClockPattern("[%d %b %H:%M] "), ClockPattern("[%d %b %H:%M:%S] ")],
    shapes: [.said, .event("*** "), .event("--> "), .event("<-- "), .action("* "), .notice],
    nicksHaveHosts: true)
}
