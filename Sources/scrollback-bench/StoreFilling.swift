import Foundation
import MessageModel
import MessageStorage
import TestSupport

/// Makes a store of a made-up history.
struct StoreFilling {
  let size: Int
  let conversations: Int

  /// Generates a history and loads it, in pieces and under another name until it is whole.
  func fill(_ path: String) throws {
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
      if batch.count == 32_768 {
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
