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

  /// Sends what waits, oldest first; called again whenever there is hope.
  func flush() async throws {
    while let id = try await store.messages(in: .waiting, limit: 1).first {
      guard let message = try await store.message(id), let token = try await store.payload(of: id) else {
        return
      }
      // A server that knows the token already answers as it did then.
      let answer = try await server.post(message.text, token: String(decoding: token, as: UTF8.self))
      try await settle(id, as: answer)
    }
  }

  /// Takes in what the server says, in whatever order, as often as it likes.
  func receive(_ event: ServerEvent) async throws {
    if let token = event.token, let own = try await store.messageID(platform: "outbox", id: token) {
      return try await settle(own, as: event)
    }
    let source = Message.Source(platform: "acme", id: event.id)
    try await store.append(
      [NewMessage(event.text, from: event.sender, at: event.time, source: source)], to: room)
  }

  /// Has a message be what the server made of it: under its id, and where its time is.
  func settle(_ id: Message.ID, as event: ServerEvent) async throws {
    do {
      try await store.setSource(Message.Source(platform: "acme", id: event.id), of: id)
    } catch let error as StoreError where error.kind == .alreadyExists {
      // The server's copy came first, with a page that says nothing of tokens: that one stays.
      try await store.delete([id])
      return
    }
    try await store.move(id, to: event.time)
    try await store.setSendingState(.sent, of: id)
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
