internal import ArgumentParser
internal import ChatSession
internal import MessageInterchange
internal import MessageModel
internal import MessagePictures
internal import MessageStorage

struct Scrollback: ParsableCommand {
  static let version = "1.0.0"

  static let configuration = CommandConfiguration(
    commandName: "scrollback",
    abstract: "Keeps whole chat histories in one file and scrolls them as if all were in memory.",
    discussion: """
      Examples:
        scrollback import logs.tar.xz          import a history
        scrollback                             read it
        scrollback demo                        try it with a made-up history
        scrollback -c general                  read one conversation
        scrollback export --format jsonl       write everything out again
        scrollback help docs/formats.md        show a page that help names
        make 2>&1 | scrollback append -c builds --from make --create
      """,
    version: version,
    subcommands: [
      Open.self, Demo.self, Import.self, Imports.self, Undo.self, Follow.self, Sources.self, Assistants.self,
      Export.self, Publish.self, Append.self, Tail.self, Search.self, Secrets.self, Links.self,
      Files.self, Pictures.self, OnThisDay.self, Threads.self, Sessions.self, Usage.self, Show.self,
      Query.self,
      Edit.self, Delete.self, Star.self, Unstar.self, Attach.self, Save.self, Migrate.self,
      Conversations.self, Senders.self, People.self, Filters.self, Stats.self, SQL.self, Check.self,
      Compact.self, Backup.self, Restore.self, Sync.self, Salvage.self, Serve.self, AgentContext.self,
      Resume.self, Completions.self, Manual.self,
    ],
    defaultSubcommand: Open.self)
}

enum CommandNames {
  static let all = Set(Scrollback.configuration.subcommands.compactMap { $0._commandName })

  /// Parses the arguments directly as the command they name; `nil` if that fails. Parsing from the root also
  /// visits the root and its default command: a third of the work of parsing. Help and errors still go
  /// through the root.
  static func parsed(_ arguments: [String]) -> (any ParsableCommand)? {
    let named = arguments.first.flatMap { first in
      Scrollback.configuration.subcommands.first { $0._commandName == first }
    }
    guard arguments.first != "help", named?.configuration.subcommands.isEmpty != false,
      !arguments.contains(where: { ["-h", "--help", "--version"].contains($0) })
    else { return nil }
    let type = named ?? Open.self
    let parsed = try? type.parseAsRoot(named == nil ? arguments : Array(arguments.dropFirst()))
    // A result of another type is a request for help.
    return parsed.flatMap { Swift.type(of: $0) == type ? $0 : nil }
  }

  /// The error for `help` about an unknown command or page; `nil` for other arguments. ArgumentParser would
  /// print the help of the last command that it knows.
  static func unknown(inHelp arguments: [String]) -> UsageError? {
    guard arguments.first == "help" else { return nil }
    var types = Scrollback.configuration.subcommands
    var pages = HelpPage.names
    for name in arguments.dropFirst() where !name.hasPrefix("-") && name != "help" {
      guard let type = types.first(where: { $0._commandName == name }) else {
        let near = Nearest.name(to: name, among: types.map { $0._commandName }.sorted() + pages)
        return UsageError(
          "no command '\(VisibleText.of(name, keepsTabs: false))'",
          cause: near.map { "did you mean '\($0)'?" }, remedy: "scrollback --help")
      }
      types = type.configuration.subcommands
      pages = []
    }
    return nil
  }

  /// The error for arguments that cannot be parsed because of a mistyped command. ArgumentParser would take
  /// its name for a conversation, and complain about the next argument.
  static func mistake(in arguments: [String], otherwise error: UsageError) -> UsageError {
    if let mistake = mistake(inCommandsOf: arguments) { return mistake }
    guard let name = possibleCommand(in: arguments) else { return error }
    if let near = nearMistake(name) { return near }
    guard arguments.dropFirst().first?.hasPrefix("-") == false else { return error }
    return UsageError(
      "no command '\(VisibleText.of(name, keepsTabs: false))'", cause: error.summary,
      remedy: "scrollback --help")
  }

  /// The error for an unknown command below one that has several: `filters sav`. ArgumentParser would take its
  /// name for an argument of the default command.
  private static func mistake(inCommandsOf arguments: [String]) -> UsageError? {
    guard arguments.count > 1, !arguments[1].hasPrefix("-"),
      let group = Scrollback.configuration.subcommands.first(where: { $0._commandName == arguments[0] })
    else { return nil }
    let names = group.configuration.subcommands.map { $0._commandName }
    guard !names.isEmpty, !names.contains(arguments[1]) else { return nil }
    return UsageError(
      "\(arguments[0]) has no command '\(VisibleText.of(arguments[1], keepsTabs: false))'",
      cause: Nearest.name(to: arguments[1], among: names).map { "did you mean '\($0)'?" },
      remedy: .words("scrollback \(arguments[0]) --help"))
  }

  /// The error for a first word that is neither a command nor a conversation; `nil` if it is not about that.
  static func mistake(in arguments: [String], after error: any ExplainedError) -> UsageError? {
    guard let name = possibleCommand(in: arguments) else { return nil }
    let shown = VisibleText.of(name, keepsTabs: false)
    switch ExitStatus(error) {
    // A similar name of a conversation is the cause of a name that is not found.
    case .nothingFound where error.cause == nil:
      return nearMistake(name)
        ?? UsageError(
          "no command or conversation '\(shown)'", remedy: "scrollback --help", status: .nothingFound)
    case .noSuchFile where arguments.count == 1:
      return nearMistake(name)
        ?? UsageError(
          "no command '\(shown)', and no store with a conversation of that name", cause: error.summary,
          remedy: "scrollback --help", status: .noSuchFile)
    default: return nil
    }
  }

  /// The first argument if it is no command, but looks like one.
  private static func possibleCommand(in arguments: [String]) -> String? {
    arguments.first.flatMap {
      $0.hasPrefix("-") || $0.hasPrefix("@") || $0 == "*" || all.contains($0) ? nil : $0
    }
  }

  private static func nearMistake(_ name: String) -> UsageError? {
    Nearest.name(to: name, among: all.sorted()).map {
      UsageError("no command '\(name)'", cause: "did you mean '\($0)'?", remedy: "scrollback --help")
    }
  }
}

/// The versions that `--version` prints.
package struct Build: Sendable {
  /// Empty if unknown.
  package var commit = ""
  /// Names and versions of libraries that only the executable links.
  package var libraries: [String] = []

  var text: String {
    var parts = StoreLibraries.versions + [ArchiveLibrary.version].compactMap(\.self) + libraries
    if PictureSupport.maker != nil { parts.append("pictures") }
    let form = "store schema \(StoreLibraries.schemaVersion)"
    return ((commit.isEmpty ? [] : ["commit \(commit)"]) + [form, parts.joined(separator: " · ")])
      .joined(separator: "\n")
  }
}
