internal import ArgumentParser
internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

struct Export: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write messages out of the store.",
    discussion: """
      Examples:
        scrollback export --format jsonl -o backup.jsonl
        scrollback export -c general --newest-first --limit 100
      """)

  @Option(
    help: ArgumentHelp(
      "The format: \(ExportFormats.names.joined(separator: ", ")).", valueName: "name"))
  var format: String?

  @Flag(help: "The same as --format jsonl.")
  var json = false

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("Write to a file (- is standard output).", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Write what is attached into a folder, and name it by that.", valueName: "dir"))
  var attachments: String?

  @Flag(help: "Interleave all conversations by time.")
  var merge = false

  @Flag(help: "In tables, defuse what a spreadsheet would take for a formula.")
  var defuse = false

  @OptionGroup var filter: FilterOptions
  @OptionGroup var window: WindowOptions
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if json, let format, format != "jsonl" {
      throw ValidationError("--json is --format jsonl, not --format \(format)")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try MessageStore(path: common.path(in: shell), options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let console = common.console(in: shell)
    let file = output == "-" ? nil : output
    let choice = conversation.choice(otherwise: .all)
    let naming: PrintedText.Naming =
      try !choice.isOfSeveral(in: store) ? .none : merge ? .inLines : .headings
    let printing = console.printing(zone: try common.zone(in: shell), naming: naming, isFile: file != nil)
    let options = ExportOptions(timeZone: printing.zone, defusesFormulas: defuse)
    let name = format ?? (json ? "jsonl" : "text")
    let format: any ExportFormat =
      name == "text" ? PrintedText(printing) : try ExportFormats.named(name, options: options)
    let command = ExportCommand(
      choice: choice, predicate: try filter.predicate(in: store, common, shell),
      order: window.order, limit: window.limit,
      offset: window.offset, merges: merge, attachments: attachments, output: file)
    return try command.run(store, format: format, console, in: shell)
  }
}
