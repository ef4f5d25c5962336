import Foundation
import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport

@testable import MessageStorage

/// A store in which each piece of a text names its message, so that it is known on which pages a message lies, and what
/// it holds.
final class SalvageFixture {
  let folder: URL
  let path: String
  /// The file, without a log.
  private(set) var bytes: [UInt8] = []
  private(set) var truth: [Message.ID: Message] = [:]
  /// What was deleted.
  private(set) var deleted: Set<Message.ID> = []
  /// The pages on which each message lies.
  private(set) var pages: [Message.ID: Set<Int>] = [:]

  /// - Parameter hasChecksums: Whether messages have them.
  init(count: Int, hasChecksums: Bool = true) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    path = folder.appending(path: "test.db").path
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
    try fill(store, count)
    if !hasChecksums { try store.execute("UPDATE message SET checksum = NULL") }
    store.close()
    bytes = try Array(Data(contentsOf: URL(filePath: path)))
    findPages()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func fill(_ store: SynchronousMessageStore, _ count: Int) throws {
    var dice = SeededGenerator(seed: 7)
    var batch = ImportBatch()
    for index in 0..<count {
      var details = ImportDetails()
      if index.isMultiple(of: 9) { details.reactions = [Message.Reaction(emoji: "👍", senders: ["bob"])] }
      if index.isMultiple(of: 3) { details.source = Message.Source(platform: "slack", id: "C\(index)") }
      let length = index.isMultiple(of: 60) ? 400 : Int.random(in: 1...12, using: &dice)
      batch.add(
        Self.text(of: index, length), from: ["alice", "bob", "Zoë"][index % 3], at: minute(index),
        in: ["general", "random", "general", "Ann & Bob"][index % 4], details: details)
    }
    try store.load([batch])
    let all = try store.messages(pageSize: 500)
    for (index, message) in all.enumerated() where index.isMultiple(of: 50) {
      let attachment = NewAttachment(
        [UInt8](repeating: UInt8(index % 251), count: 900 + index), name: "a.bin")
      try store.attach([attachment], to: message.id)
      try store.react("🎉", to: message.id, by: "alice")
    }
    for (index, message) in all.enumerated() where index % 50 == 7 {
      _ = try store.edit(message.id, text: Self.text(of: index + 1_000_000, 5))
    }
    deleted = Set(all.enumerated().filter { $0.offset % 40 == 11 }.map(\.element.id))
    _ = try store.delete(Array(deleted))
    // A run of them leaves whole pages to nobody.
    let run = all[count / 2..<count / 2 + count / 10].map(\.id).filter { !deleted.contains($0) }
    _ = try store.delete(run)
    deleted.formUnion(run)
    for message in try store.messages(pageSize: 500) {
      truth[message.id] = try Self.whole(message, in: store)
    }
  }

  /// A message with the whole of its text.
  private static func whole(_ message: Message, in store: SynchronousMessageStore) throws -> Message {
    var message = message
    message.text = try store.text(of: message.id) ?? message.text
    return message
  }

  private static func text(of index: Int, _ length: Int) -> String {
    (0..<length).map { "<\(index):\($0)> tea and rain" }.joined(separator: " ")
  }

  /// Where the pieces of texts stand in the file.
  private func findPages() {
    var owners: [String: Message.ID] = [:]
    for (id, message) in truth {
      guard let piece = message.text.split(separator: ":").first else { continue }
      owners[String(piece)] = id
    }
    for start in bytes.indices where bytes[start] == UInt8(ascii: "<") {
      let piece = bytes[start...].prefix(12).prefix { $0 != UInt8(ascii: ":") }
      guard let id = owners[String(decoding: piece, as: UTF8.self)] else { continue }
      let end = min(start + 30, bytes.count - 1)
      pages[id, default: []].formUnion([start / DamagedCopy.pageSize, end / DamagedCopy.pageSize])
    }
  }

  /// A damaged copy with what came of salvaging it.
  func salvage(_ copy: DamagedCopy) throws -> Salvaged {
    let own = folder.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: own) }
    let (damaged, new) = (own.appending(path: "damaged.db").path, own.appending(path: "new.db").path)
    try Data(copy.bytes).write(to: URL(filePath: damaged))
    let report = try SynchronousMessageStore.salvage(damaged, to: new)
    let isUntouched = try Array(Data(contentsOf: URL(filePath: damaged))) == copy.bytes
    let store = try SynchronousMessageStore(path: new, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    return Salvaged(
      report: report, messages: try store.messages(pageSize: 500).map { try Self.whole($0, in: store) },
      problems: try store.check().problems.map(\.sentence), isUntouched: isUntouched)
  }

  /// What a salvage has brought.
  struct Salvaged {
    var report: SalvageReport
    var messages: [Message]
    var problems: [String]
    var isUntouched: Bool
  }

  /// How many messages of a copy lie on pages that are what they were, how many of them came, and those that came though
  /// they are not what was written.
  func compare(_ salvaged: Salvaged, with copy: DamagedCopy) -> (
    readable: Int, brought: Int, wrong: [Message]
  ) {
    let shown = salvaged.messages.filter { !$0.text.hasPrefix("[damaged] ") }
    let readable = truth.keys.filter { pages[$0]?.isDisjoint(with: copy.pages) ?? false }
    let found = Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0) })
    let brought = readable.count { id in found[id].map { isSame($0, truth[id]) } ?? false }
    return (readable.count, brought, shown.filter { !isSame($0, truth[$0.id]) })
  }

  /// Whether what checksums cover is the same.
  private func isSame(_ one: Message, _ other: Message?) -> Bool {
    guard let other else { return false }
    return one.text == other.text && one.sender?.id == other.sender?.id && one.kind == other.kind
      && one.precision == other.precision && one.conversation == other.conversation
  }
}
