internal import ArgumentParser
internal import ChatSession
internal import MessageInterchange
internal import MessageModel
internal import MessagePictures
internal import MessageStorage

struct Scrollback: ParsableCommand {
  static let version = "0.2.0"

  static let configuration = CommandConfiguration(
    commandName: "scrollback",
    abstract: "Keeps whole chat histories in one file and scrolls them as if all were in memory.",
    discussion: """
      Examples:
        scrollback import logs.tar.xz          import a history
        scrollback                             read it
        scrollback -c general                  read one conversation
        scrollback export --format jsonl       write everything out again
        make 2>&1 | scrollback append -c builds --from make --create
      """,
    version: version,
    subcommands: [
      Open.self, Import.self, Imports.self, Undo.self, Follow.self, Sources.self, Assistants.self,
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

  /// The error for `help` about an unknown command; `nil` for other arguments. ArgumentParser would print the
  /// help of the last command that it knows.
  static func unknown(inHelp arguments: [String]) -> UsageError? {
    guard arguments.first == "help" else { return nil }
    var types = Scrollback.configuration.subcommands
    for name in arguments.dropFirst() where !name.hasPrefix("-") && name != "help" {
      guard let type = types.first(where: { $0._commandName == name }) else {
        let near = Nearest.name(to: name, among: types.map { $0._commandName }.sorted())
        return UsageError(
          "no command '\(VisibleText.of(name, keepsTabs: false))'",
          cause: near.map { "did you mean '\($0)'?" }, remedy: "scrollback --help")
      }
      types = type.configuration.subcommands
    }
    return nil
  }

  /// The error for a mistyped command. ArgumentParser would take its name for a conversation, and complain
  /// about the next argument.
  static func mistake(in arguments: [String]) -> UsageError? {
    guard let name = arguments.first, !name.hasPrefix("-"), !all.contains(name),
      let near = Nearest.name(to: name, among: all.sorted())
    else { return nil }
    return UsageError("no command '\(name)'", cause: "did you mean '\(near)'?", remedy: "scrollback --help")
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
