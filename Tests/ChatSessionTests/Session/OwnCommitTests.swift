import ChatSession
import TerminalText
import Testing

/// What is changed here is shown at once: notice of it says nothing new.
struct OwnCommitTests {
  /// All that notice of a change reads: which version the store has.
  private static let versionRead = 1
  /// And from which version on names are known, or which have changed since.
  private static let namesRead = 1
  /// A screen also looks whether anybody is linked to a person by now, whose name it would show.
  private static let peopleRead = 1
  /// What became of the open conversation.
  private static let fateRead = 1

  @Test(arguments: ["hello", "/edit b better", "/delete b", "/reply a indeed"])
  func `a change of mine is read once, and not again when notice of it comes`(line: String) throws {
    let transactions = Transactions()
    let fixture = try StoreFixture(minutely: 100, trace: transactions.trace)
    var session = try Session(try fixture.context(), rows: 8, columns: 60)
    _ = session.screen()
    #expect(session.handle(.line(line)).line == nil)
    let (count, seen) = (transactions.count, session.screen())
    #expect(session.handle(.storeChanged).jobs.isEmpty)
    #expect(
      transactions.count == count + Self.versionRead + Self.namesRead + Self.peopleRead + Self.fateRead
        && session.screen() == seen)
    try fixture.receive("not mine")
    #expect(session.handle(.storeChanged).jobs.map(\.lane) == [.refresh])
  }

  @Test func `a message of mine is printed once, and looked for once`() throws {
    let transactions = Transactions()
    let fixture = try StoreFixture(minutely: 100, trace: transactions.trace)
    let paper = StoreFixture.Printer.Paper()
    var session = try Session(
      try fixture.context(),
      at: PrintingReader.Terminal(StyleEncoder(.none), rows: 8, columns: 60, isPlain: true),
      write: { paper.add($0) }, complain: { paper.add($0) })
    _ = session.handle(.line("hello"))
    let count = transactions.count
    #expect(paper.take().hasSuffix("carol  hello\n"))
    _ = session.handle(.storeChanged)
    #expect(
      transactions.count == count + Self.versionRead + Self.namesRead + Self.fateRead && paper.take() == "")
    try fixture.receive("not mine")
    _ = session.handle(.storeChanged)
    #expect(paper.take().hasSuffix("not mine\n"))
  }
}
