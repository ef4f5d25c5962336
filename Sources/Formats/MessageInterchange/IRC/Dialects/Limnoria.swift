extension IRCDialect {
  /// The bots Limnoria and Supybot: the full date and two spaces before each line.
  static let limnoria = IRCDialect(
    name: "irc-limnoria",
    title: "IRC, Limnoria's log",
    clocks: [ClockPattern("%Y-%m-%dT%H:%M:%S  ")],
    shapes: [.said, .event("*** "), .action("* "), .notice])
}
