extension IRCDialect {
  /// The Lounge's text logs: the full UTC time before each line.
  static let theLounge = IRCDialect(
    name: "irc-thelounge",
    title: "IRC, The Lounge's log",
    clocks: [ClockPattern("[%Y-%m-%dT%H:%M:%S.%fZ] ")],
    shapes: [.said, .event("*** "), .action("* "), .notice])
}
