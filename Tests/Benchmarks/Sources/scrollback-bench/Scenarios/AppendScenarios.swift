import CBaseline
import Foundation
import HistoryModel
import MessageModel
import MessageStorage

/// Live appends to a history, each durable when it returns, against a bare INSERT of the same row into a database of
/// its own.
struct AppendScenarios {
  let setting: Setting
  private static let text =
    "a message of a usual length, as people write them: two or three dozen words at the most"

  func run() throws -> [Finding] { [try singly(), try inBatches(), try inPages()] }

  private func singly() throws -> Finding {
    let baseline = try bareDatabase()
    defer { cbaseline_close(baseline) }
    let (store, conversation) = try storeToWrite()
    defer { store.close() }
    var (ours, theirs) = (Measurement(), Measurement())
    for index in 0..<setting.depth.times(3_000) {
      guard theirs.time({ cbaseline_insert(baseline, Int64(index) << 20, Self.text) }) == 1 else {
        throw Baseline.failure("cannot insert a row")
      }
      _ = try ours.time { try store.append([NewMessage(Self.text, from: "alice")], to: conversation) }
    }
    return Finding(name: "live append, durable", ours: ours, baseline: ("bare INSERT", theirs))
  }

  private func inBatches() throws -> Finding {
    let (store, conversation) = try storeToWrite()
    defer { store.close() }
    let batch = Array(repeating: NewMessage(Self.text, from: "alice"), count: 1_000)
    var ours = Measurement()
    for _ in 0..<setting.depth.times(20) { _ = try ours.time { try store.append(batch, to: conversation) } }
    return Finding(name: "append of 1,000 messages at once, durable", ours: ours)
  }

  /// A server's history in pages of 50, each a transaction, against one import of the same.
  private func inPages() throws -> Finding {
    let count = setting.depth == .trial ? 2_000 : 100_000
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<setting.depth.times(3, quick: 1) {
      try withNoStore { store in
        let room = try store.makeConversation(named: "server").id
        try ours.time {
          for start in stride(from: 0, to: count, by: 50) {
            _ = try store.append((start..<start + 50).map(Self.message), to: room)
          }
        }
      }
      try withNoStore { store in
        try theirs.time {
          let load = try BulkImport(into: store, .init(name: "server", format: "acme", zone: "UTC"))
          for start in stride(from: 0, to: count, by: 10_000) {
            try load.add(Self.batch(start..<min(start + 10_000, count)))
          }
          _ = try load.finish()
        }
      }
    }
    return Finding(
      name: "a server's 100,000 messages in pages of 50", ours: ours, baseline: ("one bulk import", theirs))
  }

  private func withNoStore(_ body: (SynchronousMessageStore) throws -> Void) throws {
    let store = try SynchronousMessageStore(
      path: setting.noStore(named: "pages"), options: StoreOptions(durability: .process))
    defer { store.close() }
    try body(store)
  }

  private static func message(_ number: Int) -> NewMessage {
    var message = NewMessage(
      "\(text) \(number)", from: "name \(number % 20)",
      at: Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(number) * 7_001))
    message.source = Message.Source(platform: "acme", id: "$\(number)")
    if number % 5 == 0 { message.replyTo = .external("$\(number * 9 / 10)") }
    if number % 10 == 0 {
      message.reactions = [Message.Reaction(emoji: "+", senders: ["bo"], senderIDs: ["U2"])]
    }
    return message
  }

  private static func batch(_ numbers: Range<Int>) -> ImportBatch {
    var batch = ImportBatch()
    let room = batch.conversation(named: "server")
    for new in numbers.map(message) {
      let entry = batch.append(
        ImportBatch.Entry(
          time: new.time ?? .supported.lowerBound, precision: .millisecond, kind: new.kind,
          conversation: room,
          sender: batch.store(new.sender ?? ""), text: batch.store(new.text)))
      batch.details[entry, default: ImportDetails()].message = new.details
    }
    return batch
  }

  private func bareDatabase() throws -> OpaquePointer {
    let path = setting.path("bare.db")
    StoreFiles.remove(path)
    guard let baseline = cbaseline_open(path, 1) else {
      throw Baseline.failure("cannot make '\(path)'")
    }
    return baseline
  }

  private func storeToWrite() throws -> (SynchronousMessageStore, Conversation.ID) {
    let store = try SynchronousMessageStore(path: try setting.storeToWrite())
    guard let conversation = try store.conversations().first else {
      throw StoreError(.notFound, "there is no conversation to append to")
    }
    return (store, conversation.id)
  }
}
