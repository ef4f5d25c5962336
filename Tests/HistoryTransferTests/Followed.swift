import Foundation
import GRDB
import HistoryModel
import HistoryTransfer
import MessageInterchange
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// A folder that is followed into a store, by a clock that goes as fast as it may.
final class Followed {
  let folder: URL
  let store: SynchronousMessageStore
  private var sources: [StoredSource]
  private let isOwner: Bool
  private let areEventsTold: Bool
  private let isOnce: Bool
  private let formats: [any ImportFormat]
  private(set) var time = 1_000.0
  private var follower: Follower?
  private(set) var reports: [FollowEvent] = []

  /// Follows a new folder, or a file in it.
  ///
  /// - Parameters:
  ///   - areEventsTold: Whether the system tells of changes.
  ///   - isOnce: Whether it is to end by itself.
  ///   - formats: Formats beside the built-in ones.
  init(
    following name: String? = nil, storeWithin: Bool = false, areEventsTold: Bool = true,
    isOnce: Bool = false,
    options: StoreOptions = StoreOptions(), formats: [any ImportFormat] = []
  ) throws {
    (self.areEventsTold, self.isOnce, self.formats) = (areEventsTold, isOnce, formats)
    let home = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    let folder = home.appending(path: "followed")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    isOwner = true
    let path = (storeWithin ? folder : home).appending(path: "store.db").path
    try StoreTemplate.copyEmpty(to: path)
    store = try SynchronousMessageStore(path: path, options: options)
    sources = [
      try store.addSource(name.map { folder.appending(path: $0).path } ?? folder.path, settings: [:])
    ]
    try begin()
  }

