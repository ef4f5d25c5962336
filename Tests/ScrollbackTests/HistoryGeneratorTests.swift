import MessageModel
import TestSupport
import Testing

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

@Test func `a beginning does not depend on how much follows`() {
  let short = json(HistoryGenerator.Options(count: 100))
  #expect(json(HistoryGenerator.Options(count: 1_000)).starts(with: short))
}
