internal import ArgumentParser
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `restore`: puts a backup in the place of the store.
struct Restore: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in the place of the store.",
    discussion: "What is no sound store is refused; the store stays as it was then.")

  @Argument(help: "The backup.") var file: String
  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let path = common.path(in: shell)
    let count = try SynchronousMessageStore.restore(file, to: path)
    common.console(in: shell).note(
      "restored \(NumberText.counted(count, "message")) to \(VisibleText.of(path))")
    return .done
  }
}
