import Foundation
import ScrollbackKit

/// A client that has some of what a server has in a store. Whatever is cut off in it is done again in its next life.
struct SlowClient: Sendable {
  let store: MessageStore
  let room: Conversation.ID
  let server: SlowServer

  /// Opens the store in a folder: with the newest messages of the server, if it is empty, and a gap before them.
  init(in folder: URL, of server: SlowServer, newest: Int) async throws {
    (store, self.server) = (try await MessageStore(url: folder.appending(path: "store.db")), server)
    room = try await store.makeConversationIfNeeded(named: "general").id
    guard try await store.payload(of: room) == nil else { return }
    let (_, count) = try await server.news(since: .max)  // What comes with the page, too, is one.
    let items = try await server.page(.older, of: nil, limit: newest)
    try await store.setGap(in: room)
    try await store.fillGap(MessageGap(in: room), .newest, with: items.map(\.message))
    try await store.setPayload(Array("\(count)".utf8), of: room)
  }

  /// Scrolls, sends so many messages and listens, until all is here.
  func live(sends: Int) async throws {
    let list = MessageList(
      Selection(room), in: store,
      edgeLoader: EdgeLoader(at: []) { request in
        guard let gap = request.gap else { return .endReached }
        let limit = request.limit * 10
        let items = try await server.page(request.edge, of: request.time, limit: limit)
        try await store.fillGap(gap, items.count < limit ? .all : request.part, with: items.map(\.message))
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
        if step >= sends, try await store.gaps(of: room).isEmpty { return }
      } catch is SlowServer.LinkDown {}
      await list.retryEdges()
      // The reader is restless at first, and then reads from the newest message up to the first, and again.
      let move: MessageWindow.Command =
        await list.current.holdsAll(.older) ? .jump(to: .newest) : .scroll(.older)
      await list.perform(step < 20 && step % 3 == 1 ? .jump(to: .percent(Double(step * 37 % 100))) : move)
      for await snapshot in list.snapshots() { guard case .loading = snapshot.edges.older else { break } }
    }
  }

  /// Sends what waits, oldest first.
  private func flush() async throws {
    while let id = try await store.messages(in: .waiting, limit: 1).first {
      let text = try await store.message(id)?.text ?? ""
      if let item = try await server.post(text) { try await settle(id, as: item) }
    }
  }

  /// Has a message be what the server made of it: under its number, where its time is.
  private func settle(_ id: Message.ID, as item: SlowServer.Item) async throws {
    do {
      try await store.setSource(.init(platform: "acme", id: "\(item.number)"), of: id)
    } catch let error as StoreError where error.kind == .alreadyExists {
      // It came with a page, or was written in an earlier life.
      try await store.delete([id])
      return
    }
    try await store.move(id, to: item.time)
    try await store.setSendingState(.sent, of: id)
  }

  /// Takes in what has happened since the last time.
  private func receive() async throws {
    let known = try await store.payload(of: room).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    let (items, count) = try await server.news(since: known)
    for item in items {
      if let own = try await store.messageID(platform: "outbox", id: item.text) {
        try await settle(own, as: item)
      } else {
        try await store.move(store.append([item.message], to: room)[0], to: item.time)
      }
    }
    try await store.setPayload(Array("\(count)".utf8), of: room)
  }
}
