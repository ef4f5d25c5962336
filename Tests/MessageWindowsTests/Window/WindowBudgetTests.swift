import MessageModel
import MessageSourceTesting
import MessageWindows
import TestSupport
import Testing

/// The budgets under messages of all sizes, at their full scale.
@Suite struct WindowBudgetTests {
  @Test(arguments: isLong ? UInt64(0)..<4 : 0..<1)
  func `random moves over messages of 0 B to 15 MB hold no more than the budget and a message`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let texts = [0, 0, 10, 100, 4_000, 100_000, 2_000_000, 15_000_000].map {
      String(repeating: "x", count: $0)
    }
    let source = ReferenceSource(
      (1...1_000).map { number in
        let text = texts[Int.random(in: texts.indices, using: &generator)]
        return Message(id: id(Int64(number)), conversation: conversation, text: text)
      })
    var window = try openWindow(in: source)
    for _ in 0..<(isLong ? 25_000 : 200) {
      try window.perform(Self.move(window, using: &generator), in: source)
      let bytes = window.messages.reduce(0) { $0 + $1.byteCost }
      #expect(window.header.byteCount == bytes && (bytes <= window.limits.bytes || window.count == 1))
      guard window.count <= window.limits.messages, window.position.map({ window.message($0.id) }) != nil
      else { break }
    }
  }

  private static func move(
    _ window: MessageWindow, using generator: inout SeededGenerator
  ) -> ListCommand {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .jump(to: .ordinal(.random(in: 0..<1_000, using: &generator)))
    case 1, 2: return .scroll(.older)
    case 3, 4: return .scroll(.newer)
    default:
      let first = Int.random(in: 0..<max(window.count, 1), using: &generator)
      let last = min(first + .random(in: 0..<30, using: &generator), window.count - 1)
      return .readerMoved(first: window[first].id, last: window[last].id)
    }
  }
}
