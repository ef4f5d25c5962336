import ArgumentParser
import CMalloc
import Foundation
import MessageModel

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

  /// Measures with the heap that the command has. An error is shown with its reason, which ArgumentParser leaves out.
  static func main() async {
    cmalloc_configure()
    do {
      var command = try parseAsRoot()
      if var waiting = command as? any AsyncParsableCommand {
        try await waiting.run()
      } else {
        try command.run()
      }
    } catch let error as any ExplainedError {
      FileHandle.standardError.write(Data("\(error.description)\n".utf8))
      exit(withError: ExitCode.failure)
    } catch {
      exit(withError: error)
    }
  }
}
