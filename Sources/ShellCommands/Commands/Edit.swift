internal import ArgumentParser
internal import MessageShell
internal import MessageStorage
internal import TerminalText

struct Edit: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Give a message another text; the old one is kept in its history.",
    discussion: """
      Example:
        scrollback edit '#7022857543691537' Buy milk and bread
      """)

  @Argument(help: ArgumentHelp("The message.", valueName: "id"))
  var id: String

  @Argument(help: ArgumentHelp("Its new text; several words are joined by spaces.", valueName: "text"))
  var text: [String]

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed([id])
    let store = try common.writableStore(in: shell)
    defer { store.close() }
    for id in ids { try store.edit(id, text: text.joined(separator: " ")) }
    return .done
  }
}

struct Delete: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete messages.",
    discussion: """
      Importing their history again does not bring them back.

      Their text may stay in unused parts of the store, in its search index and in backups, until
      `scrollback compact --secure` writes the store anew; backups and exports made before keep it.
      """)

  @Argument(help: ArgumentHelp("Ids of messages.", valueName: "id"))
  var ids: [String]

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed(ids)
    let store = try common.writableStore(in: shell)
    defer { store.close() }
    let deleted = try store.delete(ids)
    common.console(in: shell).note("deleted \(NumberText.counted(deleted.ids.count, "message"))")
    return .done
  }
}
