package import Foundation
internal import GRDB
package import MessageModel

extension StoreReading {
  /// Returns the course of a selection in time.
  ///
  /// A message replies to the one that it names or, without one, to the message before it in its
  /// conversation, if that is by another person and at most ``HistoryPace/mostHours`` older. Only spoken
  /// messages of the people with the most messages in the conversations count, and none of which only the day
  /// is known. A person with several accounts counts as one.
  ///
  /// - Parameters:
  ///   - selection: The messages.
  ///   - zone: The zone whose midnights separate days.
  ///   - progress: Called now and then with the number of messages read; returns whether to continue.
  /// - Throws: ``StoreError`` of kind `cancelled` if it was stopped, `invalidRequest` for a wrong expression.
  /// - Complexity: One pass, O(*n* log *n*) for *n* messages that all name others. Memory is O(hours with
  ///   messages + conversations + senders), and 4,032 pairs.
  package func pace(
    of selection: Selection, zone: TimeZone, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> HistoryPace {
    let frequent = try groups(
      of: Selection(selection.conversations), by: .person, zone: zone, progress: { _ in progress(0) })
    return try store.reading("cannot count the messages of '\(store.path)'") { db in
      try withoutActuallyEscaping(progress) { progress in
        var counting = try PaceCounting(db, frequent.map(\.key), zone: zone)
        if case .all = selection.conversations, let union = SelectionUnion(selection.predicate),
          counting.isOfOne(union.senders),
          let scan = try GroupScan(restOf: union, in: db, store.senderNames.beginnings)
        {
          try scan.run(union, progress: progress) { try counting.take($0, $1) }
        } else {
          let scan = try GroupScan(selection, in: db, store.senderNames.beginnings)
          try scan.run(selection.conversations, progress: progress) { try counting.take($0, $1) }
        }
        return counting.pace()
      }
    }
  }
}

private struct PaceCounting {
  private let speakers: Speakers
  private let keys: [MessageGroup.Key]
  private let places: [Speakers.Speaker: Int]
  private let target: RawStatement
  private let times: MessageTimes
  private var clock: WallClock
  private var known: [Int64: Speakers.Speaker] = [:]
  private var messageCount = 0
  /// The first and last message of each hour since 1970 that has any.
  private var hours: [Int64: (first: HistoryPace.Moment, last: HistoryPace.Moment)] = [:]
  private var days: [Int: Int] = [:]
  private var answers: [Pair: DurationCounts] = [:]
  private var turns: [Int64: Turn] = [:]

  private struct Pair: Hashable {
    var who: Int
    var whom: Int
  }

  private struct Turn {
    var speaker: Speakers.Speaker
    var time: Timestamp
  }

  private static let hour: Int64 = 3_600_000

  init(_ db: Database, _ frequent: [MessageGroup.Key], zone: TimeZone) throws {
    speakers = try Speakers(db)
    clock = WallClock(zone: zone)
    times = try MessageTimes(db)
    target = try RawStatement(db, "SELECT sender FROM message WHERE id = ?")
    let named = frequent.compactMap { key in key.speaker.map { (key, $0) } }.prefix(HistoryPace.speakerLimit)
    keys = named.map(\.0)
    places = Dictionary(named.enumerated().map { ($1.1, $0) }) { first, _ in first }
  }

  /// Whether senders are accounts of one person: their own messages need no order, since they are no replies.
  func isOfOne(_ senders: Set<Sender.ID>) -> Bool {
    Set(senders.map { speakers.speaker(of: $0.rawValue) }).count <= 1
  }

  mutating func take(_ id: Message.ID, _ row: GroupScan.Row) throws {
    messageCount += 1
    let moment = HistoryPace.Moment(id: id, time: try row.time())
    let hour = moment.time.millisecondsSince1970.floorDivided(by: Self.hour)
    let known = hours[hour] ?? (moment, moment)
    hours[hour] = (min(known.first, moment), max(known.last, moment))
    days[clock.civil(at: moment.time).daysSince1970, default: 0] += 1
    guard row.isSaid, !row.isOfDay, let sender = row.sender else { return }
    try noteAnswer(moment.time, by: speaker(of: sender), row)
  }

