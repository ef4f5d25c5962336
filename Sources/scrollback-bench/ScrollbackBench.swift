import ArgumentParser

/// Makes histories to measure with.
@main
struct ScrollbackBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scrollback-bench", abstract: "Make histories of any size to measure Scrollback with.",
    subcommands: [Generate.self])
}
