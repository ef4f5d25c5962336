import ArgumentParser
import MessageModel
import MessageSourceTesting
import MessageStorage

/// Writes at random into a store, one of several processes that do: how tests see what others learn of it.
struct RandomWrites: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Append, edit, delete, restore and react at random.", shouldDisplay: false)

  @Argument(help: "The store.") var store: String
  @Option(help: "How many operations.") var count: Int
  @Option(help: "The seed of the operations.") var seed: UInt64

  func run() throws {
    let store = try SynchronousMessageStore(
      path: store,
      options: StoreOptions(access: .readWrite, durability: .process, busyTimeout: .milliseconds(60_000)))
    defer { store.close() }
    var writer = try RandomWriter(store: store, seed: seed)
    for _ in 0..<count { try writer.write() }
  }
}

/// Writes into a conversation that all writers share, and into one of its own.
struct RandomWriter {
  private let store: SynchronousMessageStore
  private let rooms: [Conversation.ID]
  private let name: String
  private var dice: SeededGenerator
  private var ids: [Message.ID] = []
  private var deleted: [DeletedMessages] = []
  private var number = 0

  init(store: SynchronousMessageStore, seed: UInt64) throws {
    self.store = store
    name = "writer \(seed)"
    dice = SeededGenerator(seed: seed)
    let shared = try store.conversation(named: "shared") ?? store.makeConversation(named: "shared")
    rooms = [shared.id, try store.makeConversation(named: name).id]
  }

  /// Does one thing.
  mutating func write() throws {
    number += 1
    let choice = Int(dice.next() % 100)
    switch choice {
    case 0..<55: ids += try store.append([NewMessage("\(number)", from: name)], to: rooms[choice % 2])
    case 55..<75: if let id = pick() { try store.edit(id, text: "\(number) of \(name)") }
    case 75..<80:
      // Too long for its row: it is taken out and put back.
      if let id = pick() { try store.edit(id, text: String(repeating: "\(number) ", count: 2_000)) }
    case 80..<88: if let id = pick() { try store.react(choice % 2 == 0 ? "+1" : "-1", to: id, by: name) }
    case 88..<95:
      if let id = pick() {
        deleted.append(try store.delete([id]))
        ids.removeAll { $0 == id }
      }
    case 95..<99:
      if let last = deleted.popLast() {
        try store.restore(last)
        ids += last.ids
      }
    default: try store.renameConversation(rooms[1], to: "\(name), \(number)")
    }
  }

  /// One of the last messages of one's own.
  private mutating func pick() -> Message.ID? {
    ids.isEmpty ? nil : ids[ids.count - 1 - Int(dice.next() % UInt64(min(ids.count, 500)))]
  }
}
