import MessageModel
import MessageSourceTesting
import Testing

@testable import scrollback_bench

private func json(_ options: HistoryGenerator.Options, withIDs: Bool = false) -> [UInt8] {
  var generator = HistoryGenerator(options)
  var bytes: [UInt8] = []
  while generator.appendJSONLines(to: &bytes, upTo: bytes.count + 4_096, withIDs: withIDs) {}
  return bytes
}

@Test func `a seed always gives the same bytes`() {
  let options = HistoryGenerator.Options(count: 2_000, seed: 7)
  #expect(json(options) == json(options))
  #expect(json(options) != json(HistoryGenerator.Options(count: 2_000, seed: 8)))
}

@Test func `a history has a line for each message and ids that grow`() {
  var generator = HistoryGenerator(HistoryGenerator.Options(count: 3_000, conversations: 3))
  var last = Message.ID.lowest
  var count = 0
  while generator.advance() {
    #expect(generator.line.id > last)
    last = generator.line.id
    count += 1
  }
  #expect(count == 3_000)
  let lines = json(HistoryGenerator.Options(count: 3_000, conversations: 3)).count {
    $0 == UInt8(ascii: "\n")
  }
  #expect(lines == 3_000)
}

@Test(arguments: [100_000_000, 1_000_000_000])
func `however many they are, they end before the last day and come all through the years`(count: Int) {
  let options = HistoryGenerator.Options(count: count)
  let day: Int64 = 86_400_000
  let days = (options.end.millisecondsSince1970 - options.start.millisecondsSince1970) / day
  var random = SeededGenerator(seed: 1)
  // A Monday, or the week that begins with it, has its share of them at the pace of all. 2015 began with a Thursday.
  let monday = options.start.advanced(byMilliseconds: 4 * day)
  let length: Int64 = count > 100_000_000 ? 1 : 7
  let end = monday.advanced(byMilliseconds: length * day)
  let share = count / Int(days) * Int(length)
  var rhythm = DailyRhythm(start: monday, end: end, count: share)
  var last = monday
  for _ in 0..<share { last = rhythm.next(with: &random) }
  #expect(last < end)
  #expect(last > monday.advanced(byMilliseconds: length * day * 6 / 10))
}

@Test func `ten million fit at the pace at which people write`() {
  var (few, many) = (
    HistoryGenerator(HistoryGenerator.Options(count: 1_000)),
    HistoryGenerator(HistoryGenerator.Options(count: 10_000_000))
  )
  while few.advance(), many.advance() { #expect(few.line.id == many.line.id) }
}

@Test func `a history of one crowded day stays in it`() throws {
  let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 4))
  let end = start.advanced(byMilliseconds: 86_400_000)
  var generator = HistoryGenerator(HistoryGenerator.Options(count: 50_000, start: start, end: end))
  while generator.advance() {}
  #expect(generator.line.id.placeTime < end)
}

@Test func `a beginning does not depend on how much follows`() {
  let short = json(HistoryGenerator.Options(count: 100))
  #expect(json(HistoryGenerator.Options(count: 1_000)).starts(with: short))
}
