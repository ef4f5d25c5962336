package import Foundation
internal import GRDB
package import HistoryModel
package import MessageModel

extension StoreReading {
  /// Returns the messages of a selection counted by a property: years, months, days, hours and days of the
  /// week in their order, others by number of messages, the greatest first.
  ///
  /// Without a predicate, or with a single sender, kind or feature and a range of time, dates are computed
  /// from the counts of blocks; without a predicate, so are senders, conversations and kinds. Hours of the
  /// whole store take a walk over its ids, everything else a pass over the selection.
  ///
  /// - Parameters:
  ///   - selection: The messages.
  ///   - grouping: The property.
  ///   - zone: The zone whose midnights separate days.
  ///   - progress: Called now and then with the number of messages counted in a pass; returns whether to
  ///     continue.
  /// - Throws: ``StoreError`` of kind `cancelled` if it was stopped, `invalidRequest` for a wrong expression.
  /// - Complexity: O(sections × messages of a block) for dates, O(senders × super-blocks), O(conversations ×
  ///   √*n*); a pass is O(*n*) for *n* messages. Memory is O(groups).
  package func groups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone,
    progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> [MessageGroup] {
    try store.reading(
      "cannot count the messages of '\(store.path)'",
      archived: { try $0.groups(of: selection, by: grouping, zone: zone, progress: progress) }
    ) { db in
      try withoutActuallyEscaping(progress) { progress in
        try GroupCounting(
          db: db, selection: selection.gathered.placed(in: db), zone: zone, names: store.senderNames,
          progress: progress
        ).groups(by: grouping)
      }
    }
  }
}

struct GroupCounting {
  let db: Database
  let selection: Selection
  let zone: TimeZone
  let names: SenderNames
  let progress: (Int) -> Bool

  func groups(by grouping: MessageGrouping) throws -> [MessageGroup] {
    switch grouping {
    case .year: try dates(by: .month) { CivilTime(year: $0.year, month: 1, day: 1) }
    case .month: try dates(by: .month) { $0 }
    case .day: try dates(by: .day) { $0 }
    case .weekday: try weekdays()
    case .hour: try hours()
    case .sender: try senders()
    case .person: try people()
    case .conversation: try conversations()
    case .kind: try kinds()
    }
  }

  private func dates(
    by span: HistorySection.Span, _ start: (CivilTime) -> CivilTime
  ) throws -> [MessageGroup] { Self.dates(try sections(by: span), start) }

  private static func dates(
    _ sections: [HistorySection], _ start: (CivilTime) -> CivilTime
  ) -> [MessageGroup] {
    var groups: [MessageGroup] = []
    for section in sections {
      let date = start(section.start)
      if let last = groups.last, case .date(date, _) = last.key {
        groups[groups.count - 1].count = last.count.adding(section.count)
      } else {
        groups.append(MessageGroup(key: .date(date, oldest: section.oldest), count: section.count))
      }
    }
    return groups
  }

  private func weekdays() throws -> [MessageGroup] { Self.weekdays(try sections(by: .day)) }

  private static func weekdays(_ days: [HistorySection]) -> [MessageGroup] {
    var counts = [Int](repeating: 0, count: 7)
    for section in days {
      counts[section.start.weekday] = counts[section.start.weekday].adding(section.count)
    }
    // Weeks begin on Monday, as in queries.
    return (1...7).map { $0 % 7 }.filter { counts[$0] > 0 }.map {
      MessageGroup(key: .weekday($0), count: counts[$0])
    }
  }

  /// Groups days or months, counted separately, by one of their properties; days for days of the week.
  static func groups(of sections: [HistorySection], by grouping: MessageGrouping) -> [MessageGroup] {
    switch grouping {
    case .year: dates(sections) { CivilTime(year: $0.year, month: 1, day: 1) }
    case .month, .day: dates(sections) { $0 }
    case .weekday: weekdays(sections)
    case .hour, .sender, .person, .conversation, .kind: []
    }
  }

  /// Returns the days or months with messages, oldest first, from the one whose oldest message is `first`.
  func sections(
    by span: HistorySection.Span, from first: Message.ID = .lowest, limit: Int = .max
  ) throws -> [HistorySection] {
    let reader = try PageReader(selection, in: db, names: names)
    let counter = try Counter(selection, in: db, reader: reader)
    let times = try MessageTimes(db)
    var clock = WallClock(zone: zone)
    if counter.isReady {
      return try HistorySection.all(
        by: span, reader, counter, &clock, from: first, limit: limit,
        but: times.exceptions(in: selection, names.beginnings), progress: progress)
    }
    var sections: [CivilTime: (oldest: (time: Timestamp, id: Message.ID), count: Int)] = [:]
    try scan { id, row in
      let time = try row.time()
      let start = clock.civil(at: time).start(of: span)
      let known = sections[start] ?? ((time, id), 0)
      sections[start] = ((time, id) < known.oldest ? (time, id) : known.oldest, known.count + 1)
    }
    let all = sections.sorted { $0.key.daysSince1970 < $1.key.daysSince1970 }
    // If all times are those of places, the count before a section is that of the sections before it.
    let ordinals = try times.areOfPlaces ? nil : ordinals(of: all.map(\.value.oldest.id).sorted())
    var ordinal = 0
    let listed = all.map { start, section in
      defer { ordinal = ordinal.adding(section.count) }
      return HistorySection(
        start: start, oldest: section.oldest.id, firstOrdinal: ordinals?[section.oldest.id] ?? ordinal,
        count: section.count)
    }
    let begin = listed.firstIndex { $0.oldest == first }
    return Array((begin.map { listed[$0...] } ?? listed.drop { $0.oldest < first }).prefix(limit))
  }

