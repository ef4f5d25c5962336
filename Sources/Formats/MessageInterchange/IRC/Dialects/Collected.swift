extension IRCDialect {
  /// Corpora that collect several days, with channel and day before each line.
  static let collected = IRCDialect(
    name: "irc-collected",
    title: "IRC, with the channel and the day in each line",
    clocks: [
      ClockPattern("%w %Y-%m-%d [%H:%M:%S] "), ClockPattern("%w %Y-%m-%d [%H:%M] "),
      ClockPattern("%w %Y-%m-%d "),
    ],
    shapes: [.said, .action(" * "), .event("*** "), .eventWithHost("=== "), .action("* "), .notice],
    conversationName: { name in String(name.prefix { $0 != "." }) })
}
