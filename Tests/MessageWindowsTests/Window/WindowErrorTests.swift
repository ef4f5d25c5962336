import MessageModel
import MessageSourceTesting
import MessageWindows
import Testing

/// Pages that fail, come late or stop early: scenarios 10 to 17 and 41 to 48 of the comparison of window engines.
@Suite struct WindowErrorTests {
  @Test func `a failure belongs to one direction and nothing more is asked for there until a retry`() throws {
    let source = FailingSource(ReferenceSource(count: 40))
    var window = try openWindow(at: .around(id(20)), limits: try .small(12, page: 4), in: source)
    source.restart(failingCalls: [1])
    #expect(throws: StoreError.self) { try window.perform(.scroll(.older), in: source) }
    let before = window.messages
    try window.perform(.scroll(.older), in: source)
    try window.show(16, 17, in: source)
    #expect(window.messages.first == before.first && source.requests.count == 1)
    guard case .failed = window.header.readingOlder else {
      Issue.record("the failure was not told")
      return
    }
    try window.perform(.scroll(.newer), in: source)
    #expect(window.messages.last?.id == id(27))
    try window.perform(.retry, in: source)
    #expect(window.messages.first?.id == id(12) && window.header.readingOlder == .idle)
  }

  @Test func `both directions can fail and be tried again at once`() throws {
    let source = FailingSource(ReferenceSource(count: 40))
    var window = try openWindow(at: .around(id(20)), limits: try .small(16, page: 4), in: source)
    source.restart(failingCalls: [1, 2])
    for command in [ListCommand.scroll(.older), .scroll(.newer)] {
      #expect(throws: StoreError.self) { try window.perform(command, in: source) }
    }
    try window.perform(.retry, in: source)
    #expect(window.picture.hasPrefix("…12 ") && window.picture.hasSuffix(" 27…"))
    source.restart()
    try window.perform(.retry, in: source)
    #expect(source.requests.isEmpty)
  }

  @Test func `a scroll during a first page that fails is made up for by the retry`() throws {
    let source = FailingSource(ReferenceSource(count: 40), failingCalls: [1])
    var window = MessageWindow(Selection(conversation), limits: try .small(12, page: 4))
    #expect(throws: StoreError.self) { try window.perform(.jump(to: .newest), in: source) }
    try window.perform(.scroll(.older), in: source)
    #expect(window.isEmpty && source.requests.count == 1)
    try window.perform(.retry, in: source)
    #expect(window.messages.first?.id == id(29))
  }

  @Test func `a jump that fails leaves what is shown and can be tried again`() throws {
    let source = FailingSource(ReferenceSource(count: 40))
    var window = try openWindow(limits: try .small(12, page: 4), in: source)
    let before = window.messages
    source.restart(failingCalls: [1])
    #expect(throws: StoreError.self) { try window.perform(.jump(to: .oldest), in: source) }
    #expect(window.messages == before)
    try window.perform(.retry, in: source)
    #expect(window.messages.first?.id == id(1))
  }

  @Test(arguments: 1...12) func `a source that fails at any call leaves a window that recovers`(call: Int)
    throws
  {
    let base = ReferenceSource(count: 40)
    let source = FailingSource(base, failingCalls: [call])
    var window = MessageWindow(Selection(conversation), limits: try .small(12, page: 4))
    let commands: [ListCommand] = [
      .jump(to: .newest), .scroll(.older), .scroll(.older), .sourceChanged, .jump(to: .around(id(9))),
      .scroll(.newer), .sourceChanged,
      .scroll(.older),
      .jump(to: .newest), .sourceChanged,
    ]
    for command in commands {
      base.append("new")
      _ = try? window.perform(command, in: source)
    }
    try window.perform(.retry, in: source)
    try window.perform(.jump(to: .newest), in: source)
    #expect(window.messages == Array(base.messages.suffix(window.count)) && window.holdsNewestEdge)
  }

  @Test func `a change that was announced before a jump that failed is not forgotten`() throws {
    let source = ReferenceSource(count: 10)
    var window = try openWindow(in: source)
    source.edit(id(4), text: "edited")
    let reread = try #require(window.perform(.sourceChanged).requests.first)
    let jump = try #require(window.perform(.jump(to: .oldest)).requests.first)
    #expect(!window.isWaiting(for: reread.ticket))
    let requests = window.loadFailed(StoreError(.busy, "cannot read"), for: jump.ticket).requests
    #expect(requests.isEmpty)
    try window.perform(.follow(true), in: source)
    #expect(window.message(id(4))?.text == "edited")
  }

  @Test func `a second request while one is under way is the same one`() throws {
    let source = ReferenceSource(count: 40)
    var window = try openWindow(limits: try .small(12, page: 4), in: source)
    let request = try #require(window.perform(.scroll(.older)).requests.first)
    #expect(window.perform(.scroll(.older)).requests.isEmpty)
    _ = window.pageArrived(try source.page(request.fetch), for: request.ticket)
    #expect(window.perform(.scroll(.older)).requests.count == 1)
  }

