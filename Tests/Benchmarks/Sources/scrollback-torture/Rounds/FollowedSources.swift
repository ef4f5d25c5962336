import Foundation
import GRDB
import MessageSourceTesting
import TestSupport

/// Sources as other programs write them. Write number n is of the nth second, whichever of them it goes to.
final class FollowedSources {
  let folder: String
  private var database: DatabaseQueue
  private var dice: SeededGenerator
  private var sessionNumber = 0
  private var lastOfSession: Int?
  /// Where the log was moved to, while there is no new one: its program still has it open.
  private var rotated: (name: String, linesLeft: Int)?

  /// The second since 1970 of a write: what is told of the messages of one hour lies in one place of a store.
  static func second(_ number: Int) -> Int { 1_714_557_600 + number }
  static func text(_ number: Int) -> String { "write \(number)" }
  /// The number of a write with such a text.
  static func number(_ text: String) -> Int? {
    text.hasPrefix("write ") ? Int(text.dropFirst("write ".count)) : nil
  }

  init(in folder: String, seed: UInt64) throws {
    self.folder = folder
    dice = SeededGenerator(seed: seed &+ 1)
    try FileManager.default.createDirectory(atPath: folder + "/project", withIntermediateDirectories: true)
    database = try Self.open(folder + "/chat.db")
    try database.write { try $0.execute(sql: Self.tables) }
  }

  private static let tables = """
    CREATE TABLE handle(ROWID INTEGER PRIMARY KEY, id TEXT);
    CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, display_name TEXT, chat_identifier TEXT);
    CREATE TABLE message(ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE, text TEXT,
      handle_id INTEGER, date INTEGER, is_from_me INTEGER);
    CREATE TABLE chat_message_join(chat_id INTEGER, message_id INTEGER, PRIMARY KEY (chat_id, message_id));
    INSERT INTO handle VALUES (1, 'bob@example.org');
    INSERT INTO chat VALUES (1, 'Tea', 'chat1');
    """

  private static func open(_ path: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    return queue
  }

  /// Makes a write, to one of the sources.
  func write(_ number: Int) throws {
    switch number % 4 {
    case 0: try append(logName(), "\(Self.time(number, " "))\tann\t\(Self.text(number))\n")
    case 1:
      let record = #"{"time":"\#(Self.time(number))Z","sender":"bot","text":"\#(Self.text(number))"}"#
      try append("bot.jsonl", record + "\n")
    case 2: try writeSession(number)
    default: try writeRow(number)
    }
  }

  private static func time(_ number: Int, _ mark: String = "T") -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (10 + number / 3_600, number / 60 % 60)
    return "2024-05-\(two(1 + hours / 24))\(mark)\(two(hours % 24)):\(two(minutes)):\(two(number % 60))"
  }

  private func writeSession(_ number: Int) throws {
    if lastOfSession == nil { sessionNumber += 1 }
    let parent = lastOfSession.map { "\"u\($0)\"" } ?? "null"
    try append(
      "project/s-\(sessionNumber).jsonl",
      #"{"parentUuid":\#(parent),"isSidechain":false,"cwd":"/home/ann/tea","sessionId":"s-\#(sessionNumber)","#
        + #""type":"user","message":{"role":"user","content":"\#(Self.text(number))"},"uuid":"u\#(number)","#
        + #""timestamp":"\#(Self.time(number)).000Z"}"# + "\n")
    lastOfSession = Int.random(in: 0..<40, using: &dice) == 0 ? nil : number
  }

  private func writeRow(_ number: Int) throws {
    let date = (Int64(Self.second(number)) - 978_307_200) * 1_000_000_000
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO message(guid, text, handle_id, date, is_from_me) VALUES (?, ?, 1, ?, 0)",
        arguments: ["guid-\(number)", Self.text(number), date])
      try db.execute(sql: "INSERT INTO chat_message_join VALUES (1, ?)", arguments: [db.lastInsertedRowID])
    }
  }

  /// The name under which the log lies to which a line is added now.
  private func logName() -> String {
    guard let (name, left) = rotated else { return "tea.log" }
    rotated = left > 1 ? (name, left - 1) : nil
    return name
  }

  /// Rotates the log away, as programs do that make a new one only when they have something for it.
  private func rotate(to name: String) throws {
    try FileManager.default.moveItem(atPath: "\(folder)/tea.log", toPath: "\(folder)/\(name)")
    rotated = (name, Int.random(in: 1...4, using: &dice))
  }

  /// Compresses a log that nobody adds to any more.
  private func compress(_ name: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = ["\(folder)/\(name)"]
    try process.run()
    process.waitUntilExit()
  }

  /// Adds a line to a file, now and then in two pieces.
  private func append(_ name: String, _ line: String) throws {
    let path = "\(folder)/\(name)"
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    let bytes = Data(line.utf8)
    let cut = Int.random(in: 0..<10, using: &dice) == 0 ? Int.random(in: 1..<bytes.count, using: &dice) : 0
    if cut > 0 {
      try handle.write(contentsOf: bytes[..<cut])
      usleep(5_000)
    }
    try handle.write(contentsOf: bytes[cut...])
    try handle.close()
  }

  /// Does what other programs do to their files once in a while.
  ///
  /// - Parameter low: The number before which all writes are in the store: what nobody has read is not thrown away.
  func disturb(_ round: Int, seenBefore low: Int) throws {
    // Now and then there are four digits, and a part that nobody adds to is compressed.
    let (log, number) = ("\(folder)/tea.log", round % 2 == 0 ? round : 1_000 + round)
    let old = "\(log).\(number)"
    rotated = nil
    switch round % 6 {
    case 0:
      try checkpoint()
      if FileManager.default.fileExists(atPath: "\(log).\(1_000 + round - 3)") {
        try compress("tea.log.\(1_000 + round - 3)")
      }
    case 1: try replaceDatabase()
    case 2: try rewrite("bot.jsonl", from: 0)
    case 3: try rotate(to: "tea.log.\(number)")
    case 4: try rewrite("bot.jsonl", from: low)
    default:
      try FileManager.default.copyItem(atPath: log, toPath: old)
      truncate(log, 0)
    }
  }

  private func checkpoint() throws {
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  private func replaceDatabase() throws {
    let path = folder + "/chat.db"
    try checkpoint()
    try database.close()
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    try FileManager.default.copyItem(atPath: path, toPath: path + ".tmp")
    rename(path + ".tmp", path)
    database = try Self.open(path)
  }

  /// Writes a file anew under its name, without the older half of its lines as far as they are of writes before one.
  private func rewrite(_ name: String, from low: Int) throws {
    let path = "\(folder)/\(name)"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let old = lines.prefix(lines.count / 2).prefix { line in
      line.firstRange(of: "write ").flatMap { Int(line[$0.upperBound...].prefix(while: \.isNumber)) } ?? low
        < low
    }
    let text = lines.dropFirst(old.count).map { $0 + "\n" }.joined()
    try text.write(toFile: path + ".tmp", atomically: false, encoding: .utf8)
    rename(path + ".tmp", path)
  }
}
