extension IRCDialect {
  /// mIRC: day and channel in lines of their own; only their words tell events from actions.
  static let mIRC = IRCDialect(
    name: "irc-mirc",
    title: "IRC, mIRC's log",
    clocks: [ClockPattern("[%H:%M] "), ClockPattern("[%H:%M:%S] ")],
    shapes: [.said, .actionOrEvent("* "), .event("*** "), .notice],
    markers: [
      .session("Session Start: ", ClockPattern("%a %b %e %H:%M:%S %Y")), .conversation("Session Ident: "),
      .nothing("Session Close: "),
      .day("Session Time: ", ClockPattern("%a %b %e %H:%M:%S %Y")), .nothing("Session Time: "),
    ],
    rankMarks: "@+%&~!",
    isTypical: { sample in sample.lines.contains { $0.starts(with: "Session ".utf8) } })
}
