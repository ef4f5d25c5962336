import ChatSession
import Testing

/// What keys and lines cost, counted in transactions of the store.
struct TransactionTests {
  private let transactions = Transactions()

  private func screen() throws -> StoreFixture.Screen {
    let fixture = try StoreFixture(minutely: 300, trace: transactions.trace)
    return try fixture.screen()
  }

  /// Returns how many transactions something takes.
  private func count(_ body: () throws -> Void) rethrows -> Int {
    let before = transactions.count
    try body()
    return transactions.count - before
  }

  @Test func `a message is written, and read with what is around it`() throws {
    var screen = try screen()
    for line in ["hello", "/me waves"] { #expect(count { screen.type(line) } == 2, "\(line)") }
    #expect(screen.lines.contains { $0.hasSuffix("waves") })
  }

  @Test func `a message of who is printed others is as many`() throws {
    let fixture = try StoreFixture(minutely: 300, trace: transactions.trace)
    var printer = try fixture.printer()
    #expect(count { printer.type("hello") } == 2)
    #expect(printer.printed().contains("hello"))
  }

  @Test
  func `whether a conversation was imported is known from entering it, and asked again when others wrote`()
    throws
  {
    var screen = try screen()
    let fixture = screen.fixture
    let export = fixture.folder.appendingPathComponent("all.jsonl").path
    screen.finish(screen.type("/export \"\(export)\""))
    screen.finish(screen.type("/import \"\(export)\" --into copies"))
    screen.type("/open copies")
    #expect(count { screen.type("hello") } == 0)
    #expect(screen.status.hasPrefix(" 'copies' was imported from 1 file. Write to it?"))
    #expect(count { screen.type("yes") } == 2)
    #expect(screen.status == " appended as carol · /undo")
    screen.type("/open random")
    screen.finish(screen.type("/import \"\(export)\" --into random"))
    screen.type("hello")
    #expect(screen.status.hasPrefix(" 'random' was imported"), "\(screen.status)")
  }

  @Test func `scrolling within what is held reads nothing`() throws {
    var screen = try screen()
    #expect(count { screen.handle(.key(.pageOlder)) } == 0)
    #expect(count { screen.handle(.key(.newest)) } == 1)
  }
}
