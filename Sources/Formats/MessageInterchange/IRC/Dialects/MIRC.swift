extension IRCDialect {
  /// mIRC: the day and the channel stand in lines of their own; events differ from actions only by their words.
  static let mIRC = IRCDialect(
    name: "irc-mirc",
    title: "IRC, mIRC's log",
    clocks: [ClockPattern("[%H:%M] "), ClockPattern("[%H:%M:%S] ")],
    shapes: [.said, .actionOrEvent("* "), .event("*** "), .notice],
    markers: [
      .session("Session Start: ", ClockPattern("%a %b %e %H:%M:%S %Y")), .conversation("Session Ident: "),
      .nothing("Session Close: "),
      // Written at midnight while a session goes on.
      .day("Session Time: ", ClockPattern("%a %b %e %H:%M:%S %Y")), .nothing("Session Time: "),
    ],
    rankMarks: "@+%&~!",
    isTypical: { sample in sample.lines.contains { $0.starts(with: "Session ".utf8) } })
}
