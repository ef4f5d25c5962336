extension IRCDialect {
  /// justlog's logs of Twitch: the channel in each line, nicks without brackets.
  static let justlog = IRCDialect(
    name: "irc-justlog",
    title: "IRC, justlog's log of Twitch",
    clocks: [ClockPattern("[%Y-%m-%e %H:%M:%S] ")],
    shapes: [.saidBeforeColon, .event("")],
    linesNameChannel: true)
}
