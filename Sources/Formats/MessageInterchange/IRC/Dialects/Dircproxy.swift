extension IRCDialect {
  /// dircproxy: dates without a year, which only the path or `--date` tells.
  ///
  /// Where the server marked who was identified, texts begin with `+` or `-`; that is kept, since texts may begin so.
  static let dircproxy = IRCDialect(
    name: "irc-dircproxy",
    title: "IRC, dircproxy's log",
    clocks: [ClockPattern("[%d %b %H:%M] "), ClockPattern("[%d %b %H:%M:%S] ")],
    shapes: [.said, .event("*** "), .event("--> "), .event("<-- "), .action("* "), .notice],
    nicksHaveHosts: true)
}
