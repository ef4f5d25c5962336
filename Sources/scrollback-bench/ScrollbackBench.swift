import ArgumentParser

/// Makes histories, and measures with them.
@main
struct ScrollbackBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scrollback-bench",
    abstract: "Make histories of any size, and measure Scrollback with them.",
    subcommands: [
      Generate.self, Run.self, Measure.self, ScrollAll.self, Guard.self, Repeat.self, Latency.self,
      Screenshot.self, Transfer.self, StopAt.self,
    ])
}
