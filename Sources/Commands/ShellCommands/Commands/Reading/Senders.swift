internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct Senders: ParsableCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "senders",
    abstract: "List who wrote: name and messages.",
    discussion: """
      Examples:
        scrollback senders
        scrollback senders alias alice_ alice
      """,
    subcommands: [List.self, Alias.self], defaultSubcommand: List.self)

  struct List: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "list", abstract: "List who wrote: name and messages.",
      discussion: """
        Examples:
          scrollback senders
          scrollback senders -c general --json
        """)

    @OptionGroup var pager: PagerOption
    @OptionGroup var json: JSONOption
    @OptionGroup var conversation: ConversationOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let choice = conversation.choice(otherwise: .all)
      return try common.list(in: shell, as: json, by: pager, otherwise: "there are no senders") { store in
        let selection = try choice.selection(in: store)
        return try QuestionAnswerer(store).senders(in: selection.conversations).senders
      } table: {
        Self.table(of: $0, $1)
      }
    }

    private static func table(of senders: [SenderAnswer], _ layout: TableLayout) -> String {
      let rows = senders.map { sender in
        [
          Span(VisibleText.of(sender.name), .sender(SafeText.oneLine(sender.name))),
          Span(NumberText.grouped(sender.messages)),
          Span(sender.aliasOf.map { "also \(VisibleText.of($0))" } ?? "", .dim),
        ]
      }
      return TextTable.text(rows, alignsRight: [1], layout: layout, cutting: [2, 0])
    }
  }

  struct Alias: ShellCommand {
    static let configuration = CommandConfiguration.ofShell(
      commandName: "alias",
      abstract: "Make one name an alias of another.",
      discussion: """
        A name given as its own alias stops being an alias.

        Example:
          scrollback senders alias alice_ alice
        """)

    @Argument(help: "The alias.", completion: ValueCompletions.senders) var name: String
    @Argument(help: "The name that it stands for.", completion: ValueCompletions.senders) var other: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      try common.change(in: shell) { store, _ in try store.setAlias(name, of: other) }
    }
  }
}
