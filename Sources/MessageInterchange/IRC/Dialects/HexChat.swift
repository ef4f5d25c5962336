extension IRCDialect {
  /// HexChat and XChat: dates without a year, which stands in lines of its own.
  static let hexChat = IRCDialect(
    name: "irc-hexchat",
    title: "IRC, HexChat's log",
    clocks: [ClockPattern("%b %d %H:%M:%S ")],
    shapes: [.said, .actionOrEvent("*\t"), .notice],
    markers: [
      .day("**** BEGIN LOGGING AT ", ClockPattern("%a %b %e %H:%M:%S %Y")),
      .nothing("**** ENDING LOGGING AT "),
    ])
}
