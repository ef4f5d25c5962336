internal import ArgumentParser
internal import MessageInterchange
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

struct Tail: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail",
    abstract: "Show the newest messages.",
    discussion: """
      Examples:
        scrollback tail -n 50 -c general
        scrollback tail -f --all
      """)

  @Option(
    name: [.customShort("n"), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("How many (a screen, or 10 when piped).", valueName: "count"))
  var count: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Pass over so many of the newest.", valueName: "count"))
  var offset = 0

  @Flag(exclusivity: .exclusive)
  var direction = WindowOptions.Direction.oldestFirst

  @Flag(name: [.short, .long], help: "Go on with those that come in.")
  var follow = false

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @OptionGroup var filter: FilterOptions
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let count, count < 0 { throw ValidationError("-n must be 0 or more") }
    if offset < 0 { throw ValidationError("--offset must be 0 or more") }
    if follow, offset > 0 || direction == .newestFirst {
      throw ValidationError("--follow goes on at the newest end: without --offset and --newest-first")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let console = common.console(in: shell)
    let store = try MessageStore(path: common.path(in: shell), options: .reading)
    defer { store.close() }
    let choice = conversation.choice(otherwise: .only)
    let command = TailCommand(
      choice: choice, predicate: try filter.predicate(in: store, common, shell),
      count: count.map { .messages($0) } ?? console.size.map { .rows($0.rows - 1) } ?? .messages(10),
      offset: offset, order: direction.order, follows: follow)
    let naming: PrintedText.Naming = try choice.isOfSeveral(in: store, mayGrow: follow) ? .inLines : .none
    let format: any ExportFormat =
      json
      ? try ExportFormats.named("jsonl")
      : PrintedText(console.printing(zone: try common.zone(in: shell), naming: naming))
    let status = try command.run(store, format: format, console)
    return DamageReport.status(status, after: store, console)
  }
}
