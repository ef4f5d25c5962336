import ArgumentParser
import Foundation
import MessageModel
import MessageStorage
import TestSupport

/// `run`: measures against the yardsticks and prints a table.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the store and its windows against C over the SQLite API, in one run.")

  @Option(help: ArgumentHelp("How many messages.", valueName: "count"))
  var size = 1_000_000

  @Option(help: ArgumentHelp("In how many conversations.", valueName: "count"))
  var conversations = 12

  @Option(help: ArgumentHelp("Where histories and stores are kept between runs.", valueName: "folder"))
  var folder = ".build/bench"

  func run() async throws {
    let folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("store-\(size)-\(conversations).db").path
    if !FileManager.default.fileExists(atPath: path) {
      try StoreFilling(size: size, conversations: conversations).fill(path)
    }
    var scenarios = try StoreScenarios(path: path)
    var windows = try WindowScenarios(path: path)
    let findings =
      try scenarios.run() + (await windows.run()) + [try StoreScenarios.appends(in: folder)]
    print("\(size) messages in \(conversations) conversations\n")
    print(Finding.table(findings))
  }
}
