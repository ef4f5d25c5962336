internal import GRDB
internal import MessageModel

/// The conversations in which positions that were read up to have moved last: positions move no counter, and a list of
/// conversations cannot look at all of them after each commit.
///
/// It is one value of `meta`: how often a position has moved, and the conversations of the last ones.
struct ReadLog {
  /// The number of times that a position has moved.
  private(set) var count: Int64 = 0
  /// The conversations of the last moves, the latest last.
  private var last: [Int64] = []

  private static let key = "positions read"
  /// Of so many moves it is told where they were: more than are read at once but by a whole list.
  static let limit = 64

  /// Reads it.
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

  /// Notes that the positions of some conversations have moved.
  mutating func note(_ conversations: [Int64], in db: Database) throws {
    count = count &+ Int64(conversations.count)
    last = Array((last + conversations).suffix(Self.limit))
    let statement = try RawStatement(db, "INSERT OR REPLACE INTO meta VALUES (?, ?)", Self.key)
    try ([count] + last).map(\.littleEndian).withUnsafeBytes { bytes in
      statement.bindBlob(bytes, at: 2)
      try statement.run()
    }
  }

  /// Returns the conversations whose positions have moved since there had been so many moves; `nil` if nobody knows.
  func conversations(since earlier: Int64) -> Set<Conversation.ID>? {
    let (moves, overflow) = count.subtractingReportingOverflow(earlier)
    guard !overflow, moves >= 0, moves <= last.count else { return nil }
    return Set(last.suffix(Int(moves)).map(Conversation.ID.init(rawValue:)))
  }
}
