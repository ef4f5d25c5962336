import Foundation
import ScrollbackKit
import Synchronization
import Testing

/// Plays the recipe for sending with two devices and a server that fails.
@Suite struct SendingTests {
  @Test(arguments: 0..<UInt64(8))
  func `two devices end with exactly the server's messages in its order, whatever gets lost or comes twice`(
    seed: UInt64
  )
    async throws
  {
    let server = UnreliableServer(seed: seed)
    let devices = [try await Device("ann", server), try await Device("bo", server)]
    var generator = Dice(seed: seed &+ 100)
    for number in 0..<30 {
      let device = devices[Int.random(in: 0...1, using: &generator)]
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: try await device.outbox.send("\(number)", from: device.sender)
      case 1: try? await device.outbox.flush()
      default: try await device.catchUp(using: &generator)
      }
    }
    server.isReliable = true
    for device in devices { try await device.outbox.flush() }
    for device in devices { try await device.catchUp(using: &generator) }
    let truth = server.events
    for device in devices {
      let messages = try await device.store.page(PageRequest(Selection(device.outbox.room), fetchLimit: 500))
        .messages
      #expect(messages.map(\.text) == truth.map(\.text), "in the server's order, seed \(seed)")
      for event in truth {
        let id = try await device.store.read { try $0.messageID(platform: "acme", id: event.id) }
        let message = messages.first { $0.id == id }
        #expect(message?.text == event.text && message?.sender?.name == event.sender.name, "seed \(seed)")
      }
      #expect(try await device.store.read { try $0.messages(in: .waiting, limit: 1) }.isEmpty, "seed \(seed)")
      // What one wrote is in the order in which it was written.
      let own = truth.filter { $0.sender == device.sender }.compactMap { Int($0.text) }
      #expect(own == own.sorted(), "seed \(seed)")
    }
    for device in devices { await device.store.close() }
  }

  @Test func `a list shows payloads with its messages`() async throws {
    let folder = TemporaryFolder()
    let store = try await MessageStore(path: folder.path + "/chats.db")
    let room = try await store.write { try $0.makeConversation(named: "a") }.id
    let id = try await store.append([NewMessage("1", payload: [7])], to: room)[0]
    let list = MessageList(Selection(room), in: store, wantsPayloads: true)
    #expect(await list.perform(.jump(to: .newest)).messages.map(\.payload) == [[7]])
    try await store.write { try $0.setPayload([8], of: id) }
    #expect(await list.perform(.sourceChanged).messages.map(\.payload) == [[8]])
    await list.close()
    await store.close()
  }
}

/// Chance that is the same each time: SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
private struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Somebody's device, with a store of its own.
private final class Device: Sendable {
  let store: MessageStore
  let outbox: Outbox
  let sender: SenderKey
  private let folder: TemporaryFolder
  private let server: UnreliableServer

  init(_ name: String, _ server: UnreliableServer) async throws {
    folder = TemporaryFolder()
    self.server = server
    sender = SenderKey(name: name, externalID: "U-\(name)")
    store = try await MessageStore(path: folder.path + "/chats.db")
    let room = try await store.write { try $0.makeConversation(named: "room") }.id
    outbox = Outbox(store: store, room: room, server: server.connection(of: sender))
  }

  /// Hears of all that the server has, in any order, some of it twice.
  func catchUp(using generator: inout Dice) async throws {
    let events = server.events
    for var event in (events + events.prefix(3)).shuffled(using: &generator) {
      // As a page may have it, which says nothing of tokens.
      if Int.random(in: 0..<8, using: &generator) == 0 { event.token = nil }
      try await outbox.receive(event)
    }
  }
}

/// A server that fails, and loses its answers though it has taken what was sent.
private final class UnreliableServer: Sendable {
  private struct State {
    var generator: Dice
    var events: [ServerEvent] = []
    var isReliable = false
  }

  private struct Connection: ChatServer {
    let server: UnreliableServer
    let sender: SenderKey

    func post(_ text: String, token: String) async throws -> ServerEvent {
      try server.post(text, token: token, from: sender)
    }
  }

  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(generator: Dice(seed: seed))) }

  var events: [ServerEvent] { state.withLock { $0.events } }
  var isReliable: Bool {
    get { state.withLock { $0.isReliable } }
    set { state.withLock { $0.isReliable = newValue } }
  }

  func connection(of sender: SenderKey) -> any ChatServer { Connection(server: self, sender: sender) }

  private func post(_ text: String, token: String, from sender: SenderKey) throws -> ServerEvent {
    try state.withLock { state in
      let luck = state.isReliable ? 9 : Int.random(in: 0..<6, using: &state.generator)
      if luck == 0 { throw EdgeError(.unreachable, "cannot send") }
      let known = state.events.first { $0.token == token }
      let event =
        known
        ?? ServerEvent(
          id: "$\(state.events.count)", token: token, text: text, sender: sender,
          time: Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(state.events.count)))
      if known == nil { state.events.append(event) }
      if luck == 1 { throw EdgeError(.unreachable, "the answer was lost") }
      return event
    }
  }
}
