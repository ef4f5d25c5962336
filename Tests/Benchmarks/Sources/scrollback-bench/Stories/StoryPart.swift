import ArgumentParser
import Foundation

/// `story-part`: a part of a story in a process of its own; for ``Story`` to call. Prints `name=value` lines.
struct StoryPart: AsyncParsableCommand {
  enum Name: String, ExpressibleByArgument, CaseIterable {
    case rows, rowsNaively, syncReader, syncWriter, syncNaively
    case pictureStore, pictures, picturesNaively
    case cards, cardsWriter, cardsNaively, inlineStore, inlineCheck
  }

  static let configuration = CommandConfiguration(commandName: "story-part", shouldDisplay: false)

  @Argument var name: Name
  @Argument var store: String
  @Option var count = 0
  @Option var drawing = "blocks"
  @Option(help: "The most memory that the process may have, in MB.") var memory: Int?

  func run() async throws {
    if let memory { limit(to: memory) }
    switch name {
    case .rows: try RowsPart(store: store).run()
    case .rowsNaively: try NaiveRowsPart(store: store, count: count).run()
    case .syncReader: try await SyncReaderPart(store: store, changes: count).run()
    case .syncWriter: try SyncWriterPart(store: store, changes: count).run()
    case .syncNaively: try NaiveSyncPart(store: store, changes: count).run()
    case .pictureStore: try PictureStorePart(store: store, count: count).run()
    case .pictures: try PicturesPart(store: store, drawing: drawing).run()
    case .picturesNaively: try NaivePicturesPart(store: store).run()
    case .cards: try await CardsPart(store: store, count: count).run()
    case .cardsWriter: try CardsWriterPart(store: store, count: count).run()
    case .cardsNaively: try NaiveCardsPart(store: store).run()
    case .inlineStore: try InlineStorePart(store: store, megabytes: count).run()
    case .inlineCheck: try InlineCheckPart(store: store, count: count).run()
    }
  }

  private func limit(to megabytes: Int) {
    var limit = rlimit(rlim_cur: rlim_t(megabytes) * 1_000_000, rlim_max: rlim_t(megabytes) * 1_000_000)
    #if os(Linux)
      setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    #else
      setrlimit(RLIMIT_DATA, &limit)
    #endif
  }

  /// Tells the story what was measured.
  static func tell(_ name: String, _ value: Double) { print("\(name)=\(value)") }
}
