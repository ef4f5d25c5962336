internal import Foundation
internal import GRDB
internal import MessageModel

/// Visits all messages of a selection block by block, skipping blocks without the selection's facets.
/// Messages are stored by conversation, so each conversation is read by itself; results of the search indexes
/// are read by time.
struct GroupScan {
  struct Row {
    fileprivate let statement: RawStatement
    fileprivate let times: MessageTimes

    func time() throws -> Timestamp {
      try times.time(of: Message.ID(rawValue: statement.int(0)), statement.int(6))
    }
    var sender: Int64? { statement.optionalInt(1) }
    var kind: Int64 { statement.int(2) }
    var conversation: Int64 { statement.int(3) }
    var isOfDay: Bool { statement.int(4) == Int64(TimePrecision.day.rawValue) }
    var isOfMinute: Bool { statement.int(4) == Int64(TimePrecision.minute.rawValue) }
    var replyTo: Int64? { statement.optionalInt(5) }
    var isSaid: Bool {
      kind == Int64(Message.Kind.text.rawValue) || kind == Int64(Message.Kind.action.rawValue)
    }
  }

  private let db: Database
  private let times: MessageTimes
  private let predicate: PredicateSQL
  private let condition: String
  private let arguments: [String]
  private let facets: Set<Facet>
  let goesByTime: Bool

  /// Blocks read by one statement, after which it can be cancelled.
  private static let pieceSize = 32

  init(_ selection: Selection, in db: Database, _ beginnings: WordBeginnings) throws {
    self.db = db
    times = try MessageTimes(db)
    let selection = try selection.placed(in: db)
    let spelled = try beginnings.spelledOut(selection.predicate, in: db)
    predicate = try PredicateSQL(spelled)
    var writer = PredicateWriter(.inRange, firstArgument: 0)
    let text = try writer.text(spelled)
    arguments = writer.arguments
    facets = PageReader.facets(of: selection.predicate)
    goesByTime = selection.predicate.looksForWords
    var condition = text == "1" ? "" : " AND \(text)"
    if goesByTime, case .some(let ids) = selection.conversations {
      condition += " AND conversation IN (\(ids.map { String($0.rawValue) }.sorted().joined(separator: ",")))"
    }
    self.condition = condition
  }

  /// Prepares to visit a union; `nil` if its conditions look for words, which are read by time.
  init?(restOf union: SelectionUnion, in db: Database, _ beginnings: WordBeginnings) throws {
    let rest = MessagePredicate.and([.ids(union.ids)] + union.rest)
    try self.init(Selection(.all, where: rest), in: db, beginnings)
    if goesByTime { return nil }
  }

  static func scopes(of conversations: Selection.Conversations, in db: Database) throws -> [Int64] {
    switch conversations {
    case .some(let ids): ids.map(\.rawValue).sorted()
    case .all:
      try RawStatement(db, "SELECT scope FROM tally WHERE scope > 0 ORDER BY scope").map { $0.int(0) }
    }
  }

  /// `progress` gets the number of messages after each piece; if it returns `false`, this throws `cancelled`.
  func run(
    _ conversations: Selection.Conversations, progress: (Int) -> Bool,
    _ body: (Message.ID, Row) throws -> Void
  ) throws {
    try run(
      scopes: goesByTime ? [0] : try Self.scopes(of: conversations, in: db), progress: progress, body)
  }

  private func run(
    scopes: [Int64], progress: (Int) -> Bool, _ body: (Message.ID, Row) throws -> Void
  ) throws {
    var count = 0
    for scope in scopes {
      let statement = try statement(in: scope)
      defer { statement.reset() }
      var walk = BlockWalk(
        db: db, scope: scope, facets: facets, direction: .newer,
        place: (predicate.ids?.lowerBound ?? .lowest).rawValue)
      while let piece = try nextPiece(&walk) {
        statement.bind(piece.lowerBound, piece.upperBound)
        while try statement.step() {
          count += 1
          try body(Message.ID(rawValue: statement.int(0)), Row(statement: statement, times: times))
        }
        statement.reset()
        guard progress(count) else { throw StoreError(.cancelled, "cannot count the messages") }
      }
    }
  }

