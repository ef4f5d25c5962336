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
    if !FileManager.default.fileExists(atPath: path) { try fill(path) }
    var scenarios = try StoreScenarios(path: path)
    var windows = try WindowScenarios(path: path)
    let findings =
      try scenarios.run() + (await windows.run()) + [try StoreScenarios.appends(in: folder)]
    print("\(size) messages in \(conversations) conversations\n")
    print(Finding.table(findings))
  }

  /// Generates a history and loads it, in pieces and under another name until it is whole.
  private func fill(_ path: String) throws {
    let unfinished = path + ".part"
    for end in ["", "-wal", "-shm"] { unlink(unfinished + end) }
    let start = ContinuousClock.now
    let store = try MessageStore(path: unfinished, options: StoreOptions(durability: .process))
    let load = try BulkLoad(
      into: store, BulkLoad.Description(name: "made up", format: "generated", zone: "UTC"))
    var generator = HistoryGenerator(HistoryGenerator.Options(count: size, conversations: conversations))
    var batch = DraftBatch()
    while generator.advance() {
      let line = generator.line
      let room = batch.conversation(named: generator.conversationNames[line.conversation])
      let sender = batch.store(generator.senderNames[line.sender])
      let text = generator.text.withUnsafeBytes { batch.store($0) }
      batch.append(
        DraftBatch.Draft(
          time: line.id.time, precision: .millisecond, kind: line.kind, conversation: room, sender: sender,
          text: text))
      if batch.count == 8_192 {
        try load.add(batch, isContinuation: true)
        batch.removeAll()
      }
    }
    try load.add(batch, isContinuation: true)
    _ = try load.finish()
    store.close()
    guard rename(unfinished, path) == 0 else {
      throw StoreError(.inputOutput, "cannot rename '\(unfinished)'")
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("loaded \(size) messages in \(Int(seconds)) s (\(Int(Double(size) / seconds)) a second)")
  }
}
