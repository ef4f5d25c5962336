extension IRCDialect {
  /// The logs at irclogs.ubuntu.com: times in minutes, none before events; the day is in the path.
  ///
  /// Until 2007 an action was written `=== nick waves`. It cannot be told from other events and is kept as
  /// *system*.
  static let ubuntu = IRCDialect(
    name: "irc-ubuntu",
    title: "IRC, as Ubuntu publishes it",
    clocks: [ClockPattern("[%H:%M] ")],
    shapes: [.said, .action(" * "), .event("*** "), .eventWithHost("=== "), .action("* "), .notice],
    untimedShapes: [.eventWithHost("=== ")],
    mayUseTwelveHours: true,
    isTypical: { sample in sample.lines.contains { $0.starts(with: "=== ".utf8) } })
}
