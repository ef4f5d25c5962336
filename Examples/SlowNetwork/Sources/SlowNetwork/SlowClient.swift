import Foundation
import ScrollbackKit

/// A client that has some of what a server has in a store. Whatever is cut off in it is done again in its next life.
struct SlowClient: Sendable {
  let store: MessageStore
  let room: Conversation.ID
  let server: SlowServer

  /// Opens the store in a folder: with the newest messages of the server, if it is empty, and a gap before them.
  init(in folder: URL, of server: SlowServer, newest: Int) async throws {
    let store = try await MessageStore(url: folder.appending(path: "store.db"))
    let (room, isKnown) = try await store.write { store in
      let room = try store.makeConversationIfNeeded(named: "general").id
      return (room, try store.payload(of: room) != nil)
    }
    (self.store, self.room, self.server) = (store, room, server)
    if isKnown { return }
    let (_, count) = try await server.news(since: .max)  // What comes with the page, too, is one.
    let items = try await server.page(.older, of: nil, limit: newest)
    try await store.write { store in
      try store.setGap(in: room)
      try store.fillGap(MessageGap(in: room), .newest, with: items.map(\.message))
      try store.setPayload(Array("\(count)".utf8), of: room)
    }
  }

  /// Scrolls, sends so many messages and listens, until all is here.
  func live(sends: Int) async throws {
    let list = MessageList(
      Selection(room), in: store,
      edgeLoader: EdgeLoader { request in
        guard let gap = request.gap else { return .endReached }
        let limit = request.limit * 10
        let items = try await server.page(request.edge, of: request.time, limit: limit)
        let part = items.count < limit ? .all : request.part
        try await store.write { try $0.fillGap(gap, part, with: items.map(\.message)) }
        return .loaded
      })
    for step in 1... {
      // In each life all are written: those that are there already are not written twice.
      if step <= sends {
        let (text, source) = ("own \(step)", Message.Source(platform: "outbox", id: "own \(step)"))
        let own = NewMessage(text, from: "me", source: source, sendingState: .waiting)
        try await store.append([own], to: room)
      }
      do {
        try await flush()
        try await receive()
        if step >= sends, try await isWhole() { return }
      } catch is SlowServer.LinkDown {}
      await list.retryEdges()
      // The reader is restless at first, and then reads from the newest message up to the first, and again.
      let move: ListCommand =
        await list.current.holdsAll(.older) ? .jump(to: .newest) : .scroll(.older)
      await list.perform(step < 20 && step % 3 == 1 ? .jump(to: .percent(Double(step * 37 % 100))) : move)
      for await snapshot in list.snapshots() { guard case .loading = snapshot.edges.older else { break } }
    }
  }

  private func isWhole() async throws -> Bool { try await store.read { try $0.gaps(of: room).isEmpty } }

  /// Sends waiting messages, oldest first.
  private func flush() async throws {
    while let (id, text) = try await firstWaiting() {
      if let item = try await server.post(text) { try await store.write { try settle(id, as: item, in: $0) } }
    }
  }

  private func firstWaiting() async throws -> (Message.ID, String)? {
    try await store.read { store in
      guard let id = try store.messages(in: .waiting, limit: 1).first else { return nil }
      return (id, try store.text(of: id) ?? "")
    }
  }

  /// Gives a message the number and the time that the server gave it.
  private func settle(_ id: Message.ID, as item: SlowServer.Item, in store: WriteTransaction) throws {
    do {
      try store.setSource(.init(platform: "acme", id: "\(item.number)"), of: id)
    } catch {
      guard error.kind == .alreadyExists else { throw error }
      // The copy came with a page, or an earlier run of the app wrote it.
      try store.delete([id])
      return
    }
    try store.move(id, to: item.time)
    try store.setSendingState(.sent, of: id)
  }

  /// Handles the events since the last call.
  private func receive() async throws {
    let known = try await store.read { store in
      try store.payload(of: room).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }
    let (items, count) = try await server.news(since: known)
    try await store.write { store in
      for item in items {
        if let own = try store.messageID(platform: "outbox", id: item.text) {
          try settle(own, as: item, in: store)
        } else {
          try store.move(store.append([item.message], to: room)[0], to: item.time)
        }
      }
      try store.setPayload(Array("\(count)".utf8), of: room)
    }
  }
}
