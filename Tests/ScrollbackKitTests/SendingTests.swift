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
    for number in 0..<60 {
      let device = devices[Int.random(in: 0...1, using: &generator)]
      switch Int.random(in: 0..<3, using: &generator) {
      case 0:
        let room = device.rooms[Int.random(in: 0...1, using: &generator)]
        try await device.outbox.send("\(number)", from: device.sender, to: room)
      case 1: try? await device.outbox.flush()
      default: try await device.catchUp(using: &generator)
      }
    }
    server.isReliable = true
    for device in devices { try await device.outbox.flush() }
    for device in devices { try await device.catchUp(using: &generator) }
    for device in devices {
      for (number, room) in device.rooms.enumerated() {
        let truth = server.events[number]
        let messages = try await device.store.page(PageRequest(Selection(room), fetchLimit: 500)).messages
        #expect(messages.map(\.text) == truth.map(\.text), "in the server's order, seed \(seed)")
        for event in truth {
          let id = try await device.store.read { try $0.messageID(platform: "acme", id: event.id) }
          let message = messages.first { $0.id == id }
          #expect(message?.text == event.text && message?.sender?.name == event.sender.name, "seed \(seed)")
        }
        // What one wrote is in the order in which it was written.
        let own = truth.filter { $0.sender == device.sender }.compactMap { Int($0.text) }
        #expect(own == own.sorted(), "seed \(seed)")
      }
      #expect(try await device.store.read { try $0.messages(in: .waiting, limit: 1) }.isEmpty, "seed \(seed)")
    }
    for device in devices { await device.store.close() }
  }

  @Test func `a refused message fails, and neither its room nor another waits for it`() async throws {
    let server = UnreliableServer(seed: 0)
    server.isReliable = true
    let device = try await Device("ann", server)
    for text in ["1", "refused", "2"] {
      try await device.outbox.send(text, from: device.sender, to: device.rooms[0])
    }
    try await device.outbox.send("3", from: device.sender, to: device.rooms[1])
    try await device.outbox.flush()
    #expect(server.events.map { $0.map(\.text) } == [["1", "2"], ["3"]])
    let failed = try await device.store.read { try $0.messages(in: .failed, limit: 9) }
    #expect(failed.count == 1)
    server.refuses = false
    try await device.outbox.retry(failed[0])
    try await device.outbox.flush()
    #expect(server.events[0].map(\.text) == ["1", "2", "refused"])
    let messages = try await device.store.page(PageRequest(Selection(device.rooms[0]), fetchLimit: 9))
      .messages
    #expect(
      messages.map(\.text) == ["1", "2", "refused"] && messages.allSatisfy { $0.sendingState == .sent })
    await device.store.close()
  }

  @Test func `a room whose link fails does not hold up another`() async throws {
    let server = UnreliableServer(seed: 0)
    server.isReliable = true
    server.broken = 0
    let device = try await Device("ann", server)
    for (number, room) in device.rooms.enumerated() {
      try await device.outbox.send("\(number)", from: device.sender, to: room)
    }
    await #expect(throws: EdgeError.self) { try await device.outbox.flush() }
    #expect(server.events.map { $0.map(\.text) } == [[], ["1"]])
    server.broken = nil
    try await device.outbox.flush()
    #expect(server.events.map { $0.map(\.text) } == [["0"], ["1"]])
    await device.store.close()
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
struct Dice: RandomNumberGenerator {
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
  let rooms: [Conversation.ID]
  let sender: SenderKey
  private let folder: TemporaryFolder
  private let server: UnreliableServer

  init(_ name: String, _ server: UnreliableServer) async throws {
    folder = TemporaryFolder()
    self.server = server
    sender = SenderKey(name: name, externalID: "U-\(name)")
    store = try await MessageStore(path: folder.path + "/chats.db")
    rooms = try await store.write { store in
      try ["one", "two"].map { try store.makeConversation(named: $0).id }
    }
    outbox = Outbox(store: store, server: server.connection(of: sender, in: rooms))
  }

  /// Hears of all that the server has, in any order, some of it twice.
  func catchUp(using generator: inout Dice) async throws {
    for (room, events) in zip(rooms, server.events) {
      var answers = (events + events.prefix(3)).shuffled(using: &generator)
      // As a page may have it, which says nothing of tokens.
      for index in answers.indices where Int.random(in: 0..<8, using: &generator) == 0 {
        answers[index].token = nil
      }
      while !answers.isEmpty {
        let count = min(Int.random(in: 1...4, using: &generator), answers.count)
        try await outbox.receive(Array(answers.prefix(count)), in: room)
        answers.removeFirst(count)
      }
    }
  }
}

/// A server that fails, and loses its answers though it has taken what was sent.
private final class UnreliableServer: Sendable {
  private struct State {
    var generator: Dice
    var events: [[ServerMessage]] = [[], []]
    var isReliable = false
    var refuses = true
    var broken: Int?
  }

  private struct Connection: ChatServer {
    let server: UnreliableServer
    let sender: SenderKey
    let rooms: [Conversation.ID]

    func post(_ text: String, to room: Conversation.ID, token: String) async throws -> ServerMessage {
      try server.post(text, to: rooms.firstIndex(of: room) ?? 0, token: token, from: sender)
    }
  }

  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(generator: Dice(seed: seed))) }

  /// The messages of both rooms.
  var events: [[ServerMessage]] { state.withLock { $0.events } }
  var isReliable: Bool {
    get { state.withLock { $0.isReliable } }
    set { state.withLock { $0.isReliable = newValue } }
  }
  /// Whether it takes no message that says so.
  var refuses: Bool {
    get { state.withLock { $0.refuses } }
    set { state.withLock { $0.refuses = newValue } }
  }
  /// The room to which no link leads.
  var broken: Int? {
    get { state.withLock { $0.broken } }
    set { state.withLock { $0.broken = newValue } }
  }

  func connection(of sender: SenderKey, in rooms: [Conversation.ID]) -> any ChatServer {
    Connection(server: self, sender: sender, rooms: rooms)
  }

  private func post(_ text: String, to room: Int, token: String, from sender: SenderKey) throws
    -> ServerMessage
  {
    try state.withLock { state in
      let luck = state.isReliable ? 9 : Int.random(in: 0..<6, using: &state.generator)
      if luck == 0 || room == state.broken { throw EdgeError(.unreachable, "cannot send") }
      if state.refuses, text == "refused" { throw Refusal() }
      let known = state.events[room].first { $0.token == token }
      let count = state.events.joined().count
      let event =
        known
        ?? ServerMessage(
          id: "$\(count)", token: token, text: text, sender: sender,
          time: Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(count)))
      if known == nil { state.events[room].append(event) }
      if luck == 1 { throw EdgeError(.unreachable, "the answer was lost") }
      return event
    }
  }
}
