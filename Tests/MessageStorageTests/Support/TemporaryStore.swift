import Foundation
import HistoryModel
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport

/// A store in a folder of its own, which goes with it.
final class TemporaryStore {
  let folder: URL
  let store: SynchronousMessageStore

  private static var options: StoreOptions {
    StoreOptions(durability: .process, busyTimeout: .milliseconds(10_000))
  }

  private static func newFolder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("scrollback-\(UUID().uuidString)")
  }

  init(options: StoreOptions? = nil, clock: Timestamp? = nil) throws {
    folder = Self.newFolder()
    let options = options ?? Self.options
    let path = folder.appendingPathComponent("test.db").path
    try StoreTemplate.copyEmpty(to: path)
    if let clock {
      store = try SynchronousMessageStore(path: path, options: options, clock: { clock })
    } else {
      store = try SynchronousMessageStore(path: path, options: options)
    }
  }

  /// Makes one whose store is as `prepare` has left the first of this name.
  init(named name: String, prepare: (SynchronousMessageStore) throws -> Void) throws {
    folder = Self.newFolder()
    let path = folder.appendingPathComponent("test.db").path
    try StoreTemplate.copy(name, to: path) { path in
      let first = try TemporaryStore()
      try prepare(first.store)
      first.store.close()
      try FileManager.default.moveItem(atPath: first.store.path, toPath: path)
    }
    store = try SynchronousMessageStore(path: path, options: Self.options)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A second opening of the same file, as another process has it.
  func another(_ access: StoreOptions.Access = .readWrite) throws -> SynchronousMessageStore {
    try SynchronousMessageStore(
      path: store.path,
      options: StoreOptions(access: access, durability: .process, busyTimeout: .milliseconds(10_000)))
  }
}

extension SynchronousMessageStore {
  /// All texts of a selection, oldest first, read page by page.
  func texts(_ selection: Selection = .everything, pageSize: Int = 7) throws -> [String] {
    try messages(selection, pageSize: pageSize).map(\.text)
  }

  func messages(_ selection: Selection = .everything, pageSize: Int = 7) throws -> [Message] {
    var all: [Message] = []
    var anchor = PageAnchor.oldest
    while true {
      let page = try page(PageRequest(selection, anchor: anchor, fetchLimit: pageSize))
      all += page.messages
      guard page.hasNewer, let last = page.messages.last else { return all }
      anchor = .after(last.id)
    }
  }
}

typealias Dice = SeededGenerator

extension ImportDetails {
  /// The details of a message of which only the id of its sender is known.
  init(senderID: String) {
    self.init()
    self.senderID = senderID
  }
}

extension ImportBatch {
  /// Adds a message as importers do.
  mutating func add(
    _ text: String, from sender: String? = "alice", at time: Timestamp, _ precision: TimePrecision = .minute,
    in conversation: String = "general", kind: Message.Kind = .text, details: ImportDetails? = nil,
    known identity: ConversationIdentity? = nil, place: String? = nil
  ) {
    let room = self.conversation(named: conversation, identity: identity, place: place)
    let name = sender.map { store($0) } ?? .none
    let body = store(text)
    let index = append(
      Entry(
        time: time.rounded(to: precision), precision: precision, kind: kind, conversation: room, sender: name,
        text: body))
    if let details { self.details[index] = details }
  }
}

/// A minute of 2024-05-01, 12:00 UTC and on.
func minute(_ number: Int) -> Timestamp {
  Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 12)).advanced(
    byMilliseconds: Int64(number) * 60_000)
}
