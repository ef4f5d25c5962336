import MessageModel
import MessageShell
import MessageStorage
import TerminalText
import Testing

/// What is changed here is shown at once: notice of it says nothing new.
struct OwnCommitTests {
  @Test(arguments: ["hello", "/edit b better", "/delete b", "/reply a indeed"])
  func `a change of mine is read once, and not again when notice of it comes`(line: String) throws {
    let store = MemoryStore(count: 100)
    var session = try Session(try store.context(), rows: 8, columns: 60)
    _ = session.screen()
    #expect(session.handle(.line(line)).line == nil)
    let (count, seen) = (store.pageCount.withLock { $0 }, session.screen())
    #expect(session.handle(.storeChanged).jobs.isEmpty)
    #expect(store.pageCount.withLock { $0 } == count && session.screen() == seen)
    store.source.append("not mine")
    #expect(session.handle(.storeChanged).jobs.map(\.lane) == [.refresh])
  }

  @Test func `a message of mine is printed once, and looked for once`() throws {
    let store = MemoryStore(count: 100)
    let paper = StoreFixture.Printer.Paper()
    var session = try Session(
      try store.context(),
      at: PrintingReader.Terminal(StyleEncoder(.none), rows: 8, columns: 60, isPlain: true),
      write: { paper.add($0) }, complain: { paper.add($0) })
    _ = session.handle(.line("hello"))
    let count = store.pageCount.withLock { $0 }
    #expect(paper.take().hasSuffix("carol  hello\n"))
    _ = session.handle(.storeChanged)
    #expect(store.pageCount.withLock { $0 } == count && paper.take() == "")
    store.source.append("not mine")
    _ = session.handle(.storeChanged)
    #expect(paper.take().hasSuffix("not mine\n"))
  }
}
