extension IRCDialect {
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
}
