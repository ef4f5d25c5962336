extension IRCDialect {
  /// The log module of ZNC: a file a day, named after it.
  static let znc = IRCDialect(
    name: "irc-znc",
    title: "IRC, ZNC's log",
    clocks: [ClockPattern("[%H:%M:%S] ")],
    shapes: [.said, .event("*** "), .action("* "), .notice])
}