  func run(
    _ union: SelectionUnion, progress: (Int) -> Bool, _ body: (Message.ID, Row) throws -> Void
  ) throws {
    var whole = 0
    try run(scopes: union.conversations.map(\.rawValue).sorted(), progress: progress) { id, row in
      whole += 1
      try body(id, row)
    }
    guard !union.senders.isEmpty else { return }
    let statement = try statement(" INDEXED BY message_sender", "sender = ?3 AND ")
    statement.bind(union.ids.lowerBound.rawValue, union.ids.upperBound.rawValue)
    var seen = 0
    for sender in union.senders.sorted() {
      statement.bind(sender.rawValue, at: 3)
      try statement.each { row in
        seen += 1
        if !union.conversations.contains(Conversation.ID(rawValue: row.int(3))) {
          try body(Message.ID(rawValue: row.int(0)), Row(statement: row, times: times))
        }
        guard !seen.isMultiple(of: 4_096) || progress(whole + seen) else {
          throw StoreError(.cancelled, "cannot count the messages")
        }
      }
    }
  }

  private func statement(in scope: Int64) throws -> RawStatement {
    let statement = try statement("", scope == 0 ? "" : "conversation = ?3 AND ")
    if scope != 0 { statement.bind(scope, at: 3) }
    return statement
  }

  private func statement(_ index: String, _ place: String) throws -> RawStatement {
    let statement = try RawStatement(
      db,
      """
      SELECT id, sender, kind, conversation, precision, reply_to, features FROM message\(index) \
      WHERE \(place)id BETWEEN ?1 AND ?2\(condition)
      """)
    for (index, argument) in arguments.enumerated() {
      statement.bind(argument, at: PredicateSQL.firstParameter + Int32(index))
    }
    return statement
  }

  private func nextPiece(_ walk: inout BlockWalk) throws -> ClosedRange<Int64>? {
    let end = (predicate.ids?.upperBound ?? .highest).rawValue
    guard let first = try walk.next(), first.lowerBound <= end else { return nil }
    var last = first.upperBound
    for _ in 1..<Self.pieceSize where facets.isEmpty && last < end {
      guard let next = try walk.next() else { break }
      last = next.upperBound
    }
    return first.lowerBound...max(first.lowerBound, min(last, end))
  }
}

extension MessagePredicate {
  fileprivate var looksForWords: Bool {
    switch self {
    case .matching: true
    case .everything, .sender, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .thread, .regex:
      false
    case .not(let inner): inner.looksForWords
    case .and(let parts), .or(let parts): parts.contains(where: \.looksForWords)
    }
  }
}

/// Counts all messages of the store by hour on the clock of a zone, by the index of ids alone.
struct HourWalk {
  private let db: Database
  private var clock: WallClock
  private let progress: (Int) -> Bool
  private var count = 0

  init(_ db: Database, _ clock: WallClock, progress: @escaping (Int) -> Bool) {
    (self.db, self.clock, self.progress) = (db, clock, progress)
  }

  /// The last one is of messages whose hour is unknown.
  mutating func counts() throws -> [Int] {
    var counts = [Int](repeating: 0, count: 25)
    try each("SELECT id FROM message INDEXED BY message_id ORDER BY id") { counts[$0] += 1 }
    let day = TimePrecision.day.rawValue
    try each("SELECT id FROM message INDEXED BY message_day WHERE precision = \(day) ORDER BY id") { hour in
      counts[hour] -= 1
      counts[24] += 1
    }
    return counts
  }

  private static let interval = 4_096

  /// Ids ascend, so the clock is asked once for those of a quarter of an hour.
  private mutating func each(_ sql: String, _ body: (Int) -> Void) throws {
    let rows = try RawStatement(db, sql)
    defer { rows.reset() }
    var (hour, end) = (0, Message.ID.lowest)
    while try rows.step() {
      let id = Message.ID(rawValue: rows.int(0))
      if id >= end { (hour, end) = clock.hour(of: id) }
      body(hour)
      count += 1
      if count.isMultiple(of: Self.interval) { try check() }
    }
    try check()
  }

  private func check() throws {
    guard progress(count) else { throw StoreError(.cancelled, "cannot count the messages") }
  }
}

extension WallClock {
  private static let hour: Int64 = 3_600_000
  /// Zones change at whole quarters of an hour.
  private static let quarter: Int64 = 900_000

  mutating func hour(at moment: Timestamp) -> Int {
    let shown = moment.millisecondsSince1970 + offsetMilliseconds(at: moment)
    return Int((shown - shown.floorDivided(by: 86_400_000) * 86_400_000) / Self.hour)
  }

  fileprivate mutating func hour(of id: Message.ID) -> (hour: Int, end: Message.ID) {
    let moment = id.placeTime.millisecondsSince1970
    let shown = moment + offsetMilliseconds(at: id.placeTime)
    let next = moment + (shown.floorDivided(by: Self.hour) + 1) * Self.hour - shown
    let change = (moment.floorDivided(by: Self.quarter) + 1) * Self.quarter
    return (hour(at: id.placeTime), Message.ID(time: Timestamp(millisecondsSince1970: min(next, change))))
  }
}
