extension IRCDialect {
  /// The bot eggdrop: sentences without a mark; the day is in the file's name and in a line of its own.
  static let eggdrop = IRCDialect(
    name: "irc-eggdrop",
    title: "IRC, eggdrop's log",
    clocks: [ClockPattern("[%H:%M:%S] "), ClockPattern("[%H:%M] ")],
    shapes: [
      .said, .saidAfter("@"), .saidAfter("+"), .action("Action: "), .notice, .knownEvent,
    ],
    timedMarkers: [.day("--- ", ClockPattern("%a %b %e %Y"))],
    isTypical: { sample in
      sample.lines.contains { line in
        let rest = line.drop { $0 != 0x20 }.dropFirst()
        return rest.starts(with: "Action: ".utf8) || rest.starts(with: "Nick change: ".utf8)
          || rest.starts(with: "--- ".utf8)
      }
    })
}
