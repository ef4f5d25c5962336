import Foundation
import HistoryQueries
import MessageModel
import Testing

struct TimeExpressionTests {
  /// Now is Wednesday, 2024-05-15 12:00 in Berlin; the reader is at 2024-03-30 23:30, the evening before clocks change.
  private func shown(_ text: String) throws -> String? {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    var clock = WallClock(zone: berlin)
    let now = clock.moment(showing: CivilTime(year: 2024, month: 5, day: 15, hour: 12))
    let place = clock.moment(showing: CivilTime(year: 2024, month: 3, day: 30, hour: 23, minute: 30))
    guard let expression = TimeExpression(text) else { return nil }
    let civil = clock.civil(at: expression.moment(now: now, place: place, clock: &clock))
    let date = [civil.year, civil.month, civil.day].map(String.init).joined(separator: "-")
    return "\(date) \([civil.hour, civil.minute, civil.second].map(String.init).joined(separator: ":"))"
  }

  @Test(arguments: [
    ("2024-05-01", "2024-5-1 0:0:0"), ("2024-05", "2024-5-1 0:0:0"), ("2023", "2023-1-1 0:0:0"),
    ("2024-05-01 14:30", "2024-5-1 14:30:0"), ("2024-05-01T14:30:05.250", "2024-5-1 14:30:5"),
    ("2024-05-01T14:30Z", "2024-5-1 16:30:0"), ("2024-05-01 14:30+05:30", "2024-5-1 11:0:0"),
    ("14:30", "2024-3-30 14:30:0"), ("now", "2024-5-15 12:0:0"), ("today", "2024-5-15 0:0:0"),
    ("yesterday", "2024-5-14 0:0:0"), ("Yesterday 18:15", "2024-5-14 18:15:0"),
    ("3 days ago", "2024-5-12 12:0:0"), ("an hour ago", "2024-5-15 11:0:0"), ("2w ago", "2024-5-1 12:0:0"),
    ("-2h", "2024-3-30 21:30:0"), ("+7d", "2024-4-6 23:30:0"), ("+1 day", "2024-3-31 23:30:0"),
    ("1 May 2010", "2010-5-1 0:0:0"), ("May 2010", "2010-5-1 0:0:0"), ("may 1 2010", "2010-5-1 0:0:0"),
    ("May 1st, 2010 2pm", "2010-5-1 14:0:0"), ("12. Sept 2010", "2010-9-12 0:0:0"),
    ("2010/05/01", "2010-5-1 0:0:0"), ("01.05.2010", "2010-5-1 0:0:0"), ("1.5.2010 9:15", "2010-5-1 9:15:0"),
    ("2010-05-01 14", "2010-5-1 14:0:0"), ("2010-05-01T14", "2010-5-1 14:0:0"),
    ("monday", "2024-5-13 0:0:0"), ("wednesday", "2024-5-8 0:0:0"), ("last Thu 18:00", "2024-5-9 18:0:0"),
    ("sunday", "2024-5-12 0:0:0"), ("last week", "2024-5-6 0:0:0"), ("this week", "2024-5-13 0:0:0"),
    ("last month", "2024-4-1 0:0:0"), ("last year", "2023-1-1 0:0:0"), ("noon", "2024-3-30 12:0:0"),
    ("midnight", "2024-3-30 0:0:0"), ("2pm", "2024-3-30 14:0:0"), ("2:30 PM", "2024-3-30 14:30:0"),
    ("12am", "2024-3-30 0:0:0"), ("yesterday noon", "2024-5-14 12:0:0"),
    ("+24h", "2024-4-1 0:30:0"), ("-1mo", "2024-2-29 23:30:0"), ("-1y", "2023-3-30 23:30:0"),
  ])
  func `moments are understood as people write them`(text: String, moment: String) throws {
    #expect(try shown(text) == moment)
  }

  @Test(arguments: [
    "", "soon", "2024-13-01", "2024-02-30", "24:00", "12:60", "3 ago", "ago", "-", "-h", "+7", "20240501",
    "2024-05-01T", "2024-05-01 14:30+99:00", "yesterday morning", "5/1/2010", "13/1/2010", "last may 1",
    "march noon",
    "31 Feb 2010", "31 Feb", "May 1 2 3", "13pm", "0am", "14", "pm",
    "last", "last noon", "last 2010", "mo", "1st", "2010/05/01/1", "1.5", "1 2 2010", "may may 2010",
    "monday 14:30Z", "99999999999d ago", "१२:३०",
  ])
  func `what is no moment is not guessed at`(text: String) throws {
    #expect(try shown(text) == nil)
  }

