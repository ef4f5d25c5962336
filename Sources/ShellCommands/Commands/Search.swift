internal import ArgumentParser
internal import Foundation
internal import MessageModel
internal import MessageShell
internal import MessageStorage

struct Search: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find messages, newest first.",
    discussion: """
      A query is words that must all be there, "phrases", prefixes*, OR, -without. Case and accents do not matter.
      Exit code 1 says that nothing was found.

      Examples:
        scrollback search 'release notes'
        scrollback search '"release notes" -draft' -c general --context 3
        scrollback search --regex 'v[0-9]+\\.[0-9]+'
      """)

  @Argument(help: "What to look for; several arguments are one query.")
  var query: [String]

  @Flag(help: "Look for a regular expression (Perl's) instead of words.")
  var regex = false

  @Option(help: ArgumentHelp("Only hits that this full-text query finds, too.", valueName: "query"))
  var matching: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show so many messages around each hit.", valueName: "n"))
  var context = 0

  @Option(parsing: .unconditional, help: ArgumentHelp("The most hits to show.", valueName: "n"))
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Skip so many first, from the end that comes first.", valueName: "n"))
  var offset = 0

  @Flag(exclusivity: .exclusive)
  var direction = WindowOptions.Direction.newestFirst

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @OptionGroup var filter: FactFilterOptions
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if context < 0 { throw ValidationError("--context must be 0 or more") }
    if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more") }
    if offset < 0 { throw ValidationError("--offset must be 0 or more") }
    if context > 0, direction == .oldestFirst {
      throw ValidationError("--context is for hits from the newest on, not for --oldest-first")
    }
    if json, context > 0 { throw ValidationError("--context is for text, not for --json") }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let threads = regex ? shell.processorCount : 1
    let store = try MessageStore(
      path: common.path(in: shell), options: StoreOptions(access: .readOnly, readerCount: threads))
    defer { store.close() }
    shell.listenForInterruption()
    let text = query.joined(separator: " ")
    let command = SearchCommand(
      choice: conversation.choice(otherwise: .all), pattern: regex ? .regex(text) : .words(text),
      predicate: try filter.predicate(in: store, common, shell, query: matching), order: direction.order,
      limit: limit,
      offset: offset, context: context)
    let console = common.console(in: shell)
    let status =
      json
      ? try command.runJSON(store, console)
      : try command.run(store, zone: try common.zone(in: shell), console)
    return DamageReport.status(status, after: store, console)
  }
}
