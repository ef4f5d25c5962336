import MessageModel
import TerminalText
import Testing

struct HandleTableTests {
  private func ids(_ numbers: ClosedRange<Int64>) -> [Message.ID] { numbers.map(Message.ID.init(rawValue:)) }

  @Test func `a message keeps its letter while it is on the screen`() {
    var table = HandleTable()
    table.update(visible: ids(1...3))
    table.update(visible: ids(2...4))
    #expect(ids(1...4).map { table.handle(of: $0) } == [nil, "b", "c", "a"])
    #expect(table.message(called: "a") == ids(4...4)[0])
  }

  @Test func `letters go on after z with aa`() {
    var table = HandleTable()
    table.update(visible: ids(0...60))
    #expect(table.handle(of: ids(26...26)[0]) == "aa")
    #expect(table.handle(of: ids(52...52)[0]) == "ba")
  }
}
