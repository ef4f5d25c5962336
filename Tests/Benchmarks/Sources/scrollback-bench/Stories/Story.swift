import ArgumentParser
import Foundation
import TestSupport

/// `story`: one of the four field reports that Scrollback must not repeat, run and measured, with the naive way beside.
struct Story: ParsableCommand {
  enum Name: String, ExpressibleByArgument, CaseIterable {
    case pictures, cards, sync, rows
  }

  static let configuration = CommandConfiguration(
    abstract: "Run one of the field reports that this project began with, and the naive way beside it.",
    discussion: """
      pictures  100, 400 and 4,000 messages with photographs, scrolled to the oldest and back
      cards     a photograph of 48 megapixels saved, and inline pictures moved out, while somebody scrolls
      sync      a million changes pour in while somebody scrolls under a filter with a visible total
      rows      entering a list of 40,000 and of 10,000,000 rows, its top, its bottom, its order switched

      Each part runs in a process of its own. The naive way runs under a limit of memory, at sizes that it survives; what
      it would take at others is extrapolated and says so.

      Examples:
        scrollback-bench story rows
        scrollback-bench story pictures --size 400
      """)

  @Argument(help: "pictures, cards, sync or rows.") var name: Name

  @Option(help: ArgumentHelp("The largest size (the story's own).", valueName: "count"))
  var size: Int?

  @Option(help: ArgumentHelp("Where stores are kept between runs.", valueName: "folder"))
  var folder = ".build/bench"

  @Option(help: ArgumentHelp("The memory of the naive way, in MB.", valueName: "megabytes"))
  var naiveMemory = 2_000

  func run() throws {
    let stage = StoryStage(folder: folder, naiveMegabytes: naiveMemory)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let table: StoryTable
    switch name {
    case .rows: table = try RowsStory(largest: size ?? 10_000_000).run(on: stage)
    case .sync: table = try SyncStory(changes: size ?? 1_000_000).run(on: stage)
    case .pictures: table = try PicturesStory(largest: size ?? 4_000).run(on: stage)
    case .cards: table = try CardsStory(inlineMegabytes: size ?? 900).run(on: stage)
    }
    print(table.text)
    if !table.isFulfilled { throw ExitCode(3) }
  }
}
