import Foundation
import ScrollbackKit

/// A source beyond a network: each page takes a while, and some never come. Here the server is a store in a file; with a
/// real one, `page` would send the request and decode the answer.
struct RemoteSource: MessageSource {
  let server: MessageStore
  let latency: Duration
  /// Every how many calls the link is down.
  let faultInterval: Int
  private let calls = Counter()

  init(_ server: MessageStore, latency: Duration, faultInterval: Int) {
    (self.server, self.latency, self.faultInterval) = (server, latency, faultInterval)
  }

  func page(_ request: PageRequest) async throws(StoreError) -> Page {
    let call = await calls.next()
    do {
      try await Task.sleep(for: latency)
    } catch {
      throw StoreError(.cancelled, "cannot read a page", cause: "nobody waits for it any more")
    }
    if call.isMultiple(of: faultInterval) {
      throw StoreError(.inputOutput, "cannot read a page", cause: "the link is down", remedy: "to retry")
    }
    return try await server.page(request)
  }

  /// A server would tell by a socket; without one, a source may yield whenever it is worth a look.
  func changes() -> AsyncStream<SourceChange> { server.changes() }
}

actor Counter {
  private var count = 0
  func next() -> Int {
    count += 1
    return count
  }
}

/// Scrolls from the newest to the oldest of 1,000 messages over a slow link, and says what a view would show meanwhile.
@main struct SlowNetwork {
  static func main() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).db").path
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let server = try await MessageStore(path: path)
    let room = try await server.makeConversation(named: "general")
    try await server.append((1...1_000).map { NewMessage("message \($0)", from: "ada") }, to: room.id)

    let source = RemoteSource(server, latency: .milliseconds(200), faultInterval: 4)
    let list = MessageList(
      Selection(room.id), in: source, limits: try WindowLimits(messages: 300, pageSize: 100))
    let watching = Task { for await snapshot in await list.snapshots() { show(snapshot) } }
    var snapshot = await list.perform(.jump(to: .newest))
    while snapshot.header.hasOlder || hasFailed(snapshot.header) {
      // A view would ask when its reader comes near the end, and retry when somebody presses a button.
      snapshot = await list.perform(hasFailed(snapshot.header) ? .retry : .older)
    }
    print("the oldest is \(snapshot.messages.first?.text ?? "-"), \(snapshot.messages.count) are held")
    watching.cancel()
    await server.close()
  }

  static func hasFailed(_ header: WindowHeader) -> Bool {
    for case .failed in [header.jumping, header.readingOlder] { return true }
    return false
  }

  static func show(_ snapshot: MessageList.Snapshot) {
    let texts = [snapshot.messages.first, snapshot.messages.last].compactMap { $0?.text }
    let header = snapshot.header
    print(texts.joined(separator: " … "), "older: \(header.readingOlder)", "jump: \(header.jumping)")
  }
}
