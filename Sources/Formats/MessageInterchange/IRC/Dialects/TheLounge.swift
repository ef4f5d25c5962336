extension IRCDialect {
  /// The Lounge's logs in text: the whole time in UTC before each line.
  static let theLounge = IRCDialect(
    name: "irc-thelounge",
    title: "IRC, The Lounge's log",
    clocks: [ClockPattern("[%Y-%m-%dT%H:%M:%S.%fZ] ")],
    shapes: [.said, .event("*** "), .action("* "), .notice])
}
