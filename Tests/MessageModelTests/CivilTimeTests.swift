import Foundation
import MessageModel
import Testing

@Suite struct CivilTimeTests {
  @Test func `days are those of the calendar, at each change of a month for 800 years`() {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    var days = CivilTime(year: 1600, month: 1, day: 1).daysSince1970
    for year in 1600..<2400 {
      for month in 1...12 {
        let first = CivilTime(year: year, month: month, day: 1)
        #expect(first.daysSince1970 == days && CivilTime(daysSince1970: days) == first)
        days += CivilTime.days(inMonth: month, of: year)
      }
    }
    let date = calendar.date(from: DateComponents(year: 2400, month: 1, day: 1))
    #expect(date?.timeIntervalSince1970 == Double(days) * 86_400)
  }

  @Test(arguments: [-69_000, -1, 0, 1, 1_582, 1_969, 1_970, 9_999, 69_999])
  func `a civil time becomes a moment and the same civil time again`(year: Int) {
    let last = CivilTime(
      year: year, month: 12, day: 31, hour: 23, minute: 59, second: 59, millisecond: 999)
    #expect(Timestamp(utc: last).utc == last)
    #expect(
      Timestamp(utc: last).advanced(byMilliseconds: 1).utc == CivilTime(year: year + 1, month: 1, day: 1))
  }

  @Test func `the days of the week go on before 1970`() {
    #expect(CivilTime(year: 1970, month: 1, day: 1).weekday == 4)
    #expect(CivilTime(year: 1969, month: 12, day: 28).weekday == 0)
    #expect(CivilTime(year: 1900, month: 1, day: 1).weekday == 1)
    #expect(CivilTime(year: -4, month: 2, day: 29).isValid)
  }

  @Test func `a field out of its range makes a time invalid`() {
    func isValid(_ change: (inout CivilTime) -> Void) -> Bool {
      var time = CivilTime(year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 59, millisecond: 999)
      change(&time)
      return time.isValid
    }
    #expect(isValid { _ in })
    #expect(isValid { $0.year = 2000 } && !isValid { $0.year = 1900 } && !isValid { $0.year = 2023 })
    #expect(!isValid { $0.month = 0 } && !isValid { $0.month = 13 } && !isValid { $0.day = 0 })
    #expect(!isValid { $0.hour = 24 } && !isValid { $0.minute = 60 } && !isValid { $0.second = 60 })
    #expect(!isValid { $0.millisecond = 1_000 } && !isValid { $0.hour = -1 } && !isValid { $0.year = 70_001 })
    #expect(!isValid { $0.year = .max } && !isValid { $0.day = .max })
  }

  @Test func `a time that the clock shows twice is the first, one that it skips comes later`() throws {
    var clock = WallClock(zone: try #require(TimeZone(identifier: "Europe/Berlin")))
    let twice = CivilTime(year: 2024, month: 10, day: 27, hour: 2, minute: 30)
    #expect(clock.moment(showing: twice).utc.hour == 0)
    let skipped = CivilTime(year: 2024, month: 3, day: 31, hour: 2, minute: 30)
    #expect(clock.civil(at: clock.moment(showing: skipped)).hour == 3)
    for month in 1...12 {
      let civil = CivilTime(year: 2024, month: month, day: 15, hour: 9)
      #expect(clock.civil(at: clock.moment(showing: civil)) == civil)
    }
  }

  @Test func `a clock shows the ends of time`() {
    var clock = WallClock.utc
    for end in [Timestamp.supported.lowerBound, Timestamp.supported.upperBound] {
      #expect(clock.civil(at: end) == end.utc)
      #expect(clock.moment(showing: end.utc) == end)
    }
  }
}
