import CBaseline
import Foundation
import MessageModel
import MessageStorage

/// Live appends to a history, each durable when it returns, against a bare INSERT of the same row into a database of
/// its own.
struct AppendScenarios {
  let setting: Setting
  private static let text =
    "a message of a usual length, as people write them: two or three dozen words at the most"

  func run() throws -> [Finding] { [try singly(), try inBatches()] }

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
