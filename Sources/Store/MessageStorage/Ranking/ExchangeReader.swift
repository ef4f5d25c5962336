internal import GRDB
internal import MessageModel

/// Reads what surrounds candidates: a few neighbours in their conversation, what they answer, what began their thread.
///
/// Nothing is kept of a message but what it has of the question; neighbours of several candidates are read once.
struct ExchangeReader {
  /// A message, as far as a ranking knows it.
  struct Line {
    let id: Message.ID
    /// When it was written.
    let time: Timestamp
    let replyTo: Message.ID?
    let thread: Message.ID?
    /// The number of times that each word of the question is in it.
    var counts: [UInt8]
    /// The number of its words.
    let length: Int
    /// The words that are in the name of its sender, a bit each.
    let named: UInt32
    /// The words that closely follow the word before them in the question, a bit each.
    let following: UInt32
  }

  /// A candidate and its surroundings.
  struct Surroundings {
    /// Indexes of ``lines`` in the order of the conversation.
    var run: [Int]
    /// The place of the candidate in the run.
    var place: Int
    /// The message that it answers and the one that began its thread, if they lie outside the run.
    var linked: [Int]
  }

  private(set) var lines: [Line] = []
  private var indexes: [Message.ID: Int] = [:]
  private let db: Database
  private let words: [QuestionWord]
  private let finder: WordFinder
  private let reach: Int
  private let times: MessageTimes

  /// Messages so far apart are not of one exchange.
  static let gapMilliseconds: Int64 = 6 * 3_600_000
  /// Joins, quits and the like that are passed over on each side.
  static let passedOver = 8

  private static let columns = "id, sender, kind, reply_to, thread, text, features"

  init(_ words: [QuestionWord], reach: Int, in db: Database) throws {
    (self.words, self.reach, self.db) = (words, reach, db)
    times = try MessageTimes(db)
    finder = WordFinder(words)
  }

  /// Reads the surroundings of a candidate; `nil` if it is gone.
  mutating func surroundings(of seed: CandidateWalk.Seed) throws -> Surroundings? {
    let home = try RawStatement(db, "SELECT conversation FROM message WHERE id = ?", seed.id.rawValue)
      .first { $0.int(0) }
    guard let home else { return nil }
    let newer = try neighbours(of: seed.id, in: home, isNewer: true)
    let older = try neighbours(of: seed.id, in: home, isNewer: false)
    guard let own = older.first else { return nil }
    // What lies behind the part of a long text that is looked at.
    for index in words.indices where seed.words & 1 << UInt32(index) != 0 && lines[own].counts[index] == 0 {
      lines[own].counts[index] = 1
    }
    let run = older.reversed() + newer
    let linked = try [lines[own].replyTo, lines[own].thread].compactMap { id in
      try id.flatMap { try line($0) }
    }
    let unknown = linked.filter { !run.contains($0) }
    return Surroundings(
      run: run, place: older.count - 1,
      linked: unknown.count == 2 && unknown[0] == unknown[1] ? [unknown[0]] : unknown)
  }

  /// Returns neighbours of a message, the nearest first; toward older ones the message itself before them.
  private mutating func neighbours(
    of id: Message.ID, in conversation: Int64, isNewer: Bool
  ) throws -> [Int] {
    let statement = try RawStatement(
      db,
      """
      SELECT \(Self.columns) FROM message WHERE conversation = ?1 AND id \(isNewer ? ">" : "<=") ?2 \
      ORDER BY id \(isNewer ? "ASC" : "DESC") LIMIT ?3
      """, conversation, id.rawValue, reach + 1 + Self.passedOver)
    defer { statement.reset() }
    var found: [Int] = []
    var last = try times.time(of: id)
    let limit = isNewer ? reach : reach + 1
    while found.count < limit, try statement.step() {
      let next = Message.ID(rawValue: statement.int(0))
      let time = try times.time(of: next, statement.int(6))
      let gap = time.millisecondsSince1970 - last.millisecondsSince1970
      if abs(gap) > Self.gapMilliseconds { break }
      let kind = Message.Kind(rawValue: statement.count(2)) ?? .unknown
      guard next == id || SearchSchema.indexes(kind) else { continue }
      found.append(try take(statement))
      last = time
    }
    return found
  }

  private mutating func line(_ id: Message.ID) throws -> Int? {
    if let known = indexes[id] { return known }
    let statement = try RawStatement(db, "SELECT \(Self.columns) FROM message WHERE id = ?", id.rawValue)
    defer { statement.reset() }
    return try statement.step() ? take(statement) : nil
  }

  private mutating func take(_ row: RawStatement) throws -> Int {
    let id = Message.ID(rawValue: row.int(0))
    if let known = indexes[id] { return known }
    let finding = finder.counts(in: row.text(5))
    var named: UInt32 = 0
    if let sender = row.optionalInt(1) {
      for (index, word) in words.enumerated() where word.senders.contains(sender) {
        named |= 1 << UInt32(index)
      }
    }
    lines.append(
      Line(
        id: id, time: try times.time(of: id, row.int(6)),
        replyTo: row.optionalInt(3).map { Message.ID(rawValue: $0) },
        thread: row.optionalInt(4).map { Message.ID(rawValue: $0) }, counts: finding.counts,
        length: finding.length, named: named, following: finding.following))
    indexes[id] = lines.count - 1
    return lines.count - 1
  }
}
