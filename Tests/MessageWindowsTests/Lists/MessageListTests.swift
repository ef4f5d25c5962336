import MessageModel
import MessageSourceTesting
import MessageWindows
import Synchronization
import Testing

@Suite struct MessageListTests {
  @Test func `a list shows where it was told to jump`() async throws {
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 500), limits: try .small(40, page: 10))
    let snapshot = await list.perform(.jump(to: .ordinal(250)))
    #expect(snapshot.header.firstOrdinal == 240 && snapshot.header.position?.id == id(251))
    #expect(snapshot.messages.map(\.id) == (241...260).map(id))
    var replica: [Message] = []
    snapshot.delta.apply(to: &replica)
    #expect(replica == snapshot.messages)
  }

  @Test func `every snapshot is the one before it with its delta applied`() async throws {
    let source = ReferenceSource(count: 500)
    let list = MessageList(Selection(conversation), in: source, limits: try .small(40, page: 10))
    let snapshots = list.snapshots()
    let viewer = Task {
      var replica: [Message] = []
      for await snapshot in snapshots {
        snapshot.delta.apply(to: &replica)
        if replica != snapshot.messages { return false }
      }
      return true
    }
    for command in [
      ListCommand.jump(to: .newest), .scroll(.older), .scroll(.older), .jump(to: .oldest),
      .scroll(.newer),
    ] {
      await list.perform(command)
      source.append("new")
      source.delete([id(Int64.random(in: 1...500))])
    }
    await list.close()
    #expect(await viewer.value)
  }

  @Test func `what comes in is shown without being asked for`() async throws {
    let source = ReferenceSource(count: 5)
    let list = MessageList(Selection(conversation), in: source)
    await list.perform(.jump(to: .newest))
    let newest = source.append("6")
    for await snapshot in list.snapshots() where snapshot.messages.last?.id == newest { break }
    #expect(await list.perform(.scroll(.newer)).header.isFollowing)
  }

  @Test func `a page that was cancelled has not failed, and any other error of a source is shown`()
    async throws
  {
    struct LinkDown: Error {}
    let source = AwaitedFaults(ReferenceSource(count: 500))
    let list = MessageList(Selection(conversation), in: source, limits: try .small(40, page: 10))
    await list.perform(.jump(to: .newest))
    source.fail(with: CancellationError())
    #expect(await list.perform(.scroll(.older)).header.readingOlder == .idle)
    source.fail(with: LinkDown())
    let failed = await list.perform(.scroll(.older)).header.readingOlder
    #expect(failed == .failed(StoreError(.inputOutput, "cannot read a page", cause: "LinkDown()")))
    source.fail(with: nil)
    #expect(await list.perform(.retry).header.readingOlder == .idle)
  }

  @Test func `a window that is cancelled throws that, and goes on with the next command`() async throws {
    let source = AwaitedFaults(ReferenceSource(count: 500))
    var window = MessageWindow(Selection(conversation), limits: try .small(40, page: 10))
    source.fail(with: CancellationError())
    await #expect(throws: CancellationError.self) {
      try await window.perform(.jump(to: .newest), awaiting: source)
    }
    #expect(window.messages.isEmpty && window.header.jumping == .idle)
    source.fail(with: nil)
    try await window.perform(.jump(to: .newest), awaiting: source)
    #expect(window.messages.last?.id == id(500))
  }

  @Test func `two who ask for the same page at once cause one read`() async throws {
    let source = GatedSource(ReferenceSource(count: 500))
    let list = MessageList(Selection(conversation), in: source, limits: try .small(40, page: 10))
    source.open()
    await list.perform(.jump(to: .newest))
    source.close()
    async let first = list.perform(.scroll(.older)).header
    async let second = list.perform(.scroll(.older)).header
    await source.waitForReaders(1)
    source.open()
    let headers = await [first, second]
    #expect(headers[0].firstOrdinal == 470 && headers[1].firstOrdinal == 470)
    #expect(source.readCount == 2)
  }

  @Test func `a list reads away from those who ask it`() async throws {
    let source = GatedSource(ReferenceSource(count: 500))
    let list = MessageList(Selection(conversation), in: source)
    list.send(.jump(to: .newest))
    await source.waitForReaders(1)
    // The read has not ended, and yet the list answers.
    list.send(.jump(to: .oldest))
    source.open()
    let header = await list.perform(.retry).header
    #expect(header.position?.id == id(1))
  }

  @Test func `a source that answers at once is read by the one who waits`() async throws {
    let source = ReaderSource(ReferenceSource(count: 500))
    let list = MessageList(
      Selection(conversation), in: AwaitedSource(source), limits: try .small(40, page: 10))
    let header = await ReaderSource.$reader.withValue("waits") {
      await list.perform(.jump(to: .ordinal(250))).header
    }
    #expect(header.firstOrdinal == 240)
    #expect(!source.readers.isEmpty && source.readers.allSatisfy { $0 == "waits" })
    ReaderSource.$reader.withValue("goes on") { list.send(.scroll(.older)) }
    #expect(await list.perform(.retry).header.firstOrdinal == 230)
    #expect(source.readers.last == .some(nil))
  }

  @Test func `what a list is told it does in order, and before what it is asked to perform next`()
    async throws
  {
    let source = ReferenceSource(count: 500)
    let list = MessageList(Selection(conversation), in: source, limits: try .small(40, page: 10))
    for ordinal in 0..<200 {
      list.send(.jump(to: .oldest))
      list.send(.jump(to: .ordinal(ordinal)))
      if ordinal % 20 == 0 {
        #expect(await list.perform(.retry).header.position?.id == id(Int64(ordinal) + 1))
      }
    }
    #expect(await list.perform(.retry).header.position?.id == id(200))
  }

  @Test func `a failure is told in the header`() async throws {
    let source = FailingSource(ReferenceSource(count: 500), failingCalls: [1])
    let list = MessageList(Selection(conversation), in: source)
    guard case .failed = await list.perform(.jump(to: .newest)).header.jumping else {
      Issue.record("the failure was not told")
      return
    }
    let header = await list.perform(.retry).header
    #expect(header.jumping == .idle && header.count > 0)
  }

  @Test func `a frozen list reads on in its snapshot and counts what happens`() async throws {
    let source = ReferenceSource(count: 100)
    let list = MessageList(Selection(conversation), in: source, limits: try .small(20, page: 5))
    await list.perform(.jump(to: .newest))
    await list.freeze(reading: ReferenceSource(count: 100))
    source.append("new")
    source.delete([id(90), id(91)])
    let older = await list.perform(.scroll(.older)).header
    #expect(older.readingOlder == .idle && older.firstOrdinal == 85 && older.total == 100)
    let counted = await list.perform(.sourceChanged).header
    #expect(counted.sinceFrozen == SourceVersion(inserted: 1, deleted: 2))
    await list.thaw()
    #expect(await list.perform(.scroll(.newer)).header.total == 99)
  }
}

/// A source that answers at once and knows who asked: tasks of the list's own are nobody.
private final class ReaderSource: SynchronousMessageSource {
  @TaskLocal static var reader: String?

  private let base: ReferenceSource
  private let state = Mutex<[String?]>([])

  init(_ base: ReferenceSource) { self.base = base }

  var readers: [String?] { state.withLock { $0 } }

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    state.withLock { $0.append(Self.reader) }
    return try base.page(request)
  }

  /// None: the list would read them when it comes to it.
  func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

/// A source that throws what it is given, for as long as it is.
private final class AwaitedFaults: MessageSource {
  private let base: ReferenceSource
  private let error = Mutex<(any Error)?>(nil)

  init(_ base: ReferenceSource) { self.base = base }

  func fail(with error: (any Error)?) { self.error.withLock { $0 = error } }

  func page(_ request: PageRequest) async throws -> Page {
    if let error = error.withLock({ $0 }) { throw error }
    return try base.page(request)
  }

  func changes() -> AsyncStream<Void> { AsyncStream { _ in } }
}
