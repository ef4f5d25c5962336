internal import ArgumentParser
internal import MessageModel
internal import MessageShell
internal import MessageStorage

struct Filters: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "List the saved filters with their totals; save and delete them.",
    discussion: """
      Examples:
        scrollback filters save teatime --from alice --matching tea
        scrollback filters
        scrollback tail --filter teatime
      """,
    subcommands: [List.self, Save.self, Delete.self], defaultSubcommand: List.self)

  struct List: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the saved filters: name, messages, what they let through.")

    @Flag(help: "Print JSON, an object a line.")
    var json = false

    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try MessageStore(path: common.path(in: shell), options: .reading)
      defer { store.close() }
      let filters = try store.savedFilters()
      let console = common.console(in: shell)
      console.write(json ? FiltersCommand.json(of: filters) : FiltersCommand.table(of: filters))
      console.flush()
      return .done
    }
  }

  struct Save: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "save",
      abstract: "Save a filter by a name.",
      discussion: """
        Its total and the numbers of its messages are kept from then on. What is there already is counted now; if that
        is interrupted, saving the same again carries on. Times such as -2h are those of now.
        """)

    @Argument(help: "Its name.") var name: String
    @Argument(help: "Filters as /filter takes them: from:alice has:link text …") var words: [String] = []
    @OptionGroup var filter: FilterOptions
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try common.writableStore(in: shell)
      defer { store.close() }
      var meaning = filter.meaning
      if !words.isEmpty { meaning.add(try MessageFilter(words: words.joined(separator: " "))) }
      var clock = WallClock(zone: try common.zone(in: shell))
      let predicate = try meaning.predicate(in: store, now: shell.now(), clock: &clock)
      shell.listenForInterruption()
      return try FiltersCommand.save(name, meaning.words, predicate, store, common.console(in: shell))
    }
  }

  struct Delete: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Forget a saved filter. No message is touched.")

    @Argument(help: "Its name.") var name: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try common.writableStore(in: shell)
      defer { store.close() }
      try store.deleteFilter(named: name)
      return .done
    }
  }
}