  private mutating func noteAnswer(
    _ time: Timestamp, by speaker: Speakers.Speaker, _ row: GroupScan.Row
  ) throws {
    let before = turns.updateValue(Turn(speaker: speaker, time: time), forKey: row.conversation)
    guard let who = places[speaker] else { return }
    if let named = row.replyTo {
      target.bind(named)
      guard let other = try target.first({ $0.optionalInt(0) }) ?? nil else { return }
      note(
        who, self.speaker(of: other), from: try times.time(of: Message.ID(rawValue: named)), until: time, row)
    } else if let before {
      let elapsed = time.millisecondsSince1970 - before.time.millisecondsSince1970
      guard elapsed <= Int64(HistoryPace.mostHours) * Self.hour else { return }
      note(who, before.speaker, from: before.time, until: time, row)
    }
  }

  private mutating func note(
    _ who: Int, _ other: Speakers.Speaker, from start: Timestamp, until end: Timestamp, _ row: GroupScan.Row
  ) {
    guard let whom = places[other], whom != who, start <= end else { return }
    var seconds = (end.millisecondsSince1970 - start.millisecondsSince1970) / 1_000
    // Within a minute the delay is unknown: it was a minute at most.
    if row.isOfMinute { seconds = max(60, (seconds + 30) / 60 * 60) }
    answers[Pair(who: who, whom: whom), default: DurationCounts()].add(seconds: Int(seconds))
  }

  private mutating func speaker(of sender: Int64) -> Speakers.Speaker {
    if let speaker = known[sender] { return speaker }
    let speaker = speakers.speaker(of: sender)
    known[sender] = speaker
    return speaker
  }

  func pace() -> HistoryPace {
    var pace = HistoryPace()
    pace.messageCount = messageCount
    let order = hours.sorted { $0.key < $1.key }.map(\.value)
    (pace.oldest, pace.newest) = (order.first?.first, order.last?.last)
    pace.silence = Self.longestSilence(order)
    let busiest = days.max { ($0.value, $1.key) < ($1.value, $0.key) }
    pace.busiestDay = busiest.map { HistoryPace.Day(date: CivilTime(daysSince1970: $0.key), count: $0.value) }
    let frequent = answers.sorted {
      ($1.value.count, $0.key.who, $0.key.whom) < ($0.value.count, $1.key.who, $1.key.whom)
    }
    pace.answers = frequent.map { pair, durations in
      HistoryPace.Answers(
        who: keys[pair.who], whom: keys[pair.whom], count: durations.count, medianSeconds: durations.median)
    }
    return pace
  }

  /// A silence within an hour that has messages is the longest only if all are shorter than an hour.
  private static func longestSilence(
    _ hours: [(first: HistoryPace.Moment, last: HistoryPace.Moment)]
  ) -> HistoryPace.Silence? {
    var longest: (silence: HistoryPace.Silence, length: Int64)?
    for (before, after) in zip(hours, hours.dropFirst()) {
      let length = after.first.time.millisecondsSince1970 - before.last.time.millisecondsSince1970
      guard length >= Self.hour, length > longest?.length ?? 0 else { continue }
      longest = (HistoryPace.Silence(last: before.last, first: after.first), length)
    }
    return longest?.silence
  }
}

extension MessageGroup.Key {
  /// The sender or person of a key; `nil` for other properties and messages without a sender.
  fileprivate var speaker: Speakers.Speaker? {
    switch self {
    case .person(let id, _): .person(id.rawValue)
    case .sender(let sender): sender.map { .sender($0.id.rawValue) }
    case .date, .weekday, .hour, .conversation, .kind: nil
    }
  }
}
