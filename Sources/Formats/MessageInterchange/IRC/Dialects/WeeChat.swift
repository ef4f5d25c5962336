extension IRCDialect {
  /// WeeChat's logger: date, prefix and text in columns. Versions since 4.8 write UTC with microseconds.
  ///
  /// A line without a date continues the previous message.
  static let weechat = IRCDialect(
    name: "irc-weechat",
    title: "IRC, WeeChat's log",
    clocks: [
      ClockPattern("%Y-%m-%d %H:%M:%S\t"), ClockPattern("%Y-%m-%d %H:%M:%S.%fZ\t"),
      ClockPattern("%Y-%m-%dT%H:%M:%S.%fZ\t"),
    ],
    shapes: [.columns],
    rankMarks: "@+%&~!",
    continuesMessages: true,
    conversationName: { name in
      let parts = name.split(separator: ".", maxSplits: 2)
      return parts.count == 3 ? String(parts[2]) : name
    },
    network: { path in
      let parts = path.last?.split(separator: ".", maxSplits: 2) ?? []
      return parts.count == 3 && parts[0] == "irc" ? String(parts[1]) : nil
    })
}
