import Foundation
import GRDB
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// A log of which SQLite leaves out what stands behind a damaged place.
@Suite struct DamagedLogTests {
  /// The files of a store whose process ended, beside the store of a test.
  private struct Remains {
    let path: String
    private let folder: URL

    /// Copies a store that is open, as it lies on the disk.
    init(of temporary: TemporaryStore) throws {
      folder = temporary.folder.appending(path: UUID().uuidString)
      path = folder.appending(path: "left.db").path
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: temporary.store.path + suffix, toPath: path + suffix)
      }
    }

    func change(_ damage: (inout Data) -> Void) throws {
      let log = URL(filePath: path + "-wal")
      var bytes = try Data(contentsOf: log)
      damage(&bytes)
      try bytes.write(to: log)
    }

    func open(_ access: StoreOptions.Access = .readWrite) throws -> SynchronousMessageStore {
      try SynchronousMessageStore(path: path, options: StoreOptions(access: access))
    }
  }

  private static let frameByteCount = 24 + 4_096

  /// Returns where a frame begins.
  private static func place(_ frame: Int) -> Int { 32 + frame * frameByteCount }

  /// A store with messages, each in a transaction of its own that is in the log.
  private func filled(_ count: Int = 20) throws -> (temporary: TemporaryStore, room: Conversation.ID) {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    for number in 0..<count { try temporary.store.append([NewMessage("\(number)", from: "ann")], to: room) }
    return (temporary, room)
  }

  /// Places of a log that may be damaged, in bytes.
  static let places: [(String, Int)] = [
    ("the magic number's checksum", 24), ("the salts of the log", 17), ("a page", place(3) + 1_000),
    ("the number of a page", place(3) + 3), ("the salts of a frame", place(3) + 9),
    ("the checksum of a frame", place(3) + 17),
  ]

  @Test(arguments: places)
  func `what stands behind a damaged place is said to be perhaps missing, until a repair accepts it`(
    name: String, place: Int
  ) throws {
    let (temporary, _) = try filled()
    let remains = try Remains(of: temporary)
    try remains.change { $0[$0.startIndex + place] ^= 4 }
    do {
      let reader = try remains.open(.readOnly)
      defer { reader.close() }
      #expect(reader.logDamage?.contains("perhaps missing") == true, "\(name)")
      #expect(try reader.check().problems.map(\.kind) == [.log])
    }
    let store = try remains.open()
    let count = store.transactionCountBehindDamage
    let left = try store.messages().count
    #expect(left < 20 && count >= 20 - left - 1 && count <= 22, "\(name): \(left) left, \(count) behind")
    store.close()
    let again = try remains.open()
    defer { again.close() }
    #expect(again.logDamage == nil)
    let found = try again.check()
    #expect(found.problems.map(\.kind) == [.log] && !found.isSound)
    #expect(try again.quickCheck().problems.map(\.kind) == [.log])
    let repaired = try again.check(repair: true)
    #expect(repaired.problems.map(\.isAccepted) == [true] && repaired.isSound)
    #expect(try again.check().problems == [])
  }

  @Test func `a whole log, and one that was cut at the end of a transaction, raise no alarm`() throws {
    let (temporary, _) = try filled()
    for length in [Int.max, Self.place(4)] {
      let remains = try Remains(of: temporary)
      try remains.change { $0 = $0.prefix(length) }
      let store = try remains.open()
      defer { store.close() }
      #expect(store.logDamage == nil)
      #expect(try store.check().problems == [])
    }
  }

  @Test
  func `what a log held before it was begun again, or before a transaction was taken back, raises none`()
    throws
  {
    let (temporary, room) = try filled(60)
    let writer = try #require(temporary.store.database as? any DatabaseWriter)
    try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(RESTART)") }
    for number in 0..<5 { try temporary.store.append([NewMessage("more \(number)")], to: room) }
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 5; PRAGMA cache_spill = 5")
      try db.inTransaction(.immediate) {
        try db.execute(sql: "CREATE TABLE spilled(a); INSERT INTO spilled VALUES (randomblob(400000))")
        return .rollback
      }
    }
    for number in 0..<3 { try temporary.store.append([NewMessage("last \(number)")], to: room) }
    let remains = try Remains(of: temporary)
    let store = try remains.open()
    defer { store.close() }
    #expect(store.logDamage == nil)
    #expect(try store.messages().count == 68)
  }

  @Test
  func `while this process has the file open, by whatever connection, no byte of it is read beside that`()
    throws
  {
    let (temporary, _) = try filled()
    let remains = try Remains(of: temporary)
    try remains.change { $0[$0.startIndex + Self.place(3) + 1_000] ^= 4 }
    let file = StoreFile(path: remains.path)
    #expect(file.transactionCountBehindDamage() > 0 && file.header != nil)
    #if os(Linux)
      let foreign = try DatabaseQueue(path: remains.path)
      #expect(file.transactionCountBehindDamage() == 0 && file.header == nil)
      try foreign.close()
      #expect(file.header != nil)
    #endif
    #expect(StoreFile(path: temporary.store.path).header == nil)
  }
}
