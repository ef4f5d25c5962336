import Foundation
import MessageModel
import Testing

@Suite struct TimestampTests {
  @Test func `a moment outside of what an id can carry is moved to the nearest that it can`() {
    let (first, last) = (Timestamp.supported.lowerBound, Timestamp.supported.upperBound)
    #expect(Timestamp(millisecondsSince1970: .min) == first && Timestamp(millisecondsSince1970: .max) == last)
    #expect(first.advanced(byMilliseconds: -1) == first && last.advanced(byMilliseconds: 1) == last)
    #expect(first.advanced(byMilliseconds: .min) == first && last.advanced(byMilliseconds: .max) == last)
    #expect(first.advanced(byMilliseconds: .max) == last && last.advanced(byMilliseconds: .min) == first)
  }

  @Test func `a moment that becomes a date becomes the same moment again`() {
    var dice = SystemRandomNumberGenerator()
    let all =
      Timestamp.supported.lowerBound
      .millisecondsSince1970...Timestamp.supported.upperBound.millisecondsSince1970
    let near: ClosedRange<Int64> = -4_000_000_000_000...4_000_000_000_000
    let some = (0..<20_000).map { Int64.random(in: $0.isMultiple(of: 2) ? all : near, using: &dice) }
    for milliseconds in [all.lowerBound, -1, 0, 1, 978_307_200_000, all.upperBound] + some {
      let moment = Timestamp(millisecondsSince1970: milliseconds)
      #expect(Timestamp(Date(moment)) == moment, "\(milliseconds)")
    }
  }

  @Test func `a date means the same moment as a timestamp, as far as one can be told`() {
    #expect(Date(Timestamp(millisecondsSince1970: 1_500)) == Date(timeIntervalSince1970: 1.5))
    #expect(Timestamp(Date(timeIntervalSince1970: -0.0004)).millisecondsSince1970 == 0)
    #expect(Timestamp(Date(timeIntervalSince1970: 1e300)) == Timestamp.supported.upperBound)
    #expect(Timestamp(Date(timeIntervalSince1970: -.infinity)) == Timestamp.supported.lowerBound)
    #expect(Timestamp(Date(timeIntervalSince1970: .nan)) == Timestamp.supported.lowerBound)
  }

  @Test(
    arguments: [
      (TimePrecision.millisecond, -1), (.second, -1_000), (.minute, -60_000), (.day, -86_400_000),
    ] as [(TimePrecision, Int64)])
  func `rounding goes towards the past, before 1970 too`(precision: TimePrecision, start: Int64) {
    #expect(Timestamp(millisecondsSince1970: -1).rounded(to: precision).millisecondsSince1970 == start)
    #expect(Timestamp(millisecondsSince1970: 0).rounded(to: precision).millisecondsSince1970 == 0)
    let last = Timestamp(millisecondsSince1970: precision.milliseconds - 1)
    #expect(last.rounded(to: precision).millisecondsSince1970 == 0)
  }

  @Test func `precisions and kinds have one word each, by which they are found`() {
    #expect(TimePrecision.allCases.map(\.name) == ["millisecond", "minute", "second", "day"])
    for precision in TimePrecision.allCases { #expect(TimePrecision(name: precision.name) == precision) }
    #expect(TimePrecision(name: "hour") == nil && TimePrecision(name: "Day") == nil)
    for kind in Message.Kind.allCases { #expect(Message.Kind(name: kind.name) == kind) }
    #expect(Message.Kind(name: "") == nil)
    #expect(
      Message.Kind.allCases.filter { !$0.isEvent } == [
        .text, .action, .notice, .unknown, .thinking, .tool, .result,
      ])
  }

  /// They are stored: a number that changes its meaning makes another message of each that has it.
  @Test func `the numbers of kinds and precisions stay what they are`() {
    #expect(TimePrecision.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(Message.Kind.allCases.map(\.rawValue) == Array(0...15))
    #expect(
      [Message.Kind.text, .join, .topic, .unknown, .thinking, .tool, .result].map(\.rawValue) == [
        0, 3, 8, 12, 13, 14, 15,
      ])
  }
}
