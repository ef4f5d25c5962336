internal import GRDB
internal import MessageModel

struct BlockLookup {
  let db: Database
  let scope: Int64

  enum Level {
    case blocks, superblocks

    var table: String { self == .blocks ? "block" : "superblock" }
  }

  /// Returns where the entry begins that covers an id; `nil` only in a damaged store.
  func first(_ level: Level, holding id: Int64) throws -> Int64? {
    try RawStatement.number(
      db,
      "SELECT first_id FROM \(level.table) WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1",
      scope, id)
  }

  func first(_ level: Level, after id: Int64) throws -> Int64? {
    try RawStatement.number(
      db, "SELECT first_id FROM \(level.table) WHERE scope = ? AND first_id > ? ORDER BY first_id LIMIT 1",
      scope,
      id)
  }

  func last(_ level: Level, holding id: Int64) throws -> Int64 {
    guard id < .max, let next = try first(level, after: id) else { return .max }
    return next.adding(-1)
  }

  func span(_ level: Level, holding id: Int64) throws -> ClosedRange<Int64> {
    ClosedRange(from: try first(level, holding: id) ?? .min, to: try last(level, holding: id))
  }
}
