internal import ArgumentParser
internal import HistoryQueries
internal import MessageShell
internal import MessageStorage

struct Stats: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show counts, sizes on disk and memory.",
    discussion: """
      With -c, counts of these conversations alone.

      Examples:
        scrollback stats
        scrollback stats -c general --json
      """)

  @Flag(help: "Tell what texts, search index and the rest take on disk. Reads the whole store.")
  var sizes = false

  @OptionGroup var json: JSONOption
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if sizes, !conversation.conversation.isEmpty {
      throw ValidationError("--sizes is for the whole store, not for -c")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    let store = try SynchronousMessageStore(path: common.path(in: shell), options: .reading)
    defer { store.close() }
    let console = common.console(in: shell)
    let queries = HistoryQueries(store)
    let conversations = try conversation.choice(otherwise: .all).selection(in: store).conversations
    if conversations == .all {
      let figures = try queries.statistics(withSizes: sizes)
      try console.write(figures, asJSON: json.json, text: StatisticsTable.text)
    } else {
      try console.write(queries.statistics(of: conversations), asJSON: json.json, text: StatisticsTable.text)
    }
    console.flush()
    return .done
  }
}
