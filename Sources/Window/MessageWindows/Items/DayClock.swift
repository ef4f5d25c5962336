import Foundation
import MessageModel

/// The days of a time zone.
///
/// It caches the zone's offsets for months at a time: asking Foundation takes a microsecond or more, and the
/// messages of a window may be a year apart.
struct DayClock: Sendable {
  private struct Span {
    var range: Range<Int64>
    var offset: Int64
  }

  private let zone: TimeZone
  private var spans: [Span] = []
  private var latest = Span(range: 0..<0, offset: 0)

  init(zone: TimeZone) { self.zone = zone }

  /// The number of days since 1970 in the zone; for a message of which only the day is known, that day.
  mutating func day(of message: Message) -> Int {
    let instant = message.time.millisecondsSince1970
    let offset = message.precision == .day ? 0 : offset(at: instant)
    return Int((instant + offset).floorDivided(by: Self.day))
  }

  private mutating func offset(at instant: Int64) -> Int64 {
    if latest.range.contains(instant) { return latest.offset }
    if let known = spans.first(where: { $0.range.contains(instant) }) {
      latest = known
    } else {
      latest = span(around: instant)
      if spans.count == Self.mostSpans { spans.removeAll() }
      spans.append(latest)
    }
    return latest.offset
  }

  /// Returns a span of constant offset around a moment, within its block of days.
  private func span(around instant: Int64) -> Span {
    var start = instant.floorDivided(by: Self.block) * Self.block
    let end = start + Self.block
    // A zone has a handful of changes in a block.
    for _ in 0..<Self.mostChanges {
      let change = zone.nextDaylightSavingTimeTransition(after: Self.date(start))
      let next = min(change.map { Timestamp($0).millisecondsSince1970 } ?? end, end)
      guard next > start else { break }
      if instant < next {
        return checked(Span(range: start..<next, offset: lookUp(at: instant)), for: instant)
      }
      start = next
    }
    return quarter(at: instant)
  }

  /// Checks that the offset holds at both ends: systems may report only changes of daylight saving time.
  private func checked(_ span: Span, for instant: Int64) -> Span {
    let isWhole =
      lookUp(at: span.range.lowerBound) == span.offset && lookUp(at: span.range.upperBound - 1) == span.offset
    return isWhole ? span : quarter(at: instant)
  }

  /// Caches a quarter of an hour: zones change at whole quarters.
  private func quarter(at instant: Int64) -> Span {
    let start = instant.floorDivided(by: Self.quarterHour) * Self.quarterHour
    return Span(range: start..<(start + Self.quarterHour), offset: lookUp(at: instant))
  }

  private func lookUp(at instant: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Self.date(instant))) * 1_000
  }

  private static func date(_ milliseconds: Int64) -> Date {
    Date(Timestamp(millisecondsSince1970: milliseconds))
  }

  private static let day: Int64 = 86_400_000
  private static let quarterHour: Int64 = 900_000
  private static let block: Int64 = 128 * day
  private static let mostChanges = 16
  private static let mostSpans = 64
}
