internal import ArgumentParser
internal import HistoryQueries
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

struct Senders: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "senders",
    abstract: "List who wrote: name and messages.",
    subcommands: [List.self, Alias.self], defaultSubcommand: List.self)

  struct List: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List who wrote: name and messages.")

    @Flag(help: "Print JSON, an object a line.")
    var json = false

    @OptionGroup var conversation: ConversationOption
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try SynchronousMessageStore(path: common.path(in: shell), options: .reading)
      defer { store.close() }
      let selection = try conversation.choice(otherwise: .all).selection(in: store)
      let senders = try HistoryQueries(store).senders(in: selection.conversations).senders
      let console = common.console(in: shell)
      if json {
        try console.write(answers: senders)
      } else {
        console.write(styled: Self.table(of: senders, encoder: console.encoder))
      }
      console.flush()
      return .done
    }

    /// Returns a table with a line per sender: name, messages and whose alias it is.
    private static func table(of senders: [SenderAnswer], encoder: StyleEncoder) -> String {
      let rows = senders.map { sender in
        [
          Span(VisibleText.of(sender.name), .sender(SafeText.oneLine(sender.name))),
          Span(NumberText.grouped(sender.messages)),
          Span(sender.aliasOf.map { "also \(VisibleText.of($0))" } ?? "", .dim),
        ]
      }
      return TextTable.text(rows, alignsRight: [1], encoder: encoder)
    }
  }

  struct Alias: ShellCommand {
    static let configuration = CommandConfiguration(
      commandName: "alias",
      abstract: "Say that one name is another name of somebody.",
      discussion: "A name given as its own alias is nobody's alias any more.")

    @Argument(help: "The other name.") var name: String
    @Argument(help: "The name of somebody.") var other: String
    @OptionGroup var common: CommonOptions

    func run(in shell: Shell) throws -> ExitStatus {
      let store = try common.writableStore(in: shell)
      defer { store.close() }
      try store.setAlias(name, of: other)
      return .done
    }
  }
}
