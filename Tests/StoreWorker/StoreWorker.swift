import ArgumentParser

/// Works on a store for tests, which kill it or run several at once.
@main
struct StoreWorker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store-worker", abstract: "Work on a store as a test asks for it.",
    subcommands: [StopAt.self, RandomWrites.self])
}
