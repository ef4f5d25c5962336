internal import ArgumentParser
internal import MessageShell
internal import MessageStorage

struct Imports: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "imports",
    abstract: "List the imports, as `undo` takes them back.")

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try MessageStore(path: common.path(in: shell), options: .reading)
    defer { store.close() }
    let command = ImportsCommand(timeZone: try common.zone(in: shell))
    let imports = try store.imports()
    let console = common.console(in: shell)
    console.write(json ? command.json(of: imports) : command.table(of: imports))
    console.flush()
    return .done
  }
}

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
    try ImportsCommand.undo(number, store, common.console(in: shell))
    return .done
  }
}
