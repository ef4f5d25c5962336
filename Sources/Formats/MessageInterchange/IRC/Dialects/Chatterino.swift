extension IRCDialect {
  /// Chatterino, which keeps the chat of Twitch: nicks without brackets behind two spaces, what happened behind one.
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
