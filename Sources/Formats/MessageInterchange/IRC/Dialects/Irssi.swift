extension IRCDialect {
  /// irssi's default theme; the day is in lines of its own or in the path.
  static let irssi = IRCDialect(
    name: "irc-irssi",
    title: "IRC, irssi's log",
    clocks: [ClockPattern("%H:%M "), ClockPattern("%H:%M:%S ")],
    shapes: [.said, .action(" * "), .event("-!- "), .notice],
    markers: [
      .day("--- Log opened ", ClockPattern("%a %b %e %H:%M:%S %Y")),
      .day("--- Day changed ", ClockPattern("%a %b %e %Y")), .nothing("--- Log closed "),
    ],
    rankMarks: "@+%&~! ")
}
