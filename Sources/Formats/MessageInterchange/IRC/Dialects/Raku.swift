extension IRCDialect {
  /// Archives of colabti.org and the Raku community: a blank line after each message, the day as the file's
  /// name.
  static let raku = IRCDialect(
    name: "irc-raku",
    title: "IRC, as colabti and the Raku community archive it",
    clocks: [ClockPattern("[%H:%M] ")],
    shapes: [.said, .event("*** "), .action("* "), .action(" * "), .notice, .eventWithHost("=== ")],
    isTypical: { $0.blankLineCount * 3 >= $0.lines.count || !$0.name.contains(".") })
}
