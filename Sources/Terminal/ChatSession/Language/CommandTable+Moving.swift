extension CommandTable {
  static let moving: [Entry] = [
    Entry(
      name: "older", effect: .reads, arguments: "[N]", summary: "N older messages, or a page of them",
      takes: CommandArguments.counts
    ) { CommandArguments.count($0, ReplCommand.older) },
    Entry(
      name: "newer", effect: .reads, arguments: "[N]", summary: "N newer messages, or a page of them",
      takes: CommandArguments.counts
    ) { CommandArguments.count($0, ReplCommand.newer) },
    Entry(name: "top", effect: .reads, arguments: "", summary: "the oldest message") {
      CommandArguments.bare($0, .top)
    },
    Entry(name: "bottom", effect: .reads, arguments: "", summary: "the newest message") {
      CommandArguments.bare($0, .bottom)
    },
    Entry(name: "back", effect: .reads, arguments: "", summary: "back to where the last jump or search began")
    {
      CommandArguments.bare($0, .back)
    },
    Entry(name: "forward", effect: .reads, arguments: "", summary: "undo /back") {
      CommandArguments.bare($0, .forward)
    },
    Entry(
      name: "goto", effect: .reads, arguments: "DATE | NUMBER | PERCENT | #ID | 'MARK | unread",
      summary: "to a place in the history",
      details: [
        "/goto 2024-05-01          the first message of that day, or the next there is",
        "/goto 2024-05             of that month; /months lists them",
        "/goto 2024-05-01 14:30    the first message from that minute on",
        "/goto 14:30               of the day in view",
        "/goto 1 May 2024          also: May 2024, 2024/05/01, 01.05.2024; May 1 of the year in view",
        "/goto 2pm                 also: noon, midnight; behind a day 14 will do",
        "/goto yesterday           also: today, monday, last week, last march, 3 days ago",
        "/goto -24h                from the place in view; s, m, h, d, w, mo, y, also +7d",
        "/goto 4812333             the message with that number, 1 being the oldest; also 4,812,333",
        "/goto 50%                 half way from the oldest to the newest",
        "/goto #6930243452928000   the message with that id",
        "/goto 'NAME               the message that /mark NAME has marked",
        "/goto unread              the first one that was not on the screen yet; also top, bottom",
      ], completes: .places
    ) { CommandArguments.destination($0).map(ReplCommand.goto) },
    Entry(
      name: "days", effect: .reads, arguments: "", summary: "the days that have messages, with their counts",
      details: ["While they are listed, 2024-05-01 goes to one of them; at any time, /goto 2024-05-01."]
    ) { CommandArguments.bare($0, .sections(.day)) },
    Entry(
      name: "months", effect: .reads, arguments: "",
      summary: "the months that have messages, with their counts",
      details: ["While they are listed, 2024-05 goes to one of them; at any time, /goto 2024-05."]
    ) { CommandArguments.bare($0, .sections(.month)) },
    Entry(
      name: "map", effect: .reads, arguments: "",
      summary: "the messages over time as a picture, to choose a day from",
      details: [
        "A row is a year, a cell is a month; fuller blocks: more messages. Below are the days of the chosen month.",
        "Left and Right choose a day, Up and Down a month, PageUp and PageDown a year; Enter goes there.",
      ]
    ) { CommandArguments.bare($0, .map) },
    Entry(
      name: "mark", effect: .reads, arguments: "NAME",
      summary: "remember the first message in view under a name",
      details: ["/goto 'NAME returns to it, also from another conversation."]
    ) { $0.isEmpty ? nil : .mark(String($0)) },
    Entry(
      name: "marks", effect: .reads, arguments: "", summary: "all marks",
      details: ["A name goes there while they are listed."]
    ) { CommandArguments.bare($0, .marks) },
  ]
}
