import ScrollbackKit

/// A messenger on one device of its user, over a server whose pages and events come late, twice and in any order. It keeps
/// nothing beside the store. `MessengerTests` plays it.
struct Messenger {
  let store: MessageStore
  let server: any MessengerServer

  var outbox: Outbox { Outbox(store: store, server: server) }

  /// A page on its way.
  struct Answer: Sendable {
    var gap: MessageGap
    var states: [ServerState]
    var isLast: Bool
  }

  /// Opens a room, of which nothing is here at first.
  func open(_ name: String) async throws -> Conversation.ID {
    guard let identity = ConversationIdentity(platform: "acme", key: name) else { preconditionFailure(name) }
    return try await store.write { store in
      if let known = try store.conversation(known: identity) { return known.id }
      let room = try store.makeConversationIfNeeded(known: identity, named: name).id
      try store.setGap(in: room)
      return room
    }
  }

  /// Asks for messages of the newest gap of a room; `nil` if none is left.
  func ask(_ room: Conversation.ID, limit: Int = 12) async throws -> Answer? {
    let (gap, next) = try await store.read { store in
      let gap = try store.gaps(of: room).last
      // The message behind the gap, or the one behind that if it was deleted.
      let request = gap?.before.map {
        PageRequest(Selection(room), anchor: .after($0.predecessor), fetchLimit: 1)
      }
      return (gap, try request.flatMap { try store.page($0).messages.first })
    }
    guard let gap else { return nil }
    let states = try await server.page(of: room, upTo: next?.time, limit: limit)
    return Answer(gap: gap, states: states, isLast: states.count < limit)
  }

  // sample
  /// Stores a page of the server.
  func take(_ answer: Answer) async throws {
    try await take(answer.states) { store, messages in
      try store.fillGap(answer.gap, answer.isLast ? .all : .newest, with: messages)
    }
  }

  /// Stores events of a room, each of which has the whole message: of several states of one, the newest last.
  func take(_ events: [ServerState], in room: Conversation.ID) async throws {
    try await take(events.sorted { $0.revision < $1.revision }) { store, messages in
      try store.append(messages, to: room)
    }
  }

  private func take(
    _ states: [ServerState],
    writing write: @escaping @Sendable (WriteTransaction, [NewMessage]) throws -> Void
  ) async throws {
    try await store.write { store in
      for state in states {
        guard let token = state.message.token, let own = try store.messageID(platform: "outbox", id: token)
        else { continue }
        try outbox.settle(own, as: state.message, in: store)
      }
      try write(store, states.map { try message($0, in: store) })
      let gone = try states.filter(\.isDeleted).compactMap { state in
        try store.messageID(platform: "acme", id: state.message.id)
      }
      if !gone.isEmpty { try store.delete(gone) }
    }
  }

  /// The text of an older state stays behind by the time of its edit, its reactions by its revision.
  private func message(_ state: ServerState, in store: WriteTransaction) throws -> NewMessage {
    var message = state.message.new
    message.replyTo = state.replyTo.map { .external($0) }
    message.editedAt = state.editedAt
    message.attachments = state.files.map { Message.Attachment(name: $0) }
    guard try state.revision > revision(of: state.message, in: store) else { return message }
    message.reactions = state.reactions.sorted { $0.key < $1.key }.map { emoji, people in
      Message.Reaction(emoji: emoji, senders: people.map(\.name), senderIDs: people.map(\.externalID))
    }
    message.hasAllReactions = true
    message.payload = Array(String(state.revision).utf8)
    return message
  }

  private func revision(of message: ServerMessage, in store: WriteTransaction) throws -> Int {
    guard let id = try store.messageID(platform: "acme", id: message.id), let data = try store.payload(of: id)
    else { return -1 }
    return Int(String(decoding: data, as: UTF8.self)) ?? -1
  }
  // end
}

/// A message as the server has it, with all that has happened to it.
struct ServerState: Sendable {
  var message: ServerMessage
  /// One more with each change.
  var revision = 0
  var replyTo: String?
  var editedAt: Timestamp?
  var reactions: [String: [SenderKey]] = [:]
  var files: [String] = []
  var isDeleted = false
}

protocol MessengerServer: ChatServer {
  /// The newest messages of a room up to a time, oldest first.
  func page(of room: Conversation.ID, upTo time: Timestamp?, limit: Int) async throws -> [ServerState]
}
