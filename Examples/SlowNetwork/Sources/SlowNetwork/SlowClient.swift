import Foundation
import ScrollbackKit

/// A client that has some of what a server has in a store. Whatever is cut off in it is done again in its next life.
struct SlowClient: Sendable {
  let store: MessageStore
  let room: Conversation.ID
  let server: SlowServer

  /// Opens the store at a path: with the newest messages of the server, if it is empty, and a gap before them.
  init(path: String, server: SlowServer, newest: Int) async throws {
    store = try await MessageStore(path: path)
    self.server = server
    if let known = try await store.conversation(named: "general") {
      room = known.id
    } else {
      room = try await store.makeConversation(named: "general").id
    }
    guard try await store.payload(of: room) == nil else { return }
    // From here on news are asked for; what is in both is one message.
    let (_, count) = try await server.news(since: .max)
    let items = try await server.page(.older, of: nil, limit: newest)
    try await store.setGap(in: room)
    for gap in try await store.gaps(of: room) { try await fill(gap, .newest, with: items) }
    try await store.setPayload(Array("\(count)".utf8), of: room)
  }

  /// A list that loads what is missing as its reader comes near.
  func list() -> MessageList {
    MessageList(
      Selection(room), in: store,
      edgeLoader: EdgeLoader(at: []) { request in
        guard let gap = request.gap else { return .endReached }
        let limit = request.limit * 10
        let items = try await server.page(request.edge, of: request.key?.time, limit: limit)
        try await fill(gap, items.count < limit ? .all : request.part, with: items)
        return .loaded
      })
  }

  private func fill(_ gap: MessageGap, _ part: MessageGap.Part, with items: [SlowServer.Item]) async throws {
    try await store.fillGap(gap, part, with: items.map(Self.message))
  }

  private static func message(_ item: SlowServer.Item) -> NewMessage {
    NewMessage(item.text, from: "ada", at: item.time, source: .init(platform: "acme", id: "\(item.number)"))
  }

  // MARK: Sending

  /// Writes a message that waits to be sent. The same token twice is one message.
  func write(_ text: String, token: String) async throws {
    try await store.append(
      [
        NewMessage(
          text, from: "me", source: .init(platform: "outbox", id: token), payload: Array(token.utf8),
          sendingState: .waiting)
      ], to: room)
  }

  /// Sends what waits, oldest first.
  func flush() async throws {
    while let id = try await store.messages(in: .waiting, limit: 1).first {
      guard let message = try await store.message(id), let token = try await store.payload(of: id) else {
        return
      }
      try await settle(
        id, as: try await server.post(message.text, token: String(decoding: token, as: UTF8.self)))
    }
  }

  /// Has a message be what the server made of it: under its number, where its time is.
  private func settle(_ id: Message.ID, as item: SlowServer.Item) async throws {
    do {
      try await store.setSource(.init(platform: "acme", id: "\(item.number)"), of: id)
    } catch let error as StoreError where error.kind == .alreadyExists {
      // It came as news, or was written in an earlier life.
      try await store.delete([id])
      return
    }
    try await store.move(id, to: item.time)
    try await store.setSendingState(.sent, of: id)
  }

  // MARK: News

  /// Takes in what has happened since the last time.
  func receive() async throws {
    let known = try await store.payload(of: room).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    let (items, count) = try await server.news(since: known)
    for item in items {
      if let token = item.token, let own = try await store.messageID(platform: "outbox", id: token) {
        try await settle(own, as: item)
      } else if let id = try await store.messageID(platform: "acme", id: "\(item.number)") {
        try await store.move(id, to: item.time)
      } else {
        try await store.append([Self.message(item)], to: room)
      }
    }
    try await store.setPayload(Array("\(count)".utf8), of: room)
  }

  /// Whether nothing is missing, and nothing waits.
  var isWhole: Bool {
    get async throws {
      let (gaps, waiting) = (try await store.gaps(of: room), try await store.messages(in: .waiting, limit: 1))
      return gaps.isEmpty && waiting.isEmpty
    }
  }

  /// All texts, in the order of the store.
  var texts: [String] {
    get async throws {
      try await store.page(PageRequest(Selection(room), anchor: .oldest, fetchLimit: 1_000_000)).messages.map(
        \.text)
    }
  }
}
