import ChatSession
import Dispatch
import MessageModel
import TerminalText
import Testing

/// Whoever owns the terminal goes on while the session is at work.
struct SessionThreadTests {
  /// A session over a store that can be slow, and how to wait for it.
  private struct Terminal {
    let transactions: Transactions
    let fixture: StoreFixture
    let thread: SessionThread<ScreenReader>
    private let told = DispatchSemaphore(value: 0)

    init() throws {
      transactions = Transactions()
      fixture = try StoreFixture(minutely: 300, trace: transactions.trace)
      let session = try Session(try fixture.context(), rows: 8, columns: 60)
      thread = SessionThread(session) { [told] in told.signal() }
    }

    /// Waits until all is answered that was told.
    func wait() { while thread.busySince != nil { told.wait() } }

    var first: String { thread.status.shown.rows[0].plainText }
    var status: String { thread.status.shown.rows.last?.plainText ?? "" }
  }

  @Test func `what is not answered at once is shown when it is`() throws {
    let terminal = try Terminal()
    terminal.transactions.hold()
    terminal.thread.send(.key(.oldest))
    terminal.thread.send(.key(.rowNewer))
    #expect(terminal.thread.busySince != nil && terminal.first.hasSuffix("message 295"))
    terminal.transactions.release()
    terminal.wait()
    #expect(terminal.first.hasSuffix("message 1"), "\(terminal.first)")
    #expect(terminal.thread.takeAnswers().compactMap(\.event) == [.key(.oldest), .key(.rowNewer)])
  }

  @Test func `what takes long is stopped, with the keys behind it, and lines are carried out`() throws {
    let terminal = try Terminal()
    terminal.transactions.hold()
    terminal.thread.send(.key(.oldest))
    terminal.thread.send(.key(.pageNewer))
    while !terminal.transactions.isHeld {}
    terminal.thread.stop()
    terminal.thread.send(.key(.redraw))
    terminal.transactions.release()
    terminal.thread.send(.line("hello"))
    terminal.wait()
    #expect(try terminal.fixture.transcript("/bottom").hasSuffix("carol  hello\n"))
    #expect(terminal.thread.takeAnswers().compactMap(\.event).contains(.key(.pageNewer)) == false)
    #expect(terminal.thread.status.shown.rows.contains { $0.plainText.hasSuffix("hello") })
  }

  @Test func `a command that is stopped leaves the reader where they were`() throws {
    let terminal = try Terminal()
    let before = terminal.thread.status.shown.rows.dropLast()
    terminal.transactions.hold(after: 1)
    terminal.thread.send(.line("/open random"))
    while !terminal.transactions.isHeld {}
    terminal.thread.stop()
    terminal.wait()
    #expect(terminal.thread.status.shown.rows.dropLast() == before && terminal.status.hasPrefix(" stopped"))
    #expect(terminal.thread.finish().conversation.name == "general")
  }
}
