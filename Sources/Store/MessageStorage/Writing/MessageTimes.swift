internal import GRDB
internal import MessageModel

/// When messages were written: at the millisecond of their place, unless the table `written` has another
/// time. Only this type reads and writes that table.
struct MessageTimes {
  private let db: Database
  /// Queries one message's time; `nil` if the table is empty, as in most stores.
  private let exception: RawStatement?

  init(_ db: Database) throws {
    self.db = db
    exception =
      try RawStatement.number(db, "SELECT max(message) FROM written") == nil
      ? nil : RawStatement(db, "SELECT time FROM written WHERE message = ?")
  }

  var areOfPlaces: Bool { exception == nil }

  func writtenAt(_ id: Message.ID) throws -> Timestamp? {
    guard let exception else { return nil }
    exception.bind(id.rawValue)
    return try exception.first { Timestamp(millisecondsSince1970: $0.int(0)) }
  }

  func time(of id: Message.ID, _ features: Int64 = MessageRow.Feature.writtenAt) throws -> Timestamp {
    guard features & MessageRow.Feature.writtenAt != 0 else { return id.placeTime }
    return try writtenAt(id) ?? id.placeTime
  }

  static func note(_ time: Timestamp, of id: Message.ID, in db: Database) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO written VALUES (?, ?)", id.rawValue, time.millisecondsSince1970)
  }

  /// The SQL of a row's own time; NULL for the time of its place.
  static func column(of message: String = "message") -> String {
    """
    iif(\(message).features & \(MessageRow.Feature.writtenAt), \
    (SELECT time FROM written WHERE written.message = \(message).id), NULL)
    """
  }

  static func condition(_ times: ClosedRange<Timestamp>) -> String {
    let places = Message.ID.places(of: times)
    return """
      iif(message.features & \(MessageRow.Feature.writtenAt), EXISTS (SELECT 1 FROM written \
      WHERE written.message = message.id AND written.time BETWEEN \(times.lowerBound.millisecondsSince1970) \
      AND \(times.upperBound.millisecondsSince1970)), \
      message.id BETWEEN \(PredicateWriter.literal(places.lowerBound)) AND \(PredicateWriter.literal(places.upperBound)))
      """
  }

  /// Replaces times in a predicate by the smallest equivalent range of places. Times stay where a message
  /// with a time of its own would be wrongly included or excluded.
  func placed(_ predicate: MessagePredicate) throws -> MessagePredicate {
    switch predicate {
    case .written(let times): return try places(of: times)
    case .not(let inner): return .not(try placed(inner))
    case .and(let all): return .and(try all.map { try placed($0) })
    case .or(let any): return .or(try any.map { try placed($0) })
    case .everything, .sender, .conversation, .kind, .ids, .has, .file, .forwarded, .thread, .matching,
      .regex:
      return predicate
    }
  }

  private func places(of times: ClosedRange<Timestamp>) throws -> MessagePredicate {
    let places = Message.ID.places(of: times)
    guard !areOfPlaces else { return .ids(places) }
    let bounds = (times.lowerBound.millisecondsSince1970, times.upperBound.millisecondsSince1970)
    let isStrange =
      try RawStatement(
        db, "SELECT 1 FROM written WHERE message BETWEEN ?1 AND ?2 AND time NOT BETWEEN ?3 AND ?4 LIMIT 1",
        places.lowerBound.rawValue, places.upperBound.rawValue, bounds.0, bounds.1
      ).first { _ in true } ?? false
    let own =
      try RawStatement(
        db, "SELECT min(message), max(message) FROM written WHERE time BETWEEN ? AND ?", bounds.0, bounds.1
      ).first { row in
        ClosedRange(
          from: Message.ID(rawValue: row.optionalInt(0) ?? places.lowerBound.rawValue),
          to: Message.ID(rawValue: row.optionalInt(1) ?? places.lowerBound.rawValue))
      } ?? nil
    guard let own else { return .ids(places) }
    let all = min(places.lowerBound, own.lowerBound)...max(places.upperBound, own.upperBound)
    return isStrange || all != places ? .and([.ids(all), .written(times)]) : .ids(places)
  }

  func exceptions(
    _ direction: PageReader.Direction, from moment: Timestamp, _ body: (Message.ID, Timestamp) throws -> Bool
  ) throws {
    guard !areOfPlaces else { return }
    let condition =
      direction == .older ? "time < ? ORDER BY time DESC, message DESC" : "time >= ? ORDER BY time, message"
    let rows = try RawStatement(
      db, "SELECT message, time FROM written WHERE \(condition)", moment.millisecondsSince1970)
    defer { rows.reset() }
    while try rows.step() {
      let goesOn = try body(
        Message.ID(rawValue: rows.int(0)), Timestamp(millisecondsSince1970: rows.int(1)))
      if !goesOn { break }
    }
  }

  /// Returns the last of the messages with own times that have consecutive ids from `id` on.
  func lastOfRun(_ direction: PageReader.Direction, from id: Message.ID) throws -> Message.ID {
    let comparison = direction == .older ? "<" : ">"
    let rows = try RawStatement(
      db, "SELECT message FROM written WHERE message \(comparison) ? ORDER BY message \(direction.order)",
      id.rawValue)
    defer { rows.reset() }
    var last = id.rawValue
    while try rows.step(), rows.int(0) == direction.next(last) { last = rows.int(0) }
    return Message.ID(rawValue: last)
  }

  func exceptions(in selection: Selection, _ beginnings: WordBeginnings) throws -> [OwnTime] {
    guard !areOfPlaces else { return [] }
    var writer = PredicateWriter(.oneByOne, firstArgument: 0)
    let condition = try writer.text(beginnings.spelledOut(selection.condition, in: db))
    let rows = try RawStatement(
      db,
      """
      SELECT message.id, time, precision FROM written CROSS JOIN message ON message.id = written.message \
      WHERE \(condition) ORDER BY written.message
      """)
    writer.bind(to: rows)
    return try rows.map { row in
      OwnTime(
        id: Message.ID(rawValue: row.int(0)), time: Timestamp(millisecondsSince1970: row.int(1)),
        precision: TimePrecision(rawValue: Int(row.int(2))) ?? .millisecond)
    }
  }
}

extension Selection {
  var condition: MessagePredicate {
    switch conversations {
    case .all: predicate
    case .some(let ids): .and([.conversation(ids), predicate])
    }
  }

  func placed(in db: Database) throws -> Selection {
    guard predicate.asksForTimes else { return self }
    return Selection(conversations, where: try MessageTimes(db).placed(predicate))
  }
}
