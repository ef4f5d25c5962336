import Foundation
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport

/// The server of `scrollback serve`: pages for many clients at once, and how soon they hear of an append.
struct ServerScenarios {
  let setting: Setting

  private static let clientCount = 50
  private static let (crowd, slowCount) = (200, 120)

  /// A page of 50 anywhere in a conversation, asked for again and again by each client, as soon as it has the last one.
  func pages() throws -> [Finding] {
    let name = "a page of 50 anywhere over HTTP, with"
    let (few, many) = (try pages(clientCount: Self.clientCount), try pages(clientCount: Self.crowd))
    let beside = try pages(clientCount: Self.crowd, slowCount: Self.slowCount)
    return [
      Finding(name: "\(name) \(Self.clientCount) clients", ours: few),
      Finding(name: "\(name) \(Self.crowd) clients", ours: many),
      Finding(
        name: "\(name) \(Self.crowd) clients beside \(Self.slowCount) slow readers", ours: beside,
        baseline: ("without them", many)),
    ]
  }

  /// Takes down how long each client waits for each page.
  ///
  /// - Parameter slowCount: How many other clients ask for much and hardly read it.
  private func pages(clientCount: Int, slowCount: Int = 0) throws -> Measurement {
    let path = try setting.store()
    let conversation = try Self.conversation(in: path)
    let server = try ServerProcess(store: path)
    defer { server.stop() }
    let clients = try (0..<clientCount).map { _ in try ServerClient(server) }
    var numbers = SeededGenerator(seed: 7)
    func question() -> String {
      let number = Int.random(in: 1...setting.size, using: &numbers)
      return "api/page?conversationID=\(conversation.rawValue)&at=number:\(number)&limit=50"
    }
    // The first of each opens what the server needs for it.
    for client in clients { try client.ask(question()) }
    var slow = try SlowReaders(count: slowCount, of: server, conversation)
    var ours = Measurement()
    var left = clientCount * setting.depth.times(20_000 / clientCount, quick: 2_000 / clientCount)
    for client in clients { try client.send(question()) }
    while left > 0 {
      slow.read()
      var ready = clients.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      guard poll(&ready, nfds_t(ready.count), 10_000) > 0 else {
        throw Program.Failure("the server does not answer")
      }
      for index in clients.indices where ready[index].revents != 0 {
        guard let time = try clients[index].receive() else { continue }
        left -= 1
        ours.add(time)
        if left >= clientCount { try clients[index].send(question()) }
      }
    }
    ours.peakBytes = server.peakByteCount
    return ours
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
    ours.peakBytes = server.peakByteCount
    return [
      Finding(
        name: "an append of another process, from its commit to the events of \(Self.clientCount) clients",
        ours: ours)
    ]
  }
}
