internal import ArgumentParser
internal import ChatSession
internal import HistoryModel
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Undo: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "undo",
    abstract: "Undo an import: remove all its messages.",
    discussion: """
      Afterwards the same files can be imported again, with other options. Edits, reactions and files that you added \
      to these messages are lost, except in a backup. On a terminal you are asked first.

      Examples:
        scrollback imports
        scrollback undo 1
      """)

  @Argument(
    help: ArgumentHelp("The number of the import, as `imports` lists it.", valueName: "import"),
    completion: ValueCompletions.imports)
  var number: Int64

  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    try common.change(in: shell) { store, console in
      if let one = try store.imports(after: number - 1, limit: 1).first, one.id == number {
        try confirmation.ask(Self.plan(one), in: shell, console)
      }
      shell.listenForInterruption()
      let count = try LongWork.run(console) { try store.undoImport(number, progress: $0) }
      console.note("removed \(NumberText.counted(count, "message")) of import \(number)")
    }
  }

  private static func plan(_ one: StoredImport) -> [String] {
    let brought = NumberText.counted(one.addedCount, "message")
    return [
      "This removes import \(one.id) ('\(VisibleText.of(one.description.name, keepsTabs: false))'), "
        + "which brought \(brought).",
      "Your edits, reactions and files on them are lost, even if you import again.",
    ]
  }
}
