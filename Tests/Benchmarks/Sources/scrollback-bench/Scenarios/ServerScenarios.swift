import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport

/// The server of `scrollback serve`: pages for many clients at once, and how soon they hear of an append.
struct ServerScenarios {
  let setting: Setting

  private static let clientCount = 50

  /// A page of 50 anywhere in a conversation, asked for again and again by each client, as soon as it has the last one.
  func pages() throws -> [Finding] {
    let path = try setting.store()
    let conversation = try Self.conversation(in: path)
    let server = try ServerProcess(store: path)
    defer { server.stop() }
    let clients = try (0..<Self.clientCount).map { _ in try ServerClient(server) }
    var numbers = SeededGenerator(seed: 7)
    var ours = Measurement()
    func ask(_ index: Int) throws {
      let number = Int.random(in: 1...setting.size, using: &numbers)
      try clients[index].send("api/page?conversationID=\(conversation.rawValue)&at=number:\(number)&limit=50")
    }
    let roundCount = setting.depth.times(400, quick: 40)
    var left = Self.clientCount * (roundCount + 1)
    // The first of each opens what the server needs for it.
    for index in clients.indices { try ask(index) }
    while left > 0 {
      var ready = clients.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      guard poll(&ready, nfds_t(ready.count), 10_000) > 0 else {
        throw Program.Failure("the server does not answer")
      }
      for index in clients.indices where ready[index].revents != 0 {
        guard let time = try clients[index].receive() else { continue }
        left -= 1
        if clients[index].answerCount > 1 { ours.add(time) }
        if left >= Self.clientCount { try ask(index) }
      }
    }
    ours.peakBytes = try server.peakByteCount()
    return [Finding(name: "a page of 50 anywhere over HTTP, with \(Self.clientCount) clients", ours: ours)]
  }

  /// Returns a conversation of a store.
  static func conversation(in path: String) throws -> Conversation.ID {
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    guard let conversation = try store.conversations(after: nil, limit: 1).first else {
      throw Program.Failure("'\(path)' has no conversation")
    }
    return conversation.id
  }

  /// An append, from its commit to the event.
  func changes() throws -> [Finding] {
    let path = try setting.copyOfStore(named: "served")
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    guard let conversation = try store.conversations(after: nil, limit: 1).first else { return [] }
    let server = try ServerProcess(store: path)
    defer { server.stop() }
    let listeners = try (0..<Self.clientCount).map { _ in try ServerClient(server) }
    for listener in listeners {
      try listener.send("api/changes")
      try listener.wait(for: "event: hello")
    }
    var ours = Measurement()
    for number in 0..<setting.depth.times(100) {
      try store.append([NewMessage("arrival \(number)", from: "alice")], to: conversation.id)
      try ours.time { for listener in listeners { try listener.wait(for: "event: changes") } }
    }
    ours.peakBytes = try server.peakByteCount()
    return [
      Finding(
        name: "an append of another process, from its commit to the events of \(Self.clientCount) clients",
        ours: ours)
    ]
  }
}
