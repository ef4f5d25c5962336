import CYardstick
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
    let yardstick = try bareDatabase()
    defer { cyardstick_close(yardstick) }
    let (store, room) = try storeToWrite()
    defer { store.close() }
    var (ours, theirs) = (Measurement(), Measurement())
    for index in 0..<3_000 {
      _ = theirs.time { cyardstick_insert(yardstick, Int64(index) << 20, Self.text) }
      _ = try ours.time { try store.append([NewMessage(Self.text, from: "alice")], to: room) }
    }
    return Finding(name: "live append, durable", ours: ours, yardstick: ("bare INSERT", theirs))
  }

  private func inBatches() throws -> Finding {
    let (store, room) = try storeToWrite()
    defer { store.close() }
    let batch = Array(repeating: NewMessage(Self.text, from: "alice"), count: 1_000)
    var ours = Measurement()
    for _ in 0..<20 { _ = try ours.time { try store.append(batch, to: room) } }
    return Finding(name: "append of 1,000 messages at once, durable", ours: ours)
  }

  private func bareDatabase() throws -> OpaquePointer {
    let path = setting.path("bare.db")
    StoreFiles.remove(path)
    guard let yardstick = cyardstick_open(path, 1) else {
      throw StoreError(.cannotCreate, "cannot make '\(path)'")
    }
    return yardstick
  }

  private func storeToWrite() throws -> (MessageStore, Conversation.ID) {
    let store = try MessageStore(path: try setting.copyOfStore())
    guard let room = try store.conversations().first else {
      throw StoreError(.notFound, "there is no conversation to append to")
    }
    return (store, room.id)
  }
}