  /// Has a new folder, and follows what lies at these paths.
  init(following paths: [String]) throws {
    (areEventsTold, isOnce, isOwner, formats) = (true, false, true, [])
    let home = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    folder = home.appending(path: "followed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = home.appending(path: "store.db").path
    try StoreTemplate.copyEmpty(to: path)
    store = try SynchronousMessageStore(path: path)
    sources = []
    try follow(paths)
  }

  /// Follows what lies at these paths, too.
  func follow(_ paths: [String]) throws {
    for path in paths { sources.append(try store.addSource(path, settings: [:])) }
    if !sources.isEmpty { try begin() }
  }

  /// Follows what another one follows, as another process would.
  private init(like other: Followed) throws {
    folder = other.folder
    isOwner = false
    (areEventsTold, isOnce, formats) = (other.areEventsTold, other.isOnce, other.formats)
    store = try SynchronousMessageStore(path: other.store.path)
    sources = try store.sources().map(\.source)
    try begin()
  }

  deinit {
    store.close()
    if isOwner { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
  }

  private func begin() throws {
    var options = ImportOptions(timeZone: TimeZone(identifier: "UTC") ?? .current)
    options.formats = formats
    let (time, report) = (Weak(self), Weak(self))
    follower = try Follower(
      sources.map { ($0, options) }, in: store, areEventsTold: areEventsTold, isOnce: isOnce,
      now: { time.value?.time ?? 0 },
      report: { report.value?.reports.append($0) })
  }

  private struct Weak {
    weak var value: Followed?
    init(_ value: Followed) { self.value = value }
  }

  /// Takes in what is there, and goes on for some seconds of its clock.
  func settle(for seconds: Double = 0) throws {
    guard let follower else { return }
    let end = time + seconds
    for _ in 0..<10_000 {
      try follower.step()
      if follower.isCaughtUp, time >= end { return }
      let next = max(follower.timeToNext(), 0.01)
      time += follower.isCaughtUp ? min(next, max(end - time, 0.01)) : next
    }
    throw CancellationError()
  }

  /// Goes on for some seconds of its clock, whatever is still to be done then.
  func pass(_ seconds: Double) throws {
    guard let follower else { return }
    let end = time + seconds
    while time < end {
      try follower.step()
      time += min(max(follower.timeToNext(), 0.01), end - time)
    }
  }

  /// Ends, and follows the same anew until all is taken in.
  func restarted() throws -> Followed {
    try follower?.writeDown()
    let other = try beside()
    try other.settle()
    return other
  }

  /// Another one that follows the same.
  func beside() throws -> Followed { try Followed(like: self) }

  func forgetReports() { reports = [] }

  /// How many messages came and were brought up to date since the reports were forgotten.
  var taken: Int {
    reports.reduce(0) { sum, event in
      if case .took(_, _, let added, let updated) = event { sum + added + updated } else { sum }
    }
  }

  /// What was told of what cannot be followed.
  var troubles: [String] {
    reports.compactMap { event in
      if case .trouble(_, _, let reason) = event { reason } else { nil }
    }
  }

  /// The texts of all messages, in order.
  func texts() throws -> [String] {
    let page = try store.page(PageRequest(Selection.everything, anchor: .newest, fetchLimit: 100_000))
    return page.messages.map(\.text)
  }

  // MARK: Files

  /// A line of a log of WeeChat, so many seconds after ten.
  static func line(_ second: Int, _ text: String) -> String {
    let clock = [10 + second / 3_600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "2024-05-01 \(clock.joined(separator: ":"))\tann\t\(text)\n"
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func content(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Makes a file, with the folders above it.
  func write(_ name: String, _ content: some StringProtocol) throws {
    let place = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content.utf8).write(to: place)
  }

  func append(_ name: String, _ content: some StringProtocol) throws {
    if !FileManager.default.fileExists(atPath: path(name)) { try write(name, "") }
    let handle = try FileHandle(forWritingTo: folder.appending(path: name))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(content.utf8))
    try handle.close()
  }

  /// Cuts a file and writes it anew, as the same file.
  func overwrite(_ name: String, _ content: String) throws {
    let handle = try FileHandle(forWritingTo: folder.appending(path: name))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(content.utf8))
    try handle.close()
  }

  func move(_ name: String, to other: String) throws {
    guard rename(path(name), path(other)) == 0 else { throw POSIXError(.EIO) }
  }
}

/// A database as Apple's Messages keeps it.
final class ChatDatabase {
  let path: String
  private let queue: DatabaseQueue
  private var count = 0

  init(at path: String, isNew: Bool = true) throws {
    self.path = path
    queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    if isNew { try run(Self.tables) }
    count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM message") ?? 0 }
  }

  private static let tables = """
    CREATE TABLE handle(ROWID INTEGER PRIMARY KEY, id TEXT);
    CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, display_name TEXT, chat_identifier TEXT, style INTEGER);
    CREATE TABLE message(ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE, text TEXT, handle_id INTEGER,
      date INTEGER, is_from_me INTEGER, associated_message_guid TEXT, associated_message_type INTEGER DEFAULT 0);
    CREATE TABLE chat_message_join(chat_id INTEGER, message_id INTEGER, PRIMARY KEY (chat_id, message_id));
    INSERT INTO handle VALUES (1, 'bob@example.org');
    INSERT INTO chat VALUES (1, 'Tea', 'chat1', 43);
    """

  /// Adds a message from bob.
  func add(_ text: String) throws {
    count += 1
    let date = (Int64(count) + 700_000_000) * 1_000_000_000
    try queue.write { db in
      try db.execute(
        sql: "INSERT INTO message(guid, text, handle_id, date, is_from_me) VALUES (?, ?, 1, ?, 0)",
        arguments: ["guid-\(count)", text, date])
      try db.execute(sql: "INSERT INTO chat_message_join VALUES (1, ?)", arguments: [db.lastInsertedRowID])
    }
  }

  func run(_ sql: String) throws { try queue.writeWithoutTransaction { try $0.execute(sql: sql) } }

  func close() { try? queue.close() }
}

/// A history of the fixtures in a database, and what its program writes to it.
struct ForeignHistory: Sendable, CustomTestStringConvertible {
  /// Its folder in `Fixtures`, and the database in it.
  let folder: String
  let database: String
  /// Adds a message.
  let addition: String
  /// Changes its text.
  let change: String

  var testDescription: String { folder }

  static let all = [
    ForeignHistory(
      folder: "whatsapp-android/2024", database: "Databases/msgstore.db",
      addition: """
        INSERT INTO message(chat_row_id, from_me, key_id, sender_jid_row_id, broadcast, timestamp, message_type, text_data)
        SELECT chat_row_id, from_me, 'a-new-key', sender_jid_row_id, broadcast, timestamp + 900000, message_type, 'one more cup'
        FROM message WHERE text_data = 'It is.'
        """,
      change: "UPDATE message SET text_data = 'one more pot' WHERE key_id = 'a-new-key'"),
    ForeignHistory(
      folder: "whatsapp-ios", database: "ChatStorage.sqlite",
      addition: """
        INSERT INTO ZWAMESSAGE(ZISFROMME, ZMESSAGETYPE, ZGROUPEVENTTYPE, ZCHATSESSION, ZMESSAGEDATE, ZFROMJID, ZSTANZAID, ZTEXT)
        SELECT ZISFROMME, ZMESSAGETYPE, ZGROUPEVENTTYPE, ZCHATSESSION, ZMESSAGEDATE + 900, ZFROMJID, 'a-new-key', 'one more cup'
        FROM ZWAMESSAGE WHERE Z_PK = 1
        """,
      change: "UPDATE ZWAMESSAGE SET ZTEXT = 'one more pot' WHERE ZSTANZAID = 'a-new-key'"),
    ForeignHistory(
      folder: "cursor", database: "globalStorage/state.vscdb",
      addition: """
        INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:new',
          '{"type":1,"bubbleId":"new","text":"one more cup","createdAt":"2026-02-01T10:20:00Z"}')
        """,
      change: "UPDATE cursorDiskKV SET value = replace(value, 'cup', 'pot') WHERE key = 'bubbleId:c1:new'"),
    ForeignHistory(
      folder: "crush", database: "tea/crush.db",
      addition: """
        INSERT INTO messages SELECT 'new', session_id, role, '[{"type":"text","data":{"text":"one more cup"}}]', model,
          created_at + 900, updated_at, finished_at, provider, 0 FROM messages WHERE id = 'm1'
        """,
      change: "UPDATE messages SET parts = replace(parts, 'cup', 'pot') WHERE id = 'new'"),
    ForeignHistory(
      folder: "open-webui", database: "webui.db",
      addition: """
        UPDATE chat SET chat = json_set(chat, '$.history.messages.new', json('{"id":"new","parentId":"a3","role":"user",
          "content":"one more cup","timestamp":1768086900}'), '$.history.currentId', 'new') WHERE id = 'chat-1'
        """,
      change: "UPDATE chat SET chat = replace(chat, 'more cup', 'more pot') WHERE id = 'chat-1'"),
  ]

  /// Puts all of it into what is followed; returns the path of the database.
  func copy(into followed: Followed) throws -> String {
    let place = followed.folder.appending(path: "history")
    try FileManager.default.copyItem(at: GoldenFile.root.appending(path: "Fixtures/\(folder)"), to: place)
    return place.appending(path: database).path
  }
}
