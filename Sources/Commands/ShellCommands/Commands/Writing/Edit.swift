internal import ArgumentParser
internal import ChatSession
internal import MessageStorage

struct Edit: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "edit",
    abstract: "Give a message another text; the old one is kept in its history.",
    discussion: """
      Example:
        scrollback edit '#7022857543691537' Buy milk and bread
      """)

  @Argument(help: ArgumentHelp("The message.", valueName: "id"))
  var id: String

  @Argument(help: ArgumentHelp("Its new text; several words are joined by spaces.", valueName: "text"))
  var text: [String]

  @OptionGroup var common: CommonOptions

  func run(in shell: Shell) throws -> ExitStatus {
    let ids = try MessageIDs.parsed([id])
    return try common.change(in: shell) { store, _ in
      for id in ids { try store.edit(id, text: text.joined(separator: " ")) }
    }
  }
}
