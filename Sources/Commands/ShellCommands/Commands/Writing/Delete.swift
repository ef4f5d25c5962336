internal import ArgumentParser
internal import ChatSession
internal import MessageStorage
internal import TerminalText

struct Delete: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "delete",
    abstract: "Delete messages.",
    discussion: """
      Importing their history again does not bring them back; only a backup made before does.

      Their text may stay in unused parts of the store, in its search index and in backups, until \
      `scrollback compact --secure` rewrites the store; backups and exports made before keep it.

      Example:
        scrollback delete '#7022857543691537'
      """)

  @OptionGroup var messages: ChangedMessages

  func run(in shell: Shell) throws -> ExitStatus {
    try messages.change(in: shell) { store, ids, console in
      console.note("deleted \(NumberText.counted(try store.delete(ids).ids.count, "message"))")
    }
  }
}
