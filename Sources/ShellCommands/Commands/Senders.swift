internal import ArgumentParser
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
      let senders = try store.senders(in: selection.conversations)
      let console = common.console(in: shell)
      console.write(
        styled: json
          ? SendersCommand.json(of: senders) : SendersCommand.table(of: senders, encoder: console.encoder))
      console.flush()
      return .done
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

/// `senders`: lists who wrote, and under which names.
enum SendersCommand {
  /// Returns a table with a line per sender: name, messages and whose alias it is.
  static func table(of senders: [SenderSummary], encoder: StyleEncoder = .plain) -> String {
    let names = Dictionary(uniqueKeysWithValues: senders.map { ($0.sender.id, $0.sender.name) })
    let rows = senders.map { summary in
      [
        Span(VisibleText.of(summary.sender.name), .sender(SafeText.oneLine(summary.sender.name))),
        Span(NumberText.grouped(summary.messageCount)),
        Span(summary.aliasOf.map { "also \(VisibleText.of(names[$0] ?? "?"))" } ?? "", .dim),
      ]
    }
    return TextTable.text(rows, alignsRight: [1], encoder: encoder)
  }

  /// Returns a JSON object a line.
  static func json(of senders: [SenderSummary]) -> String {
    let names = Dictionary(uniqueKeysWithValues: senders.map { ($0.sender.id, $0.sender.name) })
    return senders.map { summary in
      var fields = [
        "\"name\":\(JSONString.of(summary.sender.name))", "\"messages\":\(summary.messageCount)",
      ]
      if let external = summary.external { fields.append("\"senderID\":\(JSONString.of(external))") }
      if let other = summary.aliasOf.flatMap({ names[$0] }) {
        fields.append("\"aliasOf\":\(JSONString.of(other))")
      }
      return "{\(fields.joined(separator: ","))}\n"
    }.joined()
  }
}
