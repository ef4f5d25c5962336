import Foundation
import MessageModel
import MessageStorage
import TestSupport
import Testing

@Suite struct ChangesTests {
  /// A hundred thousand operations in the long form.
  @Test func `who only reads changes holds what the store holds, whatever three processes do`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scrollback-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("test.db").path
    let store = try await MessageStore(
      path: path, options: StoreOptions(durability: .process, busyTimeout: .milliseconds(60_000)))
    try await store.write { try $0.makeConversation(named: "shared") }
    let changes = store.changes()
    let beginner = try await Client(store)
    let count = isLong ? 33_334 : 400
    let writers = try (1...3).map { seed in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "store-worker"))
      process.arguments = ["random-writes", path, "--count", "\(count)", "--seed", "\(seed)"]
      try process.run()
      return process
    }
    let follower = Task {
      var client = beginner
      for await _ in changes { try await client.catchUp(with: store) }
      return client
    }
    let ends = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        for writer in writers { writer.waitUntilExit() }
        continuation.resume(returning: writers.map(\.terminationStatus))
      }
    }
    #expect(ends == [0, 0, 0])
    // Closing ends the notices; the client has what was told of, and asks once more.
    await store.close()
    var client = try await follower.value
    let again = try await MessageStore(path: path)
    try await client.catchUp(with: again)
    let truth = try await Client(again).copy
    let differing = Set(truth.keys).union(client.copy.keys).filter { truth[$0] != client.copy[$0] }.sorted()
    #expect(
      differing.isEmpty,
      "\(differing.prefix(3).map { "\($0): \(client.copy[$0].debugDescription) is \(truth[$0].debugDescription)" })"
    )
    #expect(client.askedCount > 1)
    print(
      "\(client.copy.count) messages, \(client.askedCount) times asked, \(client.wholeCount) times everything"
    )
    await again.close()
  }
}

/// Holds a copy of all messages, and reads no more than it is told to.
private struct Client: Sendable {
  struct Copied: Hashable {
    var text: String
    var revision: Int
    var conversation: Conversation.ID
  }

  private(set) var copy: [Message.ID: Copied] = [:]
  private(set) var askedCount = 0
  private(set) var wholeCount = 0
  private var version = SourceVersion()

  init(_ store: MessageStore) async throws {
    version = try await store.read { try $0.version(of: .everything) }
    try await readAll(from: store)
  }

  mutating func catchUp(with store: MessageStore) async throws {
    askedCount += 1
    let changes: MessageChanges
    do {
      changes = try await store.read { [version] in try $0.changes(since: version) }
      if changes.isEverything {
        wholeCount += 1
        try await readAll(from: store)
      } else {
        for id in changes.deleted { copy[id] = nil }
        for id in changes.inserted + changes.edited { try await read(id, from: store) }
      }
    } catch let error as StoreError where error.kind == .invalidRequest {
      // The store was closed meanwhile; what was not read is told of again.
      return
    }
    version = changes.version
  }

  private mutating func readAll(from store: MessageStore) async throws {
    copy = [:]
    var anchor = PageAnchor.oldest
    while true {
      let page = try await store.page(PageRequest(.everything, anchor: anchor, fetchLimit: 5_000))
      for message in page.messages { take(message) }
      guard page.hasNewer, let last = page.messages.last else { return }
      anchor = .after(last.id)
    }
  }

  private mutating func read(_ id: Message.ID, from store: MessageStore) async throws {
    let selection = Selection(.all, where: .ids(id...id))
    // It may have been deleted since, which is told of later.
    copy[id] = nil
    for message in try await store.page(PageRequest(selection, fetchLimit: 1)).messages { take(message) }
  }

  private mutating func take(_ message: Message) {
    copy[message.id] = Copied(
      text: message.text, revision: message.revision, conversation: message.conversation)
  }
}
