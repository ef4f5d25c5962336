import Foundation
import ScrollbackKit

/// The recipe for sending of docs/libraries.md: what is written is shown at once, sent in order, and is one message with
/// what the server sends back. `SendingTests` plays it.
struct Outbox {
  let store: MessageStore
  let server: any ChatServer

  // sample
  /// Writes a message that waits to be sent.
  func send(_ text: String, from sender: SenderKey, to room: Conversation.ID) async throws {
    let token = UUID().uuidString
    let message = NewMessage(
      text, from: sender, source: Message.Source(platform: "outbox", id: token), payload: Array(token.utf8),
      sendingState: .waiting)
    try await store.append([message], to: room)
  }

  /// Sends what waits: rooms beside each other, in each one message after the other, oldest first. A room in which
  /// the link fails waits for the next call. One call at a time.
  func flush() async throws {
    let rooms = try await store.read { store in
      let waiting = try store.messages(in: .waiting, limit: 1_000).compactMap { try store.message($0) }
      return Dictionary(grouping: waiting, by: \.conversation).mapValues { $0.map(\.id) }
    }
    let failures = await withTaskGroup(of: (any Error)?.self) { group in
      for (room, ids) in rooms {
        group.addTask {
          do { try await send(ids, to: room) } catch { return error }
          return nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }
    if let first = failures.first { throw first }
  }

  func send(_ ids: [Message.ID], to room: Conversation.ID) async throws {
    for id in ids {
      guard let (text, token) = try await waiting(id) else { continue }
      do {
        // A server that knows the token returns the same response again.
        let answer = try await server.post(text, to: room, token: token)
        try await store.write { try settle(id, as: answer, in: $0) }
      } catch is Refusal {
        // For good: the user sees it, and the messages behind it are sent.
        try await store.write { try setState(.failed, of: id, in: $0) }
      }
    }
  }

  /// Sends a failed message again, with the next `flush`.
  func retry(_ id: Message.ID) async throws {
    try await store.write { try setState(.waiting, of: id, in: $0) }
  }

  /// Stores what the server has of a room: a page or an event. They may come in any order, and repeatedly.
  func receive(_ messages: [ServerMessage], in room: Conversation.ID) async throws {
    try await store.write { store in
      for message in messages {
        guard let token = message.token, let own = try store.messageID(platform: "outbox", id: token) else {
          continue
        }
        try settle(own, as: message, in: store)
      }
      try store.append(messages.map(\.new), to: room)
    }
  }

  /// Gives a message the id and the time that the server gave it.
  func settle(_ id: Message.ID, as message: ServerMessage, in store: WriteTransaction) throws {
    // The user has deleted it while it was sent: the server should, too.
    guard try store.message(id) != nil else { return }
    do {
      try store.setSource(message.source, of: id)
    } catch {
      guard error.kind == .alreadyExists else { throw error }
      // The server's copy came first, in a page without tokens: keep that one.
      try store.delete([id])
      return
    }
    try store.move(id, to: message.time)
    try store.setSendingState(.sent, of: id)
  }

  func setState(_ state: Message.SendingState, of id: Message.ID, in store: WriteTransaction) throws {
    guard try store.message(id) != nil else { return }
    try store.setSendingState(state, of: id)
  }

  /// Returns what is to be sent; `nil` if the message was deleted meanwhile, or the server has it.
  func waiting(_ id: Message.ID) async throws -> (text: String, token: String)? {
    try await store.read { store in
      guard try store.message(id)?.sendingState == .waiting, let text = try store.text(of: id),
        let token = try store.payload(of: id)
      else { return nil }
      return (text, String(decoding: token, as: UTF8.self))
    }
  }
  // end
}

/// A message as the server has it.
struct ServerMessage: Sendable {
  var id: String
  var token: String?
  var text: String
  var sender: SenderKey
  var time: Timestamp

  var source: Message.Source { Message.Source(platform: "acme", id: id) }
  var new: NewMessage { NewMessage(text, from: sender, at: time, source: source) }
}

/// The server will never take a message.
struct Refusal: Error {}

protocol ChatServer: Sendable {
  func post(_ text: String, to room: Conversation.ID, token: String) async throws -> ServerMessage
}
