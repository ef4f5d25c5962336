import ArgumentParser
import CMalloc

/// Makes histories, and measures with them.
@main
struct ScrollbackBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scrollback-bench",
    abstract: "Make histories of any size, and measure Scrollback with them.",
    subcommands: [
      Generate.self, Run.self, Measure.self, ReportAnew.self, ScrollAll.self, Guard.self, Repeat.self,
      Ranking.self, Screenshot.self, Story.self, StoryPart.self, MakePicture.self,
    ])

  /// Measures with the heap that the command has.
  static func main() async {
    cmalloc_configure()
    await main(nil)
  }
}
