internal import ArgumentParser
internal import ChatSession

struct Manual: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "manual",
    abstract: "Print the manual page, for man.",
    discussion: """
      `make install` installs it.

      Example:
        scrollback manual >scrollback.1
      """)

  func run(in shell: Shell) throws -> ExitStatus {
    let console = Console(in: shell)
    console.write(try ManualPage.text())
    console.flush()
    return .done
  }
}

/// The manual page in roff, generated from the sources of `--help`, `/help` and `/set`.
struct ManualPage {
  private var text = ""

  static func text() throws -> String {
    let program = try CommandDescription.program()
    var page = ManualPage()
    page.writeHead(program)
    page.writeCommands(program.subcommands ?? [])
    page.section("IN THE WINDOW")
    page.writeLines(HelpText.commandLines)
    page.section("KEYS")
    page.paragraph(
      "All keys are functions of GNU readline, which an inputrc can bind to others between `$if scrollback` and `$endif`:"
    )
    page.writeLines(HelpText.functionLines)
    page.section("SETTINGS")
    page.paragraph(
      "/set shows and changes settings, and keeps them in $XDG_CONFIG_HOME/scrollback/config (~/.config without it), in lines of "
        + "`name = value`. Other lines of that file stay as they are; unknown names are reported when a window opens."
    )
    for setting in ReplSetting.all {
      page.item(
        setting.name + (setting.values.map { " = " + $0.joined(separator: " | ") } ?? ""), setting.summary)
    }
    page.writeTail(program)
    return page.text
  }

  private mutating func writeHead(_ command: CommandDescription) {
    text += ".TH SCROLLBACK 1 \"\" \"scrollback \(Scrollback.version)\" \"User Commands\"\n"
    section("NAME")
    text += "scrollback \\- \(Self.escaped(command.abstract ?? ""))\n"
    section("SYNOPSIS")
    text += ".B scrollback\n[\\fIcommand\\fR] [\\fIoptions\\fR]\n"
    section("DESCRIPTION")
    paragraph(
      "Scrollback keeps the histories of messengers, chat logs and coding assistants in one SQLite file. It imports their exports, "
        + "and shows any point of them at once: in a window of the terminal, to pipes and scripts, in a browser, and to agents. "
        + "Without a command it opens the window where you left it."
    )
    paragraph(
      "Each command has its options below; `scrollback COMMAND --help` shows them, too. Pages that are called docs/NAME.md here are "
        + "installed, and `scrollback help docs/NAME.md` shows them."
    )
  }

  /// The commands by subject. Those that are in none come last.
  private static let subjects: KeyValuePairs = [
    "READING": [
      "open", "demo", "tail", "search", "show", "threads", "links", "files", "pictures", "onthisday",
      "conversations", "senders", "people", "stats", "filters", "query", "sql",
    ],
    "IMPORTING AND FOLLOWING": ["import", "imports", "undo", "follow", "sources"],
    "SESSIONS OF ASSISTANTS": ["assistants", "sessions", "usage", "resume", "mcp"],
    "WRITING": ["append", "edit", "delete", "star", "unstar", "attach"],
    "EXPORTING AND SHARING": ["export", "save", "secrets", "serve", "publish", "sync"],
    "UPKEEP OF THE STORE": ["check", "compact", "backup", "restore", "salvage", "migrate"],
  ]

  private mutating func writeCommands(_ commands: [CommandDescription]) {
    var rest = commands
    for (subject, names) in Self.subjects {
      section(subject)
      for name in names {
        guard let place = rest.firstIndex(where: { $0.commandName == name }) else { continue }
        write(rest.remove(at: place), below: [])
      }
    }
    section("OTHER COMMANDS")
    for command in rest { write(command, below: []) }
  }

  private mutating func writeTail(_ command: CommandDescription) {
    section("EXAMPLES")
    write(discussion: (command.discussion ?? "").replacing("Examples:\n", with: ""))
    section("FILES")
    item(
      "~/.local/share/scrollback/scrollback.db",
      "the store, unless --store or $SCROLLBACK_STORE name another; below $XDG_DATA_HOME if that is set")
    item("~/.config/scrollback/config", "the settings; below $XDG_CONFIG_HOME if that is set")
    item(
      "~/.local/state/scrollback/",
      "the lines that were typed, and which conversation was open last; below $XDG_STATE_HOME if that is set")
    item(
      "PREFIX/share/doc/scrollback/",
      "the pages that are called docs/NAME.md here (PREFIX is /usr/local or /usr)")
    section("ENVIRONMENT")
    item("SCROLLBACK_STORE", "the path of the store")
    item("PAGER", "shows long output on a terminal (less -RFX); empty or cat for none")
    item("NO_COLOR", "no colours, unless --color always")
    item(
      "SCROLLBACK_PICTURES",
      "how the terminal shows pictures: kitty, sixels, iterm or blocks (detected by $TERM and $TERM_PROGRAM)")
    item("VISUAL, EDITOR", "opens the line being typed")
    section("EXIT STATUS")
    for (status, meaning) in ExitStatus.meanings { item(status, meaning) }
  }

  private mutating func write(_ command: CommandDescription, below names: [String]) {
    guard command.commandName != "help" else { return }
    let names = names + [command.commandName]
    text += ".SS scrollback \(Self.escaped(names.joined(separator: " ")))\n"
    paragraph(command.abstract ?? "")
    write(discussion: command.discussion ?? "")
    for argument in command.arguments ?? [] where argument.shouldDisplay {
      let value = argument.defaultValue.map { " (default: \($0))" } ?? ""
      item(argument.usage, (argument.abstract ?? "") + value)
    }
    for below in command.subcommands ?? [] { write(below, below: names) }
  }

  /// Writes prose as paragraphs and indented lines verbatim.
  private mutating func write(discussion: String) {
    for part in discussion.split(separator: "\n\n") {
      let lines = part.split(separator: "\n").map(String.init)
      let examples = lines.drop { !$0.hasPrefix("  ") }
      let prose = lines.dropLast(examples.count).joined(separator: " ")
      if !prose.isEmpty { paragraph(prose) }
      if !examples.isEmpty { writeLines(examples.map { String($0.dropFirst(2)) }) }
    }
  }

  private mutating func section(_ title: String) { text += ".SH \(title)\n" }

  private mutating func paragraph(_ words: String) { text += ".PP\n\(Self.escaped(words))\n" }

  private mutating func item(_ name: String, _ words: String) {
    text += ".TP\n.B \"\(Self.escaped(name).replacing("\"", with: "\\(dq"))\"\n\(Self.escaped(words))\n"
  }

  private mutating func writeLines(_ lines: some Sequence<String>) {
    text += ".PP\n.nf\n.RS 2\n" + lines.map { Self.escaped($0) + "\n" }.joined() + ".RE\n.fi\n"
  }

  /// Escapes characters with a meaning in roff, and a leading period.
  private static func escaped(_ text: String) -> String {
    let safe = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
      .replacing("`", with: "\\(ga").replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
    return safe.hasPrefix(".") ? "\\&" + safe : safe
  }
}
