internal import ArgumentParser
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `undo`: takes an import back.
struct Undo: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take an import back whole.",
    discussion: "Its messages go without a trace, so that they can be imported again in another way.")

  @Argument(help: ArgumentHelp("The number of the import, as `imports` lists it.", valueName: "import"))
  var number: Int64

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try common.writableStore(in: shell)
    defer { store.close() }
    shell.listenForInterruption()
    let console = common.console(in: shell)
    let count = try LongWork.run(console) { try store.undoImport(number, progress: $0) }
    console.note("took back \(NumberText.counted(count, "message")) of import \(number)")
    return .done
  }
}
