public import Foundation
public import MessageModel
internal import MessageStorage

/// Asks for the messages of a calendar day in earlier years.
public struct AnniversariesQuestion: HistoryQuestion, ListQuestion, SelectingQuestion {
  /// Its word in JSON.
  public static let word = "anniversaries"

  /// The day as people write it, of any year; `nil` for today.
  public var day: String?
  /// The conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition on messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The time zone whose midnights separate days; `nil` for UTC.
  public var timeZone: String?
  /// The most messages per year; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(
    day: String? = nil, conversations: [ConversationReference]? = nil, person: String? = nil,
    filter: HistoryFilter? = nil,
    timeZone: String? = nil, limit: Int? = nil
  ) {
    (self.day, self.conversations, self.person, self.filter) = (day, conversations, person, filter)
    (self.timeZone, self.limit) = (timeZone, limit)
  }
}

extension AnniversariesQuestion {
  /// Returns the years.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> AnniversariesAnswer {
    let zone = try QuestionAnswerer.zone(timeZone)
    var compiler = try queries.compiler(inZone: timeZone)
    var clock = WallClock(zone: zone)
    let day = clock.civil(at: try compiler.time(day ?? "today").start)
    return try queries.anniversaries(
      of: day, before: clock.civil(at: queries.now()), in: queries.selection(of: self), zone: zone,
      limit: QuestionAnswerer.limit(limit), isCancelled: queries.isCancelled)
  }

  package var isSearch: Bool { true }
}

/// The messages of a calendar day, latest year first.
public struct AnniversariesAnswer: HistoryAnswer, ServedAnswer {
  /// The years with messages on that day.
  public var years: [AnniversaryAnswer]

  package var count: Int { years.map(\.messages.count).max() ?? 0 }
  package var shortened: AnniversariesAnswer {
    var short = self
    for index in years.indices { short.years[index].messages = years[index].messages.map(\.shortened) }
    return short
  }
}

/// The messages of a calendar day in one year.
public struct AnniversaryAnswer: Codable, Hashable, Sendable {
  /// The date: `2014-05-01`.
  public var day: String
  /// The number of messages on it.
  public var total: Int
  /// The first messages of the day.
  public var messages: [MessageAnswer]
}

extension QuestionAnswerer {
  private static let anniversaryLimit = 100

  /// Returns the messages of a calendar day in all years before today, latest year first.
  ///
  /// - Parameters:
  ///   - day: The day; its year does not matter.
  ///   - today: Today's date.
  ///   - zone: The time zone whose midnights separate days.
  ///   - selection: The messages to look at.
  ///   - limit: The maximum number of messages per year, oldest first; the total counts all of them.
  ///   - isCancelled: Called between years.
  /// - Complexity: Two pages for each year with messages.
  public func anniversaries(
    of day: CivilTime, before today: CivilTime, in selection: Selection = .everything, zone: TimeZone,
    limit: Int = QuestionAnswerer.usualLimit,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> AnniversariesAnswer {
    var clock = WallClock(zone: zone)
    var answer = AnniversariesAnswer(years: [])
    var year = (day.month, day.day) < (today.month, today.day) ? today.year : today.year - 1
    while answer.years.count < Self.anniversaryLimit, year >= -75_000 {
      guard let (start, end) = Self.bounds(of: day, in: year, &clock) else {
        year -= 1
        continue
      }
      guard let last = try newest(before: end, in: selection, isCancelled) else { break }
      guard last >= start else {
        // Skips years without messages.
        let found = clock.civil(at: last)
        year = min(year - 1, (found.month, found.day) >= (day.month, day.day) ? found.year : found.year - 1)
        continue
      }
      let chosen = selection.narrowed(to: .time(from: start, until: end))
      let found = try page(PageRequest(chosen, anchor: .oldest, fetchLimit: limit))
      var total = found.total ?? 0
      if found.exact == false {
        // The page's total is an estimate: counts the messages of the day instead.
        total = try store.groups(of: chosen, by: .kind, zone: zone) { _ in !isCancelled() }
          .reduce(0) { $0.adding($1.count) }
      }
      answer.years.append(
        AnniversaryAnswer(
          day: CivilTime(year: year, month: day.month, day: day.day).dateText, total: total,
          messages: found.messages))
      year -= 1
    }
    return answer
  }

  /// Returns the time of the newest message that was written before a moment.
  private func newest(
    before moment: Timestamp, in selection: Selection, _ isCancelled: () -> Bool
  ) throws(StoreError) -> Timestamp? {
    let selection = selection.narrowed(to: .time(from: nil, until: moment))
    var anchor = PageAnchor.newest
    while true {
      if isCancelled() { throw StoreError(.cancelled, "cannot look for this day in other years") }
      let page = try store.page(
        PageRequest(selection, order: .newestFirst, anchor: anchor, fetchLimit: 1, wantsCounts: false))
      if let found = page.messages.first { return found.moment }
      guard let nextAnchor = page.nextAnchor else { return nil }
      anchor = nextAnchor
    }
  }

  /// Returns the beginning and the end of a day in a year; `nil` for 29 February in a common year.
  private static func bounds(
    of day: CivilTime, in year: Int, _ clock: inout WallClock
  ) -> (start: Timestamp, end: Timestamp)? {
    let date = CivilTime(year: year, month: day.month, day: day.day)
    guard date.isValid else { return nil }
    let next = CivilTime(daysSince1970: date.daysSince1970 + 1)
    return (clock.moment(showing: date), clock.moment(showing: next))
  }
}
