extension IRCDialect {
  /// The bot energymech: the full date before each line.
  static let energyMech = IRCDialect(
    name: "irc-energymech",
    title: "IRC, energymech's log",
    clocks: [ClockPattern("[%b %e %Y %H:%M:%S] ")],
    shapes: [.said, .event("*** "), .actionOrEvent("* "), .notice])
}