  @Test func `a page for a side that was dropped meanwhile is let go of`() throws {
    let source = ReferenceSource(count: 100)
    var window = try openWindow(at: .around(id(50)), limits: try .small(12, page: 4), in: source)
    let newer = try #require(window.perform(.scroll(.newer)).requests.first)
    let page = try source.page(newer.fetch)
    for _ in 1...3 { try window.perform(.scroll(.older), in: source) }
    let before = window.messages
    let update = window.pageArrived(page, for: newer.ticket)
    #expect(update.delta == nil && update.requests.isEmpty && window.messages == before)
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func `of three jumps under way the last is shown in whatever order they end`(order: [Int]) throws {
    let source = ReferenceSource(count: 100)
    var window = MessageWindow(Selection(conversation), limits: try .small(8, page: 4))
    let requests = [PageAnchor.newest, .oldest, .around(id(50))].flatMap {
      window.perform(.jump(to: $0)).requests
    }
    for index in order {
      _ = window.pageArrived(try source.page(requests[index].fetch), for: requests[index].ticket)
    }
    #expect(window.picture == "…46 47 48 49 50 51 52 53…")
  }

  @Test func `a write during the first page is not missed`() throws {
    let source = ReferenceSource(count: 3)
    var window = MessageWindow(Selection(conversation))
    let first = try #require(window.perform(.jump(to: .newest)).requests.first)
    let page = try source.page(first.fetch)
    source.append("4")
    #expect(window.perform(.sourceChanged).requests.isEmpty)
    let again = try #require(window.pageArrived(page, for: first.ticket).requests.first)
    _ = window.pageArrived(try source.page(again.fetch), for: again.ticket)
    #expect(window.picture == "1 2 3 4")
  }

  @Test func `a reader who went on while all was read again is found where they went`() throws {
    let source = ReferenceSource(count: 1_000)
    var window = try openWindow(at: .around(id(500)), limits: try .small(40, page: 10), in: source)
    try window.show(495, 496, in: source)
    let reread = try #require(window.perform(.sourceChanged).requests.first)
    let early = try source.page(
      PageRequest(Selection(conversation), anchor: .around(id(495)), fetchLimit: 4))
    _ = window.perform(.readerMoved(first: id(505), last: id(506)))
    let again = try #require(window.pageArrived(early, for: reread.ticket).requests.first)
    _ = window.pageArrived(try source.page(again.fetch), for: again.ticket)
    #expect(window.position?.id == id(505))
  }

  @Test func `a load that is called off can be asked for again`() throws {
    let source = ReferenceSource(count: 40)
    var window = try openWindow(limits: try .small(12, page: 4), in: source)
    let request = try #require(window.perform(.scroll(.older)).requests.first)
    _ = window.loadCancelled(for: request.ticket)
    #expect(window.header.readingOlder == .idle)
    #expect(window.perform(.scroll(.older)).requests.count == 1)
  }

  @Test func `pages in which nothing was found are read on until something is`() throws {
    let source = LimitedSource(base: ReferenceSource(count: 100), work: 10)
    source.base.edit(id(3), text: "x")
    source.base.edit(id(99), text: "x")
    var window = MessageWindow(Selection(conversation, where: .has(.edit)), limits: try .small(12, page: 4))
    try window.perform(.jump(to: .newest), in: source)
    for _ in 1...20 where !window.holdsOldestEdge { try window.perform(.scroll(.older), in: source) }
    #expect(window.picture == "3 99")
  }

  @Test func `a source that resumes where it stopped is found out`() throws {
    let source = LimitedSource(base: ReferenceSource(count: 100), work: 0)
    var window = MessageWindow(Selection(conversation, where: .has(.edit)), limits: try .small(12, page: 4))
    #expect(throws: StoreError.self) {
      try window.perform(.jump(to: .newest), in: source)
      try window.perform(.scroll(.older), in: source)
    }
    guard case .failed(let error) = window.header.readingOlder else {
      Issue.record("\(window.header)")
      return
    }
    #expect(error.kind == .damaged)
  }

  @Test func `a rare filter is read on by as many pages as allowed at a time`() throws {
    let source = LimitedSource(base: ReferenceSource(count: 1_000), work: 10)
    var window = MessageWindow(Selection(conversation, where: .has(.edit)), limits: try .small(12, page: 4))
    try window.perform(.jump(to: .newest), in: source, mostReads: 5)
    #expect(!window.holdsOldestEdge && window.header.readingOlder == .idle)
    for _ in 1...50 { try window.perform(.scroll(.older), in: source, mostReads: 5) }
    #expect(window.holdsOldestEdge && window.isEmpty)
  }

  @Test func `messages out of order are refused`() throws {
    let source = ReferenceSource(count: 9)
    var window = try openWindow(in: source)
    let request = try #require(window.perform(.jump(to: .oldest)).requests.first)
    var page = try source.page(request.fetch)
    page.messages.reverse()
    _ = window.pageArrived(page, for: request.ticket)
    guard case .failed(let error) = window.header.jumping else {
      Issue.record("a page out of order was taken")
      return
    }
    #expect(error.cause == "messages are out of order")
  }
}

/// Looks at no more than `work` messages for a page of older ones, as a store does that has no index for a filter.
private struct LimitedSource: SynchronousMessageSource {
  let base: ReferenceSource
  let work: Int

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    let start: Message.ID? =
      switch request.anchor {
      case .newest: .highest
      case .before(let id): id
      default: nil
      }
    guard let start else { return try base.page(request) }
    let looked = base.messages.last { $0.id < start }.map { id($0.id.rawValue - Int64(work) + 1) } ?? .lowest
    var bounded = request
    bounded.selection.predicate = .and([request.selection.predicate, .ids(looked...max(looked, .highest))])
    var page = try base.page(bounded)
    page.hasOlder = try base.page(
      PageRequest(request.selection, anchor: .before(page.messages.first?.id ?? start), fetchLimit: 0)
    ).hasOlder
    if page.messages.count < request.fetchLimit, base.messages.contains(where: { $0.id < looked }) {
      page.nextAnchor = .before(work == 0 ? start : looked)
    }
    return page
  }

  func changes() -> AsyncStream<Void> { base.changes() }
}
