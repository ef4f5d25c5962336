internal import ArgumentParser
internal import MessageShell
internal import MessageStorage

struct Conversations: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the conversations: name, messages, first and last.")

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let store = try MessageStore(path: common.path, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let command = ConversationsCommand(timeZone: try common.zone())
    let all = try store.conversations()
    let console = common.console()
    console.write(json ? command.json(of: all) : command.table(of: all))
    console.flush()
  }
}
