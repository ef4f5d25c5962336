internal import MessageModel

/// What `/help` says.
public enum HelpText {
  /// The lines over the messages that a first run shows until the next key.
  public static let firstRun = [
    "PageUp and PageDown scroll, /goto DATE jumps, /search finds.",
    "Text without a slash is appended. Tab completes commands.",
    "/help lists all there is. Ctrl-D leaves.",
  ]

  /// The same for a view.
  public static let firstView = [
    "j k d u and space b scroll, g and G go to the ends, 50% in between.",
    "/ and ? search, n and N go on, & filters, : takes commands.",
    "h lists all there is. q leaves.",
  ]

  /// Returns the list of commands, or all about one of them.
  public static func lines(about name: String?) throws(UsageError) -> [String] {
    guard let name else { return list }
    let entry = try CommandParser.entry(named: name[...])
    let usage = [entry.name, entry.arguments].filter { !$0.isEmpty }.joined(separator: " ")
    return ["/\(usage)", "  " + entry.summary] + entry.details.map { "  " + $0 }
  }

  private static var list: [String] {
    let usages = CommandTable.entries.map { entry in
      ["/" + entry.name, entry.arguments].filter { !$0.isEmpty }.joined(separator: " ")
    }
    let short = usages.filter { $0.count <= 24 }.map(\.count).max() ?? 0
    let rows = zip(usages, CommandTable.entries).map { usage, entry in
      usage + String(repeating: " ", count: max(2, short + 2 - usage.count)) + entry.summary
    }
    return rows + [""] + keys
  }

  private static let keys = [
    "Text without a slash is appended; // begins a text with a slash.",
    "PageUp, PageDown            a page",
    "Alt-PageUp, Alt-PageDown    three rows; also the mouse wheel",
    "Alt-Up, Alt-Down            one row",
    "Alt-Home, Alt-End           the oldest and the newest; also with Ctrl",
    "Alt-u                       the first unread message",
    "Alt-n, Alt-p                the next newer and older hit of a search",
    "Alt-Enter                   a new line within a message",
    "Ctrl-L, Ctrl-C, Ctrl-D      redraw, clear the line, leave",
  ]
}
