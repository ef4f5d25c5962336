internal import ArgumentParser
internal import ChatSession
internal import MessageModel
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

      Examples:
        scrollback delete --leave-note '#7022857543691537'
        scrollback delete '#7022857543691537'
      """)

  @Flag(help: "Remove only the contents, overwrite them, and show the messages as deleted by you.")
  var leaveNote = false

  @OptionGroup var messages: ChangedMessages

  func run(in shell: Shell) throws -> ExitStatus {
    try messages.change(in: shell) { store, ids, console in
      guard !leaveNote else {
        try store.redact(ids, by: shell.userName.map { SenderKey(name: $0) })
        return console.note("removed the contents of \(NumberText.counted(ids.count, "message"))")
      }
      console.note("deleted \(NumberText.counted(try store.delete(ids).ids.count, "message"))")
    }
  }
}
