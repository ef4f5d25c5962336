internal import ArgumentParser
internal import MessageShell
internal import MessageStorage

struct Show: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show whole messages with everything known about them.",
    discussion: """
      Example:
        scrollback show '#7022857543691537'
      """)

  @Argument(help: ArgumentHelp("Ids of messages.", valueName: "id"))
  var ids: [String]

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed(ids)
    let store = try MessageStore(path: common.path(in: shell), options: .reading)
    defer { store.close() }
    let command = ShowCommand(timeZone: try common.zone(in: shell), asJSON: json)
    let console = common.console(in: shell)
    return DamageReport.status(try command.run(store, ids, console), after: store, console)
  }
}
