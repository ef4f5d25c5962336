extension IRCDialect {
  /// Chatterino's logs of Twitch: two spaces before nicks without brackets, one before events.
  static let chatterino = IRCDialect(
    name: "irc-chatterino",
    title: "IRC, Chatterino's log of Twitch",
    clocks: [ClockPattern("[%H:%M:%S]  "), ClockPattern("[%H:%M:%S] ")],
    shapes: [.saidBeforeColon, .event("")],
    markers: [start, .nothing("# Stop logging at ")],
    beginning: start,
    needsBeginning: true)

  private static let start = IRCMarker.session("# Start logging at ", ClockPattern("%Y-%m-%d "))
}
