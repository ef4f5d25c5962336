import Foundation
import ScrollbackKit
import Synchronization
import Testing

/// Two devices of one user over a server that fails, and whose answers come late, twice and in any order.
@Suite struct MessengerTests {
  private static let seeds: UInt64 =
    ProcessInfo.processInfo.environment["SCROLLBACK_LONG"] == "1" ? 200 : 20

  @Test(arguments: 0..<seeds)
  func `both devices end with the server's state, whatever the link loses, delays and doubles`(
    seed: UInt64
  ) async throws {
    let server = FakeServer(seed: seed)
    var devices = [try await Phone(0, server), try await Phone(1, server)]
    var dice = Dice(seed: seed &+ 1_000)
    for number in 0..<60 {
      server.stir()
      let index = Int.random(in: 0...1, using: &dice)
      switch Int.random(in: 0..<6, using: &dice) {
      case 0: try await devices[index].send("mine \(number)", using: &dice)
      case 1: try? await devices[index].app.outbox.flush()
      case 2, 3: try await devices[index].hear(using: &dice)
      case 4: try await devices[index].ask(using: &dice)
      default: try await devices[index].takeSome(using: &dice)
      }
    }
    server.isReliable = true
    for device in devices { try await device.app.outbox.flush() }
    for index in devices.indices { try await devices[index].finish(using: &dice) }
    for device in devices {
      for (number, room) in device.rooms.enumerated() {
        #expect(try await device.picture(of: room) == server.picture(of: number), "seed \(seed)")
      }
      #expect(try await device.app.store.check().problems == [], "seed \(seed)")
      await device.app.store.close()
    }
  }
}

/// A device, and the answers on their way to it.
private struct Phone {
  let app: Messenger
  let rooms: [Conversation.ID]
  private let folder = TemporaryFolder()
  private let number: Int
  private let server: FakeServer
  private var answers: [Messenger.Answer] = []

  init(_ number: Int, _ server: FakeServer) async throws {
    (self.number, self.server) = (number, server)
    let store = try await MessageStore(
      path: folder.path + "/chats.db", options: StoreOptions(durability: .process))
    app = Messenger(store: store, server: server)
    rooms = [try await app.open("0"), try await app.open("1")]
  }

  func send(_ text: String, using dice: inout Dice) async throws {
    try await app.outbox.send(text, from: FakeServer.me, to: rooms[Int.random(in: 0...1, using: &dice)])
  }

  func hear(using dice: inout Dice) async throws {
    for (room, events) in server.events(for: number, using: &dice).enumerated() where !events.isEmpty {
      try await app.take(events, in: rooms[room])
    }
  }

  mutating func ask(using dice: inout Dice) async throws {
    let room = rooms[Int.random(in: 0...1, using: &dice)]
    if let answer = try? await app.ask(room) { answers.append(answer) }
  }

  mutating func takeSome(using dice: inout Dice) async throws {
    answers.shuffle(using: &dice)
    for answer in answers.prefix(2) { try await app.take(answer) }
    // One of them comes again.
    answers.removeFirst(min(1, answers.count))
  }

  mutating func finish(using dice: inout Dice) async throws {
    for answer in answers { try await app.take(answer) }
    try await hear(using: &dice)
    for room in rooms {
      while let answer = try await app.ask(room) { try await app.take(answer) }
    }
  }

  func picture(of room: Conversation.ID) async throws -> [String] {
    try await app.store.read { store in
      let messages = try store.page(PageRequest(Selection(room), fetchLimit: 1_000)).messages
      let names = try Dictionary(
        uniqueKeysWithValues: messages.map { ($0.id, try store.source(of: $0.id)?.id) })
      return messages.map { message in
        let isReply = message.replyTo != nil || message.awaitedReply != nil
        return FakeServer.line(
          names[message.id] ?? nil, message.text, message.sender?.name, message.time,
          isEdited: message.isEdited,
          isReply ? message.replyTo.flatMap { names[$0] ?? nil } ?? "gone" : nil,
          message.reactions.flatMap { reaction in
            reaction.senderKeys.map { "\(reaction.emoji) \($0.externalID ?? "")" }
          },
          message.attachments.map(\.name))
      }
    }
  }
}

/// Two rooms, and a link for each device. Others write, answer, edit, react and delete there.
private final class FakeServer: MessengerServer {
  static let me = SenderKey(name: "mira", externalID: "U0")
  private static let others = [
    SenderKey(name: "bo", externalID: "U1"), SenderKey(name: "bo", externalID: "U2"),
  ]

  private struct State {
    var dice: Dice
    var rooms: [[ServerState]] = [[], []]
    /// What happened, for each device.
    var events: [[(room: Int, state: ServerState)]] = [[], []]
    var clock: Int64 = 1_700_000_000_000
    var isReliable = false

