internal import ArgumentParser
internal import MessageShell
internal import MessageStorage

struct Stats: ShellCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show counts, sizes on disk and memory.",
    discussion: "With -c, counts of these conversations alone.")

  @Flag(help: "Tell what texts, search index and the rest take on disk. Reads the whole store.")
  var sizes = false

  @Flag(help: "Print JSON.")
  var json = false

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
    console.write(try figures(of: store))
    console.flush()
    return .done
  }

  private func figures(of store: SynchronousMessageStore) throws -> String {
    let selection = try conversation.choice(otherwise: .all).selection(in: store)
    guard case .all = selection.conversations else {
      return json ? try StatsCommand.json(of: selection, store) : try StatsCommand.text(of: selection, store)
    }
    return json
      ? try StatsCommand.json(store, withSizes: sizes) : try StatsCommand.text(store, withSizes: sizes)
  }
}
