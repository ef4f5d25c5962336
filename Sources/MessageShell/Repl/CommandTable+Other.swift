extension CommandTable {
  /// Commands about the program and its files.
  static let other: [Entry] = [
    Entry(name: "stats", arguments: "", summary: "counts and sizes") { CommandArguments.bare($0, .stats) },
    Entry(name: "memory", arguments: "", summary: "how much memory is held, and by what") {
      CommandArguments.bare($0, .memory)
    },
    Entry(
      name: "set", arguments: "[NAME [VALUE]]", summary: "show or change settings",
      details: [
        "me          the name under which you write",
        "time-zone   in which times are shown, for example Europe/Berlin",
      ], completes: .words(["me", "time-zone"])
    ) { text in
      let words = text.split(separator: " ", maxSplits: 1).map(String.init)
      return .set(words.first, to: words.count > 1 ? words[1] : nil)
    },
    Entry(
      name: "help", arguments: "[COMMAND]", summary: "this list, or more on a command", completes: .commands
    ) { .help($0.isEmpty ? nil : String($0.drop { $0 == "/" })) },
    Entry(name: "quit", arguments: "", summary: "leave") { CommandArguments.bare($0, .quit) },
  ]
}
