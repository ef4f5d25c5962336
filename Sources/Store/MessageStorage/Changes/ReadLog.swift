internal import GRDB
internal import MessageModel

/// The latest moves of read marks. They move no counter, and a list cannot read all conversations after each
/// commit.
///
/// It is a single value in `meta`: the number of moves, and the conversations of the last ones.
struct ReadLog {
  private(set) var count: Int64 = 0
  private var last: [Int64] = []

  private static let key = "positions read"
  /// The moves whose conversations are recorded; only a list marked as read as a whole moves more at once.
  static let limit = 64

  init(in db: Database) throws {
    let numbers = try RawStatement(db, "SELECT value FROM meta WHERE key = ?", Self.key).first { row in
      row.withBytes(0) { bytes in
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map {
          Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
        }
      }
    }
    count = numbers?.first ?? 0
    last = numbers.map { Array($0.dropFirst()) } ?? []
  }

  mutating func note(_ conversations: [Int64], in db: Database) throws {
    count = count &+ Int64(conversations.count)
    last = Array((last + conversations).suffix(Self.limit))
    let statement = try RawStatement(db, "INSERT OR REPLACE INTO meta VALUES (?, ?)", Self.key)
    try ([count] + last).map(\.littleEndian).withUnsafeBytes { bytes in
      statement.bindBlob(bytes, at: 2)
      try statement.run()
    }
  }

  /// `nil` if the log does not reach back to `earlier` moves.
  func conversations(since earlier: Int64) -> Set<Conversation.ID>? {
    let (moves, overflow) = count.subtractingReportingOverflow(earlier)
    guard !overflow, moves >= 0, moves <= last.count else { return nil }
    return Set(last.suffix(Int(moves)).map(Conversation.ID.init(rawValue:)))
  }
}
