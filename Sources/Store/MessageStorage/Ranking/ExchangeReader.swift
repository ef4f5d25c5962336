internal import GRDB
internal import MessageModel

/// Reads the surroundings of candidates: neighbours in their conversation, the message replied to, the start
/// of the thread. Of each message only the question's words are kept; shared neighbours are read once.
struct ExchangeReader {
  struct Line {
    let id: Message.ID
    let time: Timestamp
    let replyTo: Message.ID?
    let thread: Message.ID?
    var counts: [UInt8]
    let length: Int
    /// Bits of the words in the sender's name.
    let named: UInt32
    /// Bits of the words that closely follow the question's previous word.
    let following: UInt32
    /// Bits of the words that are there as they were asked.
    var asked: UInt32
    let hasDate: Bool
  }

  struct Surroundings {
    /// Indexes of ``lines`` in the order of the conversation.
    var run: [Int]
    var place: Int
    /// The message replied to and the start of the thread, outside of the run.
    var linked: [Int]
  }

  private(set) var lines: [Line] = []
  private var indexes: [Message.ID: Int] = [:]
  private let db: Database
  private let words: [QuestionWord]
  private let finder: QuestionWordFinder
  private let reach: Int
  private let times: MessageTimes

  static let gapMilliseconds: Int64 = 6 * 3_600_000
  /// Skipped system messages (joins, quits) on each side.
  static let passedOver = 8

  private static let columns = "id, sender, kind, reply_to, thread, text, features"

  init(_ words: QuestionWords, reach: Int, in db: Database) throws {
    (self.words, self.reach, self.db) = (words.words, reach, db)
    times = try MessageTimes(db)
    finder = words.finder
  }

  mutating func surroundings(of seed: CandidateWalk.Seed) throws -> Surroundings? {
    let home = try RawStatement(db, "SELECT conversation FROM message WHERE id = ?", seed.id.rawValue)
      .first { $0.int(0) }
    guard let home else { return nil }
    let newer = try neighbours(of: seed.id, in: home, isNewer: true)
    let older = try neighbours(of: seed.id, in: home, isNewer: false)
    guard let own = older.first else { return nil }
    // The word is beyond the part of a long text that is read.
    for index in words.indices where seed.words & 1 << UInt32(index) != 0 && lines[own].counts[index] == 0 {
      lines[own].counts[index] = 1
      lines[own].asked |= 1 << UInt32(index)
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

  /// The nearest first. Older neighbours begin with the message itself.
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
        length: finding.length, named: named, following: finding.following, asked: finding.asked,
        hasDate: finding.hasDate))
    indexes[id] = lines.count - 1
    return lines.count - 1
  }
}
