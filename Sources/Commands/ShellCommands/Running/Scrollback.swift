internal import ArgumentParser

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
      Files.self, Pictures.self, OnThisDay.self, Threads.self, Sessions.self, Show.self, Query.self,
      Edit.self, Delete.self, Star.self, Unstar.self, Attach.self, Save.self, Migrate.self,
      Conversations.self, Senders.self, People.self, Filters.self, Stats.self, SQL.self, Check.self,
      Compact.self, Backup.self, Restore.self, Sync.self, Salvage.self, Serve.self, AgentContext.self,
      Resume.self, Completions.self, Manual.self,
    ],
    defaultSubcommand: Open.self)
}
