internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Filters: ParsableCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "filters",
    abstract: "List the saved filters with their totals; save and delete them.",
    discussion: """
      Examples:
        scrollback filters save teatime --from alice --matching tea
        scrollback filters
        scrollback tail --filter teatime --all
      """,
    subcommands: [List.self, Save.self, Delete.self], defaultSubcommand: List.self)

  struct List: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "list",
      abstract: "List the saved filters: name, messages, condition.",
      discussion: """
        Example:
          scrollback filters
        """)

    @OptionGroup var pager: PagerOption
    @OptionGroup var json: JSONOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let note = "no filter is saved; scrollback filters save NAME QUERY saves one"
      return try common.list(in: shell, as: json, by: pager, otherwise: note) { store in
        try QuestionAnswerer(store).filters().filters
      } table: {
        FiltersCommand.table(of: $0, $1)
      }
    }
  }

  struct Save: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "save",
      abstract: "Save a filter by a name.",
      discussion: """
        Its total is kept up to date from then on. Present messages are counted now; if that is interrupted, saving \
        it again continues. Times such as -2h are resolved now.

        Examples:
          scrollback filters save teatime --from alice --matching tea
          scrollback filters save pictures has:attachment
        """)

    @Argument(help: "Its name.") var name: String
    @Argument(help: "A query: from:alice has:link since:2024 …") var words: [String] = []
    @OptionGroup var filter: FilterOptions
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try common.writableStore(in: shell)
      defer { store.close() }
      let typed = try MessageQuery(reading: MessageQuery.saying(words.joined(separator: " ")))
      let query = try filter.query(with: typed)
      let predicate = try common.predicate(query, in: store, shell)
      shell.listenForInterruption()
      return try FiltersCommand.save(name, query?.text ?? "", predicate, store, common.console(in: shell))
    }
  }

  struct Delete: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "delete",
      abstract: "Forget a saved filter. No message is touched.",
      discussion: """
        Example:
          scrollback filters delete links
        """)

    @Argument(help: "Its name.", completion: ValueCompletions.savedFilters) var name: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.change(in: shell) { store, _ in try store.deleteFilter(named: name) }
    }
  }
}

enum FiltersCommand {
  /// A `~` stands before an estimated count.
  static func table(of filters: [FilterAnswer], _ layout: TableLayout) -> String {
    let rows = filters.map { filter in
      [
        VisibleText.of(filter.name), (filter.exact ? "" : "~") + NumberText.grouped(filter.messages),
        VisibleText.of(filter.filter), filter.countedPercent.map { "(\($0) % counted)" } ?? "",
      ]
    }
    return TextTable.text(rows, alignsRight: [1], layout: layout, cutting: [2, 0])
  }

  /// Ctrl-C stops the counting of present messages; saving the filter again resumes it.
  static func save(
    _ name: String, _ words: String, _ predicate: MessagePredicate, _ store: SynchronousMessageStore,
    _ console: Console
  ) throws -> ExitStatus {
    try FilterName.check(name)
    if predicate == .everything {
      throw UsageError(
        "'\(VisibleText.of(name))' matches every message",
        remedy: "scrollback filters save \(ShellWord.quoted(name)) --from alice --has link")
    }
    try store.saveFilter(named: name, words: words, predicate: predicate)
    var meter = ProgressMeter(console)
    defer { meter.clear() }
    let filter = try store.countMessages(ofFilter: name) { seen, all in
      meter.show(seen, unit: "messages", done: Int64(seen), of: Int64(all))
      return !Interruption.isAskedFor
    }
    meter.clear()
    console.note("saved '\(VisibleText.of(name))': \(NumberText.counted(filter.total, "message"))")
    return CostlyMessages.tell(of: store, console, else: .done)
  }
}
