internal import ArgumentParser
internal import MessageShell
internal import MessageStorage

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show counts, sizes on disk and memory.")

  @Flag(help: "Tell what texts, search index and the rest take on disk. Reads the whole store.")
  var sizes = false

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let store = try MessageStore(path: common.path, options: .reading)
    defer { store.close() }
    let console = common.console()
    console.write(
      json ? try StatsCommand.json(store, withSizes: sizes) : try StatsCommand.text(store, withSizes: sizes))
    console.flush()
  }
}
