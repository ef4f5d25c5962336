import MessageModel
import TerminalText
import Testing

struct HandleTableTests {
  private func ids(_ numbers: ClosedRange<Int64>) -> [Message.ID] { numbers.map(Message.ID.init(rawValue:)) }

  @Test func `a message keeps its letter while it is on the screen`() {
    var table = HandleTable()
    table.update(visible: ids(1...3))
    table.update(visible: ids(2...4))
    #expect(ids(1...4).map { table.handle(of: $0) } == [nil, "b", "c", "d"])
    #expect(table.message(called: "d") == ids(4...4)[0])
  }

  @Test func `letters go on in order in both directions, and round again`() {
    var table = HandleTable()
    table.update(visible: ids(1...3))
    for first in Int64(2)...30 { table.update(visible: ids(first...(first + 2))) }
    #expect(ids(30...32).map { table.handle(of: $0) } == ["d", "e", "f"])
    for first in (Int64(20)...29).reversed() { table.update(visible: ids(first...(first + 2))) }
    #expect(ids(20...22).map { table.handle(of: $0) } == ["t", "u", "v"])
    // A jump begins anew.
    table.update(visible: ids(100...103))
    #expect(ids(100...103).map { table.handle(of: $0) } == ["a", "b", "c", "d"])
  }

  @Test func `no two messages have one letter, whatever comes and goes`() {
    var table = HandleTable()
    var random = SystemRandomNumberGenerator()
    for _ in 1...300 {
      let first = Int64.random(in: 0...90, using: &random)
      let visible = ids(first...(first + Int64.random(in: 0...60, using: &random))).filter { _ in
        Bool.random()
      }
      let before = visible.map { table.handle(of: $0) }
      table.update(visible: visible)
      let letters = visible.compactMap { table.handle(of: $0) }
      #expect(Set(letters).count == visible.count)
      #expect(zip(before, letters).allSatisfy { $0 == nil || $0 == $1 })
    }
  }

  @Test func `letters go on after z with aa`() {
    var table = HandleTable()
    table.update(visible: ids(0...60))
    #expect(table.handle(of: ids(26...26)[0]) == "aa")
    #expect(table.handle(of: ids(52...52)[0]) == "ba")
  }
}
