import Foundation
import GRDB
import MessageModel
import MessageStorage
import Testing

/// Whoever waits for a store can wait no more.
struct CancellationTests {
  private func made(_ body: (SynchronousMessageStore, Conversation.ID) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SynchronousMessageStore(path: folder.appendingPathComponent("store.db").path)
    defer { store.close() }
    try body(store, try store.makeConversation(named: "general").id)
  }

  private func kind(_ body: () throws -> Void) -> StoreError.Kind? {
    do {
      try SynchronousMessageStore.whileCancellable(by: { true }, body)
      return nil
    } catch {
      return (error as? StoreError)?.kind
    }
  }

  @Test func `reading ends when nobody waits for it, and what is written is written`() throws {
    try made { store, general in
      #expect(kind { _ = try store.append([NewMessage("kept")], to: general) } == nil)
      #expect(kind { _ = try store.page(PageRequest(Selection(general))) } == .cancelled)
      #expect(kind { _ = try store.conversations() } == .cancelled)
      let snapshot = try store.snapshot()
      #expect(try snapshot.page(PageRequest(Selection(general))).messages.map(\.text) == ["kept"])
    }
  }

  @Test func `nobody waits for another writer longer than they want`() throws {
    try made { store, general in
      var options = Configuration()
      options.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: store.path, configuration: options)
      try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
      #expect(kind { _ = try store.append([NewMessage("lost")], to: general) } == .cancelled)
      try other.inDatabase { try $0.execute(sql: "COMMIT") }
      #expect(try store.page(PageRequest(Selection(general))).messages.isEmpty)
    }
  }
}