  /// Now is Wednesday, 2024-05-15 12:00, and nobody is anywhere.
  private func period(_ text: String, _ isDay: Bool = false) throws -> String? {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    var clock = WallClock(zone: berlin)
    let now = clock.moment(showing: CivilTime(year: 2024, month: 5, day: 15, hour: 12))
    guard let expression = TimeExpression(text) else { return nil }
    let period = isDay ? expression.day(now: now, clock: &clock) : expression.period(now: now, clock: &clock)
    return [period.start, period.end].map { time in
      let civil = clock.civil(at: time)
      let clock = civil.hour == 0 && civil.minute == 0 ? "" : " \(civil.hour):\(civil.minute)"
      return "\(civil.year)-\(civil.month)-\(civil.day)\(clock)"
    }.joined(separator: " … ")
  }

  @Test(arguments: [
    ("2012", "2012-1-1 … 2013-1-1"), ("2012-03", "2012-3-1 … 2012-4-1"),
    ("march 2019", "2019-3-1 … 2019-4-1"),
    ("2012-12-31", "2012-12-31 … 2013-1-1"), ("Mar 15, 2019", "2019-3-15 … 2019-3-16"),
    ("Mar 15", "2024-3-15 … 2024-3-16"), ("15. march", "2024-3-15 … 2024-3-16"),
    ("May 15", "2024-5-15 … 2024-5-16"),
    ("May 16", "2023-5-16 … 2023-5-17"), ("Feb 29", "2024-2-29 … 2024-3-1"), ("may", "2024-5-1 … 2024-6-1"),
    ("last may", "2023-5-1 … 2023-6-1"), ("march", "2024-3-1 … 2024-4-1"),
    ("last march", "2024-3-1 … 2024-4-1"),
    ("june", "2023-6-1 … 2023-7-1"), ("Mar 15 14:30", "2024-3-15 14:30 … 2024-3-15 14:31"),
    ("monday", "2024-5-13 … 2024-5-14"), ("yesterday", "2024-5-14 … 2024-5-15"),
    ("last week", "2024-5-6 … 2024-5-13"), ("this month", "2024-5-1 … 2024-6-1"),
    ("last year", "2023-1-1 … 2024-1-1"), ("3 weeks ago", "2024-4-24 12:0 … 2024-4-24 12:0"),
    ("two months ago", "2024-3-15 12:0 … 2024-3-15 12:0"), ("monday 9am", "2024-5-13 9:0 … 2024-5-13 9:1"),
    ("2024-03-31", "2024-3-31 … 2024-4-1"),
  ])
  func `times are periods as long as they are known`(text: String, wanted: String) throws {
    #expect(try period(text) == wanted)
  }

  @Test func `a distance in days is a day for who asks for one`() throws {
    #expect(try period("3 weeks ago", true) == "2024-4-24 … 2024-4-25")
    #expect(try period("2 hours ago", true) == "2024-5-15 10:0 … 2024-5-15 10:0")
    #expect(try period("2012", true) == "2012-1-1 … 2013-1-1")
  }

  @Test func `a day without a year is that of the year in view`() throws {
    #expect(try shown("Mar 15") == "2024-3-15 0:0:0")
    #expect(try shown("dec 24") == "2024-12-24 0:0:0")
    #expect(try shown("May 1 2") == "2024-5-1 2:0:0")
  }

  @Test(arguments: [
    ("2012 tea", 1), ("march 2019 tea", 2), ("mar 15 tea", 2), ("mar 15 2019 tea", 3), ("3 weeks ago tea", 3),
    ("monday 12", 1), ("monday 12:00 12", 2), ("last march tea", 2), ("last week", 2), ("yesterday 2pm", 2),
    ("tea", 1), ("-2h tea", 1), ("2012-03-15 14:30 x", 2),
  ])
  func `those of some words that belong to a time are a part of it`(words: String, count: Int) {
    #expect(TimeExpression.length(of: words.split(separator: " ")) == count)
  }

  @Test func `an absurd distance ends at the end of time`() throws {
    #expect(try shown("-999999999y") != nil)
    #expect(try shown("+999999999w") != nil)
  }
}
