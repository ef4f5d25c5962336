internal import MessageModel

/// `/help`: all commands and keys by purpose, on a screen of 24 rows and 80 columns.
enum HelpOverview {
  private struct Group {
    let title: String
    /// Commands (with their slash) and keys, each with a few words.
    let items: [String]
  }

  private static let columns = 78
  private static let titleColumns = 9
  private static let mark = " · "

  private static let groups = [
    Group(
      title: "Keys",
      items: [
        "PageUp PageDown page", "Alt-Up Alt-Down row", "Ctrl-Up Ctrl-Down day", "Alt-Home Alt-End ends",
        "Alt-u first unread", "Alt-a next unread",
        "Alt-p Alt-n hits", "Alt-h list of hits", "Alt-k Alt-j Alt-i filters",
        "Alt-c conversations", "Alt-m map",
        "Alt-o replied to", "Alt-v select", "Tab completes", "Alt-Enter new line", "Esc closes",
        "Ctrl-D leaves",
      ]),
    Group(
      title: "Write",
      items: [
        "type a text, Enter sends it (// starts it with a /)", "/me TEXT", "/reply c TEXT", "/edit c",
        "/delete c", "/react c :tada:", "/star c", "/unread c", "/undo", "/attach FILE",
      ]),
    Group(
      title: "Go",
      items: [
        "/goto DATE, NUMBER, 50%, #ID or unread", "/top", "/bottom", "/older", "/newer", "/days", "/months",
        "/map", "/mark NAME", "/marks", "/back", "/forward",
      ]),
    Group(
      title: "Find",
      items: [
        "/search WORDS", "/next", "/prev", "/hits", "/best QUESTION", "/links", "/files", "/gallery",
        "/stars",
      ]),
    Group(
      title: "Choose",
      items: [
        "/switch", "/open NAME", "/conversations", "/sessions", "/threads", "/thread c", "/filter FILTERS",
        "/person NAME",
      ]),
    Group(title: "Use", items: ["/view c", "/copy a-f", "/quote c", "/url c", "/save c DIR", "/answered c"]),
    Group(title: "Files", items: ["/import PATH…", "/export FILE", "/export | COMMAND", "/source FILE"]),
    Group(
      title: "Window", items: ["/set NAME VALUE", "/follow on", "/freeze on", "/stats", "/memory", "/quit"]),
  ]

  static let lines =
    groups.flatMap { lines(of: $0) } + [
      "", "c stands for the letter of a message, in the margin.",
      "/help goto explains a command · /help WORD searches · /help keys for inputrc",
    ]

  static let viewLines = groups.dropFirst(2).flatMap { group in
    lines(of: Group(title: group.title, items: group.items.filter(onlyReads)))
  }

  private static func onlyReads(_ item: String) -> Bool {
    let name = item.dropFirst().prefix(while: \.isLetter)
    return CommandTable.reads.contains { $0.name == name }
  }

  /// Wraps between items.
  private static func lines(of group: Group) -> [String] {
    var lines: [String] = []
    var line = group.title.padding(to: titleColumns)
    var isEmpty = true
    for item in group.items {
      if !isEmpty, line.count + mark.count + item.count > columns {
        lines.append(line)
        (line, isEmpty) = (String(repeating: " ", count: titleColumns), true)
      }
      line += (isEmpty ? "" : mark) + item
      isEmpty = false
    }
    return isEmpty ? lines : lines + [line]
  }
}

extension HelpText {
  static func listing(inView isView: Bool) -> Listing {
    guard !isView else { return Listing(lines: viewScreen) }
    let screen = HelpOverview.lines
    return Listing(
      lines: screen + commandLines, choice: .command,
      names: screen.map { _ in "" } + CommandTable.entries.map { "/\($0.name) \($0.summary)" },
      screenCount: screen.count)
  }

  /// Help that contains a word; commands with it, or its letters, in their name come first.
  static func lines(finding word: String) -> [String] {
    let wanted = word.lowercased()
    func has(_ text: String) -> Bool { text.lowercased().contains(wanted) }
    let named = CommandTable.entries.filter { has($0.name) }
    let about = CommandTable.entries.filter { !has($0.name) && has($0.summary) }
    let within = CommandTable.entries.filter { entry in
      !has(entry.name) && !has(entry.summary) && entry.details.contains(where: has)
    }
    let found = table(of: named + about + within) + functionLines.filter(has)
    guard found.isEmpty else { return found }
    let entries = CommandTable.entries
    return table(of: FuzzyName(word).places(among: entries.map(\.name)).map { entries[$0] })
  }
}
