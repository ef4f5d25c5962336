package import Foundation
internal import GRDB
package import HistoryModel
package import MessageModel

extension StoreReading {
  /// Returns the days or months with messages, oldest first, with exact counts.
  ///
  /// - Parameters:
  ///   - conversation: The conversation; `nil` for all conversations.
  ///   - span: Whether days or months are counted.
  ///   - zone: The zone whose midnights separate days.
  /// - Complexity: O(sections × √*n*) small steps for *n* messages: a count is the difference of two
  ///   ordinals.
  package func sections(
    of conversation: Conversation.ID?, by span: HistorySection.Span, zone: TimeZone
  ) throws(StoreError) -> [HistorySection] {
    try sections(of: conversation, by: span, zone: zone, from: .lowest, limit: .max)
  }

  /// Returns days or months with messages, from the one of `first` on, at most `limit`; see
  /// ``sections(of:by:zone:)``.
  ///
  /// - Parameters:
  ///   - conversation: The conversation; `nil` for all conversations.
  ///   - span: Whether days or months are counted.
  ///   - zone: The zone whose midnights separate days.
  ///   - first: The oldest message of the first section.
  ///   - limit: The most sections.
  package func sections(
    of conversation: Conversation.ID?, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID,
    limit: Int
  ) throws(StoreError) -> [HistorySection] {
    try sections(
      of: conversation.map { Selection($0) } ?? .everything, by: span, zone: zone, from: first, limit: limit)
  }

  /// Returns the days or months of a selection with messages, oldest first, with exact counts.
  ///
  /// - Parameters:
  ///   - selection: The messages. Those of conversations and senders are counted by block, others in a pass
  ///     over all.
  ///   - span: Whether days or months are counted.
  ///   - zone: The zone whose midnights separate days.
  ///   - first: The oldest message of the first section.
  ///   - limit: The most sections.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a wrong expression.
  package func sections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID = .lowest,
    limit: Int = .max
  ) throws(StoreError) -> [HistorySection] {
    try store.reading(
      "cannot list \(span.rawValue)s of '\(store.path)'",
      archived: { try $0.sections(of: selection, by: span, zone: zone, from: first, limit: limit) }
    ) { db in
      let counting = GroupCounting(
        db: db, selection: try selection.gathered.placed(in: db), zone: zone, names: store.senderNames,
        progress: { _ in true })
      return try counting.sections(by: span, from: first, limit: limit)
    }
  }
}

extension HistorySection {
  /// Returns the sections of a reader's messages with exact counts, oldest first, from the one whose oldest
  /// message is `first`. `exceptions` are the messages with their own times, by place. `progress` gets the
  /// number of messages counted after each section; if it returns `false`, this throws `cancelled`.
  static func all(
    by span: Span, _ reader: PageReader, _ counter: Counter, _ clock: inout WallClock,
    from first: Message.ID = .lowest, limit: Int = .max, but exceptions: [OwnTime] = [],
    progress: (Int) -> Bool = { _ in true }
  ) throws -> [HistorySection] {
    guard exceptions.isEmpty else {
      let all = try all(by: span, reader, counter, &clock, progress: progress)
      var corrected = CorrectedSections(all, span, clock)
      try corrected.correct(by: exceptions) { id in
        if reader.findsNext { return try reader.first(.newer, from: id) }
        return try counter.id(at: counter.ordinal(of: id))
      }
      return try corrected.sections(from: first, limit: limit) { try counter.ordinal(of: $0) }
    }
    var sections: [HistorySection] = []
    var ordinals = counter.ascending
    let total = try counter.total()
    var ordinal = first == .lowest ? 0 : try ordinals.ordinal(of: first)
    // A reader with a filter stops when its budget is spent: the counts find the next message.
    func next(from id: Message.ID) throws -> Message.ID? {
      if reader.findsNext { return try reader.first(.newer, from: id) }
      return ordinal < total ? try counter.id(at: ordinal) : nil
    }
    var place = try next(from: first)
    while let oldest = place, sections.count < limit {
      let start = clock.civil(at: oldest.placeTime).start(of: span)
      let end = Message.ID(time: clock.moment(showing: start.adding(1, span)))
      let begin = ordinal
      ordinal = end > oldest ? try ordinals.ordinal(of: end) : total
      place = end > oldest ? try next(from: end) : nil
      if place == nil { ordinal = total }
      sections.append(
        HistorySection(start: start, oldest: oldest, firstOrdinal: begin, count: ordinal - begin))
      guard progress(ordinal) else { throw StoreError(.cancelled, "cannot count the messages") }
    }
    return sections
  }
}

