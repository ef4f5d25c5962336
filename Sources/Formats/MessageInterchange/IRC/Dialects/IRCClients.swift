extension IRCDialect {
  /// WeeChat's logger: date, prefix and text in columns. Versions since 4.8 write UTC with microseconds.
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

  /// ZNC's log module: one file per day, named after the day.
  static let znc = IRCDialect(
    name: "irc-znc",
    title: "IRC, ZNC's log",
    clocks: [ClockPattern("[%H:%M:%S] ")],
    shapes: [.said, .event("*** "), .action("* "), .notice],
    network: { path in
      // The folders of a module loaded for a network, a user, or globally: https://wiki.znc.in/Log
      let folders = Array(path.dropLast())
      guard let log = folders.lastIndex(of: "log"), log > 0, folders[log - 1] == "moddata" else { return nil }
      if log >= 3, folders[log - 3] == "networks" { return folders[log - 2] }
      let place = log >= 3 && folders[log - 3] == "users" ? log + 1 : log + 2
      return folders.indices.contains(place + 1) ? folders[place] : nil
    })

  /// HexChat and XChat: dates without a year, which is in lines of its own in the user's language.
  static let hexChat = IRCDialect(
    name: "irc-hexchat",
    title: "IRC, HexChat's log",
    clocks: [ClockPattern("%b %d %H:%M:%S ")],
    shapes: hexChatShapes,
    untimedShapes: hexChatShapes,
    markers: [hexChatSession],
    chosenClocks: [
      ClockPattern("%b %e %H:%M:%S "), ClockPattern("%b %d %H:%M "), ClockPattern("%Y-%m-%d %H:%M:%S "),
      ClockPattern("[%Y-%m-%d %H:%M:%S] "), ClockPattern("%Y-%m-%dT%H:%M:%S "),
      ClockPattern("[%H:%M:%S] "), ClockPattern("[%H:%M] "), ClockPattern("%H:%M:%S "),
      ClockPattern("%H:%M "),
    ],
    beginning: hexChatSession,
    namings: ["*\t", "---\t"].flatMap { mark in hexChatNamings.map { mark + $0 } })

  /// `**** BEGIN LOGGING AT Mon May 19 23:59:44 2025`, in any language.
  private static let hexChatSession = IRCMarker.sessionSomewhere(
    "***", ClockPattern("%a %b %e %H:%M:%S %Y"))

  private static let hexChatShapes: [IRCShape] = [
    .said, .actionOrEvent("*\t"), .event("---\t"), .event("-->\t"), .event("<--\t"), .notice, .direct,
  ]

  private static let hexChatNamings = [
    "Now talking on ", "Now talking in ", "Sie sprechen jetzt in ", "Vous parlez maintenant sur ", "Unido a ",
    "Parla in ", "Agora falando em ", "Rozmawiasz na ", "Теперь может вести беседу на ", "Pratar nu på ",
    "Taler nu på ", "Snakker nå i ", "Ara esteu parlant a ", "Τώρα μιλάτε στο ",
  ]

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

  /// dircproxy: dates without a year, which only the path or `--date` gives. Texts begin with `+` or `-`
  /// where the server marked identified users; the mark is kept, since a text may begin so.
  static let dircproxy = IRCDialect(
    name: "irc-dircproxy",
    title: "IRC, dircproxy's log",
    clocks: [ClockPattern("[%d %b %H:%M] "), ClockPattern("[%d %b %H:%M:%S] ")],
    shapes: [.said, .event("*** "), .event("--> "), .event("<-- "), .action("* "), .notice],
    nicksHaveHosts: true)

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

  /// The Lounge's text logs: the full UTC time before each line.
  static let theLounge = IRCDialect(
    name: "irc-thelounge",
    title: "IRC, The Lounge's log",
    clocks: [ClockPattern("[%Y-%m-%dT%H:%M:%S.%fZ] ")],
    shapes: [.said, .event("*** "), .action("* "), .notice],
    rankMarks: "~&!@%+")
}
