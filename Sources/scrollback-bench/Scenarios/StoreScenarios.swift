import CYardstick
import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage

/// What the store promises, each against C over the SQLite API or SQL's own way, turn by turn in one process.
struct StoreScenarios {
  let store: MessageStore
  private let yardstick: OpaquePointer
  /// The largest conversation.
  private let room: Conversation
  private var dice = SeededGenerator(seed: 1)

  /// Opens a store that has been filled.
  init(path: String) throws {
    store = try MessageStore(path: path, options: StoreOptions(access: .readOnly))
    guard let yardstick = cyardstick_open(path, 0),
      let room = try store.conversations().max(by: { $0.messageCount < $1.messageCount })
    else { throw StoreError(.inputOutput, "cannot measure '\(path)'") }
    self.yardstick = yardstick
    self.room = room
  }

  mutating func run() throws -> [Finding] {
    [try page(), try ordinalOfID(), try idAtOrdinal(), try senderOrdinal()] + (try offsets())
  }

  private mutating func randomID() throws -> Message.ID {
    let ordinal = Int(dice.next() % UInt64(room.messageCount))
    let page = try store.page(FetchRequest(Selection(room.id), anchor: .ordinal(ordinal), fetchLimit: 1))
    return page.messages.first?.id ?? .highest
  }

  private mutating func page() throws -> Finding {
    var (ours, theirs) = (Measurement(), Measurement())
    for _ in 0..<2_000 {
      let id = try randomID()
      let request = FetchRequest(Selection(room.id), anchor: .before(id), fetchLimit: 50, wantsCounts: false)
      _ = theirs.time { cyardstick_page(yardstick, room.id.rawValue, id.rawValue, 50) }
      _ = try ours.time { try store.page(request) }
    }
    return Finding(name: "page of 50 at a random place", ours: ours, yardstick: ("C page", theirs))
  }

  private mutating func ordinalOfID() throws -> Finding {
    var ours = Measurement()
    for _ in 0..<1_000 {
      let id = try randomID()
      let request = FetchRequest(Selection(room.id), anchor: .before(id), fetchLimit: 0)
      _ = try ours.time { try store.page(request) }
    }
    return Finding(name: "ordinal of an id", ours: ours)
  }

  private mutating func idAtOrdinal() throws -> Finding {
    var ours = Measurement()
    for _ in 0..<1_000 {
      let ordinal = Int(dice.next() % UInt64(room.messageCount))
      let request = FetchRequest(
        Selection(room.id), anchor: .ordinal(ordinal), fetchLimit: 1, wantsCounts: false)
      _ = try ours.time { try store.page(request) }
    }
    return Finding(name: "k-th message", ours: ours)
  }

  private mutating func senderOrdinal() throws -> Finding {
    var ours = Measurement()
    for _ in 0..<500 {
      let request = FetchRequest(Selection(room.id), anchor: .around(try randomID()), fetchLimit: 1)
      guard let message = try store.page(request).messages.first, let sender = message.sender else {
        continue
      }
      let filtered = Selection(room.id, where: .sender([sender.id]))
      let asked = FetchRequest(filtered, anchor: .before(message.id), fetchLimit: 0)
      _ = try ours.time { try store.page(asked) }
    }
    return Finding(name: "ordinal of an id under a sender filter", ours: ours)
  }

  private func offsets() throws -> [Finding] {
    var depths = [0]
    while let last = depths.last, max(last, 1) * 10 < room.messageCount { depths.append(max(last, 1) * 10) }
    depths.append(max(room.messageCount - 50, 0))
    return try depths.map { depth in
      var (ours, theirs) = (Measurement(), Measurement())
      let request = FetchRequest(
        Selection(room.id), order: .newestFirst, fetchLimit: 50, fetchOffset: depth, wantsCounts: false)
      // A deep OFFSET takes long and empties the processor's caches: many of ours follow each of it.
      let isDeep = depth > 100_000
      for _ in 0..<(isDeep ? 11 : 201) {
        _ = theirs.time { cyardstick_offset(yardstick, room.id.rawValue, Int64(depth), 50) }
        for _ in 0..<(isDeep ? 20 : 1) { _ = try ours.time { try store.page(request) } }
      }
      return Finding(name: "fetchOffset \(depth)", ours: ours, yardstick: ("SQL OFFSET", theirs))
    }
  }
}
