extension IRCDialect {
  /// The logs at irclogs.ubuntu.com: times in minutes and none at all before events; the day is in the path.
  ///
  /// Until 2007 `=== nick waves` was how an action was written. It cannot be told from other events and is kept as such,
  /// of the kind *system*.
  static let ubuntu = IRCDialect(
    name: "irc-ubuntu",
    title: "IRC, as Ubuntu publishes it",
    clocks: [ClockPattern("[%H:%M] ")],
    shapes: [.said, .action(" * "), .event("*** "), .eventWithHost("=== "), .action("* "), .notice],
    untimedShapes: [.eventWithHost("=== ")],
    mayUseTwelveHours: true,
    isTypical: { sample in sample.lines.contains { $0.starts(with: "=== ".utf8) } })
}