  /// Returns the number of messages before each of some ascending ids, in another pass.
  private func ordinals(of ids: [Message.ID]) throws -> [Message.ID: Int] {
    var counts = [Int](repeating: 0, count: ids.count + 1)
    try scan { id, _ in counts[ids.partitioningIndex { $0 > id }] += 1 }
    var (ordinals, sum) = ([Message.ID: Int](), 0)
    for (index, id) in ids.enumerated() {
      sum = sum.adding(counts[index])
      ordinals[id] = sum
    }
    return ordinals
  }

  private func hours() throws -> [MessageGroup] {
    var clock = WallClock(zone: zone)
    var counts = [Int](repeating: 0, count: 25)
    if selection == .everything {
      var walk = HourWalk(db, clock, progress: progress)
      counts = try walk.counts()
      for exception in try MessageTimes(db).exceptions(in: selection, names.beginnings)
      where exception.precision != .day {
        counts[clock.hour(at: exception.id.placeTime)] -= 1
        counts[clock.hour(at: exception.time)] += 1
      }
    } else {
      try scan { _, row in counts[row.isOfDay ? 24 : clock.hour(at: try row.time())] += 1 }
    }
    return counts.indices.filter { counts[$0] > 0 }.map {
      MessageGroup(key: .hour($0 == 24 ? nil : $0), count: counts[$0])
    }
  }

  private func senders() throws -> [MessageGroup] { try speakers(try Speakers(db, knowsPeople: false)) }

  private func people() throws -> [MessageGroup] { try speakers(try Speakers(db)) }

  private func speakers(_ speakers: Speakers) throws -> [MessageGroup] {
    var sums: [Speakers.Speaker?: Int] = [:]
    for (sender, count) in try senderCounts() where count > 0 {
      let speaker = sender.map { speakers.speaker(of: $0) }
      sums[speaker, default: 0] = count.adding(sums[speaker] ?? 0)
    }
    return try sums.map { speaker, count in MessageGroup(key: try key(of: speaker), count: count) }
      .sorted { $0.isBefore($1) }
  }

  private func key(of speaker: Speakers.Speaker?) throws -> MessageGroup.Key {
    switch speaker {
    case nil: return .sender(nil)
    case .sender(let id)?: return .sender(try names.sender(id, in: db))
    case .person(let id)?:
      let name = try RawStatement(db, "SELECT name FROM person WHERE id = ?", id).first { $0.text(0) }
      return .person(Person.ID(rawValue: id), name: name ?? "")
    }
  }

  private func senderCounts() throws -> [Int64?: Int] {
    var counts: [Int64?: Int] = [:]
    if selection.predicate == .everything {
      for scope in scopes {
        var all = try Ordinals(db: db, scope: scope, filter: FacetFilter()).total()
        for (facet, count) in try FacetSums(db: db, scope: scope).counts(of: .sender) {
          counts[facet, default: 0] = count.adding(counts[facet] ?? 0)
          all -= count
        }
        if all > 0 { counts[nil, default: 0] = all.adding(counts[nil] ?? 0) }
      }
    } else {
      try scan { _, row in counts[row.sender, default: 0] += 1 }
    }
    return counts
  }

  private func kinds() throws -> [MessageGroup] {
    var counts: [Int64: Int] = [:]
    if selection.predicate == .everything {
      for scope in scopes {
        for (kind, count) in try FacetSums(db: db, scope: scope).counts(of: .kind) {
          counts[kind, default: 0] = count.adding(counts[kind] ?? 0)
        }
      }
    } else {
      try scan { _, row in counts[row.kind, default: 0] += 1 }
    }
    let kinds = Dictionary(
      counts.map { (Message.Kind(rawValue: Int($0)) ?? .unknown, $1) }, uniquingKeysWith: { $0.adding($1) })
    return kinds.filter { $0.value > 0 }.map { MessageGroup(key: .kind($0.key), count: $0.value) }
      .sorted { $0.isBefore($1) }
  }

