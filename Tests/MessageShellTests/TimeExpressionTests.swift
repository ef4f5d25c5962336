import Foundation
import MessageModel
import MessageShell
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
    ("+24h", "2024-4-1 0:30:0"), ("-1mo", "2024-2-29 23:30:0"), ("-1y", "2023-3-30 23:30:0"),
  ])
  func `moments are understood as people write them`(text: String, moment: String) throws {
    #expect(try shown(text) == moment)
  }

  @Test(arguments: [
    "", "soon", "2024-13-01", "2024-02-30", "24:00", "12:60", "3 ago", "ago", "-", "-h", "+7", "20240501",
    "2024-05-01T", "2024-05-01 14:30+99:00", "yesterday morning", "99999999999d ago", "१२:३०",
  ])
  func `what is no moment is not guessed at`(text: String) throws {
    #expect(try shown(text) == nil)
  }

  @Test func `an absurd distance ends at the end of time`() throws {
    #expect(try shown("-999999999y") != nil)
    #expect(try shown("+999999999w") != nil)
  }
}
