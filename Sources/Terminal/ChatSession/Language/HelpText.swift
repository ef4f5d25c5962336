package enum HelpText {
  /// The hint of a first run, until the next key.
  package static let firstRun = [
    "PageUp and PageDown scroll, /goto DATE jumps, /search finds.",
    "Text without a slash is appended. Tab completes commands.",
    "/help lists all there is. Ctrl-D leaves.",
  ]

  /// Where several conversations are shown.
  package static let firstRunOfSeveral = [
    "PageUp and PageDown scroll, /goto DATE jumps, /search finds.",
    "The letter of a message opens its conversation. Tab completes commands.",
    "/help lists all there is. Ctrl-D leaves.",
  ]

  /// Where there is nothing to read yet.
  package static let firstStart = [
    "Nothing is here yet. To import: /import PATH (a file, folder or archive).",
    "To write: type a message and press Enter.",
    "To leave: Ctrl-D on an empty line. /help lists all there is.",
  ]

  /// For a view.
  package static let firstView = [
    "j k d u and space b scroll, g and G go to the ends, 50% in between.",
    "/ and ? search, n and N go on, & filters, : takes commands.",
    "h lists all there is. q leaves.",
  ]

  /// Help on everything, on a command, or the lines that contain a word.
  ///
  /// Throws ``UsageError`` if nothing matches.
  package static func lines(about name: String?) throws(UsageError) -> [String] {
    guard let name else { return HelpOverview.lines }
    if name == "keys" { return functionLines }
    let entry: CommandTable.Entry
    do throws(UsageError) { entry = try CommandParser.entry(named: name[...]) } catch {
      let found = lines(finding: name)
      guard !found.isEmpty else { throw error }
      return found
    }
    let usage = [entry.name, entry.arguments].filter { !$0.isEmpty }.joined(separator: " ")
    return ["/\(usage)", "  " + entry.summary] + entry.details.map { "  " + $0 }
  }

  static func viewLines(about name: String?) throws(UsageError) -> [String] {
    guard let name else { return viewScreen }
    return try lines(about: name).map(inView)
  }

  /// Rewrites commands for a view, with a colon for the slash.
  static func inView(_ text: String) -> String {
    var result = ""
    var before: Character = " "
    for (place, character) in zip(text.indices, text) {
      let isCommand =
        character == "/" && !before.isLetter && isCommand(text[place...].dropFirst(), behind: before)
      result.append(isCommand ? ":" : character)
      before = character
    }
    return result
  }

  /// Whether the text after a slash, which `before` precedes, is a command's name and not a path's.
  private static func isCommand(_ text: Substring, behind before: Character) -> Bool {
    let name = text.prefix(while: \.isLetter)
    let next = text[name.endIndex...].first
    if before == "'", next == "'" { return true }
    return next.map { "/._-".contains($0) } != true && CommandTable.entries.contains { $0.name == name }
  }

  static let viewScreen = (viewKeys + [""] + HelpOverview.viewLines).map(inView)

  /// Usage and summary per command.
  package static var commandLines: [String] { table(of: CommandTable.entries) }

  /// Keys, inputrc name and summary per readline function.
  package static var functionLines: [String] {
    let functions =
      KeyFunction.all.map { ($0.shownKeys, $0.name, $0.summary) }
      + [("the mouse wheel", KeyFunction.mouseName, "three rows older or newer")]
    return functions.map { keys, name, summary in keys.padding(to: 21) + name.padding(to: 26) + summary }
  }

  static func table(of entries: [CommandTable.Entry]) -> [String] {
    let usages = entries.map { entry in
      ["/" + entry.name, entry.arguments].filter { !$0.isEmpty }.joined(separator: " ")
    }
    let short = usages.filter { $0.count <= 24 }.map(\.count).max() ?? 0
    return zip(usages, entries).map { usage, entry in
      usage + String(repeating: " ", count: max(2, short + 2 - usage.count)) + entry.summary
    }
  }

  private static let viewKeys = [
    "j k, Down Up               a row; 5j is five of them",
    "d u                        half a window",
    "space b, PageDown PageUp   a window",
    "g G                        the oldest and the newest; 12g is message 12",
    "50%                        half way from the oldest to the newest",
    "/WORDS ?WORDS              search towards newer, towards older messages",
    "n N                        the next hit, in that direction and in the other one",
    "M                          the messages over time as a picture: arrows choose a day, Enter goes there",
    "L                          a list of all hits; arrows choose, / narrows, Enter goes there",
    "o                          from a reply to the message that it replies to, and back",
    "v, Shift-Up Shift-Down     select messages for :copy: arrows go to the first one, v begins there, arrows extend",
    "&FILTERS                   only some messages, as in &from:alice; & alone for all",
    "Alt-i Alt-k Alt-j          invert the last filter, add one, drop the last one",
    "mx 'x                      mark the place as x, go there; '' goes back",
    "F Alt-u                    the newest, the first unread message",
    "Alt-a                      the next conversation with something unread",
    "[ ]                        the beginning of this day or the one before, of the next day",
    "= |COMMAND                 statistics; give the messages to a command of the shell",
    "r Esc                      redraw; put away what covers the messages, end a search",
    "q                          back to the messages, or leave",
    ":                          takes these commands; :help COMMAND explains one",
  ]
}

extension String {
  func padding(to count: Int) -> String {
    self + String(repeating: " ", count: Swift.max(2, count - self.count))
  }
}