  private func conversations() throws -> [MessageGroup] {
    var counts: [Int64: Int] = [:]
    if let filter = FacetFilter(selection.predicate) {
      for scope in try conversationScopes() {
        counts[scope] = try Ordinals(db: db, scope: scope, filter: filter).total()
        guard progress(0) else { throw StoreError(.cancelled, "cannot count the messages") }
      }
    } else if let union = SelectionUnion(selection.predicate), union.isCounted {
      let all = Set(try conversationScopes().map { Conversation.ID(rawValue: $0) })
      for ordinals in try union.ordinals(in: .some(all), db) {
        counts[ordinals.scope] = try ordinals.total()
        guard progress(0) else { throw StoreError(.cancelled, "cannot count the messages") }
      }
    } else {
      try scan { _, row in counts[row.conversation, default: 0] += 1 }
    }
    return counts.filter { $0.value > 0 }.map {
      MessageGroup(key: .conversation(Conversation.ID(rawValue: $0.key)), count: $0.value)
    }.sorted { $0.isBefore($1) }
  }

  private var scopes: [Int64] {
    switch selection.conversations {
    case .all: [0]
    case .some(let ids): ids.map(\.rawValue).sorted()
    }
  }

  private func conversationScopes() throws -> [Int64] {
    try GroupScan.scopes(of: selection.conversations, in: db)
  }

  private func scan(_ body: (Message.ID, GroupScan.Row) throws -> Void) throws {
    if case .all = selection.conversations, let union = SelectionUnion(selection.predicate),
      let scan = try GroupScan(restOf: union, in: db, names.beginnings)
    {
      return try scan.run(union, progress: progress, body)
    }
    let scan = try GroupScan(selection, in: db, names.beginnings)
    try scan.run(selection.conversations, progress: progress, body)
  }
}

/// The properties of a message by which it is counted.
package struct CountedMessage: Hashable, Sendable {
  package var id: Message.ID
  package var conversation: Conversation.ID
  package var kind: Message.Kind
  package var precision: TimePrecision
  /// When it was written.
  package var moment: Timestamp
  package var speaker: MessageGroup.Key

  /// - Parameter speaker: The key of a group by sender or by person.
  package init(_ message: Message, speaker: MessageGroup.Key) {
    (id, conversation, kind) = (message.id, message.conversation, message.kind)
    (precision, moment, self.speaker) = (message.precision, message.moment, speaker)
  }
}

extension MessageGroup {
  /// Counts messages in memory by a property, as ``StoreReading/groups(of:by:zone:progress:)`` counts those
  /// of a store.
  ///
  /// - Parameter messages: The messages, oldest first.
  package static func groups(
    of messages: [CountedMessage], by grouping: MessageGrouping, zone: TimeZone
  ) -> [MessageGroup] {
    var clock = WallClock(zone: zone)
    switch grouping {
    case .year, .month, .day, .weekday:
      let span: HistorySection.Span = grouping == .year || grouping == .month ? .month : .day
      var sections: [HistorySection] = []
      let ordered = messages.enumerated().sorted {
        ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset)
      }
      for (ordinal, message) in ordered {
        let start = clock.civil(at: message.moment).start(of: span)
        if sections.last?.start == start {
          sections[sections.count - 1].count += 1
        } else {
          sections.append(
            HistorySection(start: start, oldest: message.id, firstOrdinal: ordinal, count: 1))
        }
      }
      return GroupCounting.groups(of: sections, by: grouping)
    case .hour:
      let all = counted(messages) { .hour($0.precision == .day ? nil : clock.hour(at: $0.moment)) }
      return all.sorted { $0.key.number < $1.key.number }
    case .sender, .person: return counted(messages, by: \.speaker).sorted { $0.isBefore($1) }
    case .conversation: return counted(messages) { .conversation($0.conversation) }.sorted { $0.isBefore($1) }
    case .kind: return counted(messages) { .kind($0.kind) }.sorted { $0.isBefore($1) }
    }
  }

  private static func counted(_ messages: [CountedMessage], by key: (CountedMessage) -> Key) -> [MessageGroup]
  {
    var counts: [Key: Int] = [:]
    for message in messages { counts[key(message), default: 0] += 1 }
    return counts.map { MessageGroup(key: $0.key, count: $0.value) }
  }

  func precedesInTime(_ other: MessageGroup) -> Bool { key.number < other.key.number }

  /// Whether it precedes another group: by number of messages, then by order of appearance.
  func isBefore(_ other: MessageGroup) -> Bool {
    count == other.count ? key.number < other.key.number : count > other.count
  }
}

extension MessageGroup.Key {
  fileprivate var number: Int64 {
    switch self {
    case .date(_, let oldest): oldest.rawValue
    case .weekday(let number): Int64(number)
    case .hour(let number): Int64(number ?? 24)
    case .sender(let sender): sender?.id.rawValue ?? .max
    case .person(let id, _): .min + id.rawValue
    case .conversation(let id): id.rawValue
    case .kind(let kind): Int64(kind.rawValue)
    }
  }
}