    mutating func add(_ text: String, from sender: SenderKey, to room: Int, token: String? = nil)
      -> ServerState
    {
      clock += Int64.random(in: 1...90_000, using: &dice)
      var state = ServerState(
        message: ServerMessage(
          id: "$\(rooms.joined().count)", token: token, text: text, sender: sender,
          time: Timestamp(millisecondsSince1970: clock)))
      if Int.random(in: 0..<3, using: &dice) == 0 {
        state.replyTo = rooms[room].randomElement(using: &dice)?.message.id
      }
      if Int.random(in: 0..<5, using: &dice) == 0 { state.files = ["cup \(rooms[room].count).jpg"] }
      rooms[room].append(state)
      report(state, room)
      return state
    }

    mutating func report(_ state: ServerState, _ room: Int) {
      for device in events.indices { events[device].append((room, state)) }
    }

    mutating func change(_ body: (inout ServerState, inout Dice) -> Void) {
      let room = Int.random(in: 0...1, using: &dice)
      guard let index = rooms[room].indices.randomElement(using: &dice), !rooms[room][index].isDeleted else {
        return
      }
      clock += 1
      body(&rooms[room][index], &dice)
      rooms[room][index].revision += 1
      report(rooms[room][index], room)
    }

    mutating func stir() {
      switch Int.random(in: 0..<8, using: &dice) {
      case 0...3:
        let sender = FakeServer.others[Int.random(in: 0...1, using: &dice)]
        _ = add("text \(clock)", from: sender, to: Int.random(in: 0...1, using: &dice))
      case 4:
        let time = Timestamp(millisecondsSince1970: clock + 1)
        change { state, _ in
          (state.message.text, state.editedAt) = ("edited \(time.millisecondsSince1970)", time)
        }
      case 5: change { state, _ in state.isDeleted = true }
      default:
        change { state, dice in
          let who = (FakeServer.others + [FakeServer.me])[Int.random(in: 0...2, using: &dice)]
          let emoji = ["+", "-"][Int.random(in: 0...1, using: &dice)]
          let people = state.reactions[emoji] ?? []
          let others = people.filter { $0 != who }
          let new = others.count < people.count ? others : people + [who]
          state.reactions[emoji] = new.isEmpty ? nil : new
        }
      }
    }
  }

  private let state: Mutex<State>

  init(seed: UInt64) {
    var state = State(dice: Dice(seed: seed))
    for _ in 0..<80 { state.stir() }
    // Before the devices were there.
    state.events = [[], []]
    self.state = Mutex(state)
  }

  var isReliable: Bool {
    get { state.withLock { $0.isReliable } }
    set { state.withLock { $0.isReliable = newValue } }
  }

  func stir() { state.withLock { $0.stir() } }

  /// Some of what happened, by room, in any order and partly twice; all of it if the link is reliable.
  func events(for device: Int, using dice: inout Dice) -> [[ServerState]] {
    state.withLock { state in
      state.events[device].shuffle(using: &dice)
      let count = state.isReliable ? state.events[device].count : state.events[device].count / 2
      let heard = state.events[device].prefix(count)
      state.events[device].removeFirst(max(0, count - (state.isReliable ? 0 : 1)))
      return (0...1).map { room in heard.filter { $0.room == room }.map(\.state) }
    }
  }

  private func connect<Value>(_ body: (inout State) throws -> Value) throws -> Value {
    try state.withLock { state in
      let luck = state.isReliable ? 9 : Int.random(in: 0..<6, using: &state.dice)
      if luck == 0 { throw EdgeError(.unreachable, "no link") }
      let value = try body(&state)
      if luck == 1 { throw EdgeError(.unreachable, "the answer was lost") }
      return value
    }
  }

  func page(of room: Conversation.ID, upTo time: Timestamp?, limit: Int) async throws -> [ServerState] {
    try connect { state in
      let all = state.rooms[Int(room.rawValue) - 1].filter { !$0.isDeleted }
      let older = all.filter { state in time.map { state.message.time <= $0 } ?? true }
      return older.suffix(limit).map { state in
        var state = state
        state.message.token = nil
        return state
      }
    }
  }

  func post(_ text: String, to room: Conversation.ID, token: String) async throws -> ServerMessage {
    try connect { state in
      let number = Int(room.rawValue) - 1
      if let known = state.rooms[number].first(where: { $0.message.token == token }) { return known.message }
      return state.add(text, from: Self.me, to: number, token: token).message
    }
  }

  func picture(of room: Int) -> [String] {
    let states = state.withLock { $0.rooms[room] }.filter { !$0.isDeleted }
    let names = Set(states.map(\.message.id))
    return states.map { state in
      Self.line(
        state.message.id, state.message.text, state.message.sender.name, state.message.time,
        isEdited: state.editedAt != nil, state.replyTo.map { names.contains($0) ? $0 : "gone" },
        state.reactions.flatMap { emoji, people in people.map { "\(emoji) \($0.externalID ?? "")" } },
        state.files)
    }
  }

  static func line(
    _ id: String?, _ text: String, _ sender: String?, _ time: Timestamp, isEdited: Bool, _ reply: String?,
    _ reactions: [String], _ files: [String]
  ) -> String {
    let facts = [
      id ?? "?", text, sender ?? "?", "\(time.millisecondsSince1970)", "\(isEdited)", reply ?? "-",
    ]
    return (facts + reactions.sorted() + files).joined(separator: " | ")
  }
}
