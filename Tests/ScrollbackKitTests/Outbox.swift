import Foundation
import ScrollbackKit

/// The recipe for sending of docs/libraries.md: what is written is shown at once, sent in order, and is one message with
/// what the server sends back. `SendingTests` plays it.
struct Outbox {
  let store: MessageStore
  let room: Conversation.ID
  let server: any ChatServer

  // sample
  /// Writes a message that waits to be sent.
  func send(_ text: String, from sender: SenderKey) async throws {
    let token = UUID().uuidString
    let message = NewMessage(
      text, from: sender, source: Message.Source(platform: "outbox", id: token), payload: Array(token.utf8),
      sendingState: .waiting)
    try await store.append([message], to: room)
  }

  /// Sends waiting messages, oldest first. Call it again when the network is back.
  func flush() async throws {
    while let next = try await firstWaiting() {
      // A server that knows the token returns the same response again.
      let answer = try await server.post(next.text, token: next.token)
      try await settle(next.id, as: answer)
    }
  }

  func firstWaiting() async throws -> (id: Message.ID, text: String, token: String)? {
    try await store.read { store in
      guard let id = try store.messages(in: .waiting, limit: 1).first, let text = try store.text(of: id),
        let token = try store.payload(of: id)
      else { return nil }
      return (id, text, String(decoding: token, as: UTF8.self))
    }
  }

  /// Handles an event of the server. Events may come in any order, and repeatedly.
  func receive(_ event: ServerEvent) async throws {
    let source = Message.Source(platform: "acme", id: event.id)
    try await store.write { store in
      if let token = event.token, let own = try store.messageID(platform: "outbox", id: token) {
        return try settle(own, as: event, in: store)
      }
      try store.append(
        [NewMessage(event.text, from: event.sender, at: event.time, source: source)], to: room)
    }
  }

  /// Gives a message the id and the time that the server gave it.
  func settle(_ id: Message.ID, as event: ServerEvent) async throws {
    try await store.write { try settle(id, as: event, in: $0) }
  }

  func settle(_ id: Message.ID, as event: ServerEvent, in store: WriteTransaction) throws {
    do {
      try store.setSource(Message.Source(platform: "acme", id: event.id), of: id)
    } catch {
      guard error.kind == .alreadyExists else { throw error }
      // The server's copy came first, in a page without tokens: keep that one.
      try store.delete([id])
      return
    }
    try store.move(id, to: event.time)
    try store.setSendingState(.sent, of: id)
  }
  // end
}

/// A message as the server has it.
struct ServerEvent: Sendable {
  var id: String
  var token: String?
  var text: String
  var sender: SenderKey
  var time: Timestamp
}

protocol ChatServer: Sendable {
  func post(_ text: String, token: String) async throws -> ServerEvent
}