/// Sections by place, corrected to sections by time.
struct CorrectedSections {
  private struct Section {
    /// Its oldest message and its time; `nil` if only the count is certain.
    var oldest: (time: Timestamp, id: Message.ID)?
    var count: Int
    var ordinal: Int?
  }

  private let span: HistorySection.Span
  private var clock: WallClock
  private var sections: [CivilTime: Section] = [:]

  init(_ all: [HistorySection], _ span: HistorySection.Span, _ clock: WallClock) {
    (self.span, self.clock) = (span, clock)
    for section in all {
      sections[section.start] = Section(
        oldest: (section.oldest.placeTime, section.oldest), count: section.count,
        ordinal: section.firstOrdinal)
    }
  }

  /// Moves messages from the sections of their places to those of their times. `next` returns the first
  /// message from an id on. O(exceptions + sections that begin with one).
  mutating func correct(
    by exceptions: [OwnTime], _ next: (Message.ID) throws -> Message.ID?
  ) throws {
    for (index, exception) in exceptions.enumerated() {
      let start = clock.civil(at: exception.id.placeTime).start(of: span)
      sections[start]?.count -= 1
      guard sections[start]?.oldest?.id == exception.id else { continue }
      // The first message that is no exception, after all adjacent ones.
      var (place, found) = (index, Message.ID?.some(exception.id))
      while let id = found, place < exceptions.count, exceptions[place].id == id {
        place += 1
        while place < exceptions.count, exceptions[place].id == exceptions[place - 1].id.successor {
          place += 1
        }
        found = try next(exceptions[place - 1].id.successor)
      }
      sections[start]?.oldest = found.map { ($0.placeTime, $0) }
      sections[start]?.ordinal = nil
    }
    for (start, section) in sections where section.count <= 0 { sections[start] = nil }
    for exception in exceptions {
      let start = clock.civil(at: exception.time).start(of: span)
      var section = sections[start] ?? Section(count: 0)
      section.count += 1
      if section.oldest.map({ (exception.time, exception.id) < $0 }) ?? true {
        section.oldest = (exception.time, exception.id)
        section.ordinal = nil
      }
      sections[start] = section
    }
  }

  /// Returns the sections, by time, from the one whose oldest message is `first`.
  func sections(
    from first: Message.ID, limit: Int, _ ordinal: (Message.ID) throws -> Int
  ) throws -> [HistorySection] {
    let all = sections.sorted { $0.key.daysSince1970 < $1.key.daysSince1970 }
    let start = all.firstIndex { $0.value.oldest?.id == first }
    let rest = start.map { all[$0...] } ?? all.drop { $0.value.oldest?.id ?? .lowest < first }
    return try rest.prefix(limit).compactMap { start, section in
      guard let oldest = section.oldest?.id else { return nil }
      return HistorySection(
        start: start, oldest: oldest, firstOrdinal: try section.ordinal ?? ordinal(oldest),
        count: section.count)
    }
  }
}

extension CivilTime {
  func start(of span: HistorySection.Span) -> CivilTime {
    CivilTime(year: year, month: month, day: span == .day ? day : 1)
  }

  func adding(_ count: Int, _ span: HistorySection.Span) -> CivilTime {
    switch span {
    case .day: CivilTime(daysSince1970: daysSince1970 + count)
    case .month:
      month + count > 12
        ? CivilTime(year: year + 1, month: month + count - 12, day: 1)
        : CivilTime(year: year, month: month + count, day: 1)
    }
  }
}
