import Foundation
import GRDB

/// What a store holds, in a form in which two stores can be compared that were written to at different times.
struct StoreState: Equatable {
  /// A line per message; after a tab, its attachments.
  var messages: [String]
  /// Names of conversations, filters, marks and aliases.
  var names: [String]

  /// The number of times that each line is there.
  private static func counts(_ lines: [String]) -> [String: Int] {
    lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The state as it is before files are taken in, which comes after the messages that they belong to.
  var withoutAttachments: StoreState {
    StoreState(messages: messages.map { String($0.prefix { $0 != "\t" }) }, names: names)
  }

  /// Returns what is wrong with this state as one on the way from `start` to `end`; nil if nothing is.
  func fault(between start: StoreState, and end: StoreState) -> String? {
    for (mine, one, other) in [
      (messages, start.messages, end.messages), (names, start.names, end.names),
    ] {
      let (own, ones, others) = (Self.counts(mine), Self.counts(one), Self.counts(other))
      for line in Set(own.keys).union(ones.keys).union(others.keys).sorted() {
        let count = own[line] ?? 0
        let (a, b) = (ones[line] ?? 0, others[line] ?? 0)
        if count < min(a, b) { return "\(count) instead of \(min(a, b)) of: \(line)" }
        if count > max(a, b) { return "\(count) instead of \(max(a, b)) of: \(line)" }
      }
    }
    let (least, most) = (
      min(start.messages.count, end.messages.count), max(start.messages.count, end.messages.count)
    )
    if messages.count < least {
      return "\(messages.count) messages, where \(least) were there before and after"
    }
    return messages.count > most ? "\(messages.count) messages, at most \(most) were written" : nil
  }

  /// Returns how this state differs from another one; nil if it does not.
  func difference(from other: StoreState) -> String? { fault(between: other, and: other) }
}

extension Arena {
  /// Reads a store by the program's export and, for names, by SQLite alone; demands that both say it is sound.
  func state(of path: String? = nil) throws -> StoreState {
    let path = path ?? store
    guard FileManager.default.fileExists(atPath: path) else { return StoreState(messages: [], names: []) }
    // A file that is made and holds nothing yet is no store: the next to write makes it one.
    if try isEmpty(path) { return StoreState(messages: [], names: []) }
    let names = try namesAfterCheck(of: path)
    let export = try run(["export", "--json", "--all", "--store", path])
    guard export.status == 0 else {
      throw Violation(
        demanded: "an export that can read all there is", found: "\(export.ending)\n\(export.errors)")
    }
    return StoreState(messages: try Self.messages(in: export.output), names: names)
  }

  /// Demands that `check` finds nothing.
  func demandSound(_ path: String? = nil) throws {
    let path = path ?? store
    guard FileManager.default.fileExists(atPath: path), try !isEmpty(path) else { return }
    let check = try run(["check", "--store", path])
    guard check.status == 0 else {
      let found = String(decoding: check.output, as: UTF8.self) + check.errors
      throw Violation(
        demanded: "a check that finds nothing", found: "\(check.ending)\n\(found.prefix(2_000))")
    }
  }

  /// Whether there are no tables yet, by a copy that SQLite opens.
  private func isEmpty(_ path: String) throws -> Bool {
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    if size == 0 { return true }
    return try withCopy(of: path) { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE name = 'message'") == 0
    }
  }

  /// Demands that SQLite finds a store sound, and returns its names.
  private func namesAfterCheck(of path: String) throws -> [String] {
    try withCopy(of: path) { db in
      let complaint = try String.fetchOne(db, sql: "PRAGMA integrity_check(5)") ?? "nothing"
      guard complaint == "ok" else {
        throw Violation(demanded: "an integrity_check that says ok", found: complaint)
      }
      return try String.fetchAll(
        db,
        sql: """
          SELECT 'conversation ' || name FROM conversation
          UNION ALL SELECT 'filter ' || name || ' ' || words FROM filter WHERE name IS NOT NULL
          UNION ALL SELECT 'mark ' || name FROM mark
          UNION ALL SELECT 'alias ' || a.name || ' of ' || b.name FROM sender AS a JOIN sender AS b ON b.id = a.alias_of
          ORDER BY 1
          """)
    }
  }

  /// Reads from a copy: what SQLite does as it opens and closes a store is not done to the one that is looked at.
  func withCopy<Value>(of path: String, _ body: (Database) throws -> Value) throws -> Value {
    let copy = folder + "/copy.db"
    for suffix in ["", "-wal", "-journal", "-shm"] {
      unlink(copy + suffix)
      if suffix != "-shm", FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
    }
    do {
      let queue = try DatabaseQueue(path: copy)
      defer { try? queue.close() }
      return try queue.writeWithoutTransaction(body)
    } catch let error as DatabaseError {
      throw Violation(demanded: "a file that SQLite can read", found: "\(error)")
    }
  }

  /// Returns a line per message, as it can be compared: without what says when it was written here.
  private static func messages(in output: [UInt8]) throws -> [String] {
    var texts: [String: String] = [:]
    let records = try output.split(separator: 0x0A).map { line in
      guard let record = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
        throw Violation(demanded: "objects in JSON lines", found: String(decoding: line, as: UTF8.self))
      }
      if let id = record["id"] as? String { texts[id] = record["text"] as? String ?? "" }
      return record
    }
    return try records.map { try comparable($0, texts) }.sorted()
  }

  private static func comparable(_ record: [String: Any], _ texts: [String: String]) throws -> String {
    var record = record
    if isRecent(record["time"]) { record["time"] = "now" }
    if isRecent(record["edited"]) { record["edited"] = "now" }
    record["id"] = nil
    for key in ["replyTo", "thread"] {
      if let id = record[key] as? String { record[key] = texts[id] ?? "lost" }
    }
    if let edits = record["edits"] as? [[String: Any]] {
      record["edits"] = edits.map { isRecent($0["time"]) ? $0.merging(["time": "now"]) { $1 } : $0 }
    }
    let attachments = (record.removeValue(forKey: "attachments") as? [[String: Any]] ?? []).map { facts in
      facts.filter { $0.key != "path" }
    }
    return try text(of: record) + "\t" + text(of: attachments)
  }

  private static func text(of object: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
  }

  /// Whether a time is one of this run; all that the stock holds is older.
  private static func isRecent(_ time: Any?) -> Bool { (time as? String).map { $0 >= "2025" } ?? false }
}
