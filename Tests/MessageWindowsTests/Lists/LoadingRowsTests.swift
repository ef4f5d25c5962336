import MessageModel
import MessageSourceTesting
import MessageWindows
import Synchronization
import TestSupport
import Testing

/// The rows of loading at both ends, as a view sees them that looks now and then.
@Suite struct LoadingRowsTests {
  @Test(arguments: UInt64(0)..<(isLong ? 400 : 30))
  func `a row of loading leaves in the snapshot that has what was loaded`(seed: UInt64) async throws {
    var walk = try LoadingWalk(seed: seed)
    try await walk.run(steps: isLong ? 300 : 120)
    #expect(walk.replacedCount > 0, "seed \(seed)")
  }

  @Test func `a row of loading stays while the list reads what was written`() async throws {
    let base = ReferenceSource()
    base.insert((21...40).map(ServerOfPages.message))
    base.setGap(MessageGap(in: conversation, before: id(21)))
    let source = GatedSource(base)
    source.open()
    let list = MessageList(
      Selection(conversation), in: source, limits: try .small(60, page: 10, prefetch: 5),
      edgeLoader: EdgeLoader { request in
        guard let gap = request.gap else { return .endReached }
        source.close()
        base.fill(
          MessageGap(in: gap.conversation, after: id(11), before: gap.before),
          with: (11...20).map(ServerOfPages.message))
        return .loaded
      })
    await list.perform(.jump(to: .newest))
    await list.perform(.readerMoved(first: id(21), last: id(25)))
    await source.waitForReaders(1)
    var items = MessageRows(zone: .gmt)
    items.update(with: await list.current)
    #expect(items.first == .loading(.older) && items.messages.first?.id == id(21))
    // The reader has stopped, and nothing more is loaded ahead of them.
    list.send(.readerMoved(first: id(21), last: id(25)))
    source.open()
    await list.perform(.sourceChanged)
    items.update(with: await list.current)
    #expect(items.first == .gap(.older))
    #expect(items.messages.first?.id == id(11))
    await list.close()
  }
}

/// A reader, a server that is slow and delivers in parts, a source that is slow too, and a view that looks when it likes.
private struct LoadingWalk {
  private let seed: UInt64
  private var generator: SeededGenerator
  private let source = ReferenceSource()
  private let server: ServerOfPages
  private let list: MessageList
  private var items = MessageRows(zone: .gmt)
  private var log: [String] = []
  /// Whether the reader has moved since the last look.
  private var hasMoved = false
  /// How often a row of loading left together with what came.
  private(set) var replacedCount = 0

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    // Half of the servers fill gaps that the source knows, the others what is beyond its ends.
    let hasGaps = seed.isMultiple(of: 2)
    source.insert((190...210).map(ServerOfPages.message))
    if hasGaps {
      source.setGap(MessageGap(in: conversation, before: id(190)))
      source.setGap(MessageGap(in: conversation, after: id(210)))
    }
    let server = ServerOfPages(seed: seed, source: source)
    self.server = server
    list = MessageList(
      Selection(conversation), in: SlowSource(base: source, seed: seed),
      limits: try .small(60, page: 10, prefetch: 5),
      edgeLoader: EdgeLoader(beyond: hasGaps ? [] : [.older, .newer]) { try await server.load($0) })
  }

  mutating func run(steps: Int) async throws {
    await list.perform(.jump(to: .around(id(200))))
    for _ in 0..<steps {
      step()
      for _ in 0..<Int.random(in: 0..<60, using: &generator) { await Task.yield() }
      if Bool.random(using: &generator) { await look() }
    }
    await list.close()
  }

  private mutating func step() {
    let command: ListCommand?
    switch Int.random(in: 0..<12, using: &generator) {
    case 0:
      command = .jump(to: [.newest, .oldest, .around(id(200))].randomElement(using: &generator) ?? .newest)
    case 1: command = .scroll(.older)
    case 2: command = .scroll(.newer)
    case 3: command = .retry
    case 4: command = .sourceChanged
    case 5: command = nil
    default: command = readerMoved()
    }
    log.append(command.map { "\($0)" } ?? "edit")
    if let command { list.send(command) } else { source.edit(id(200), text: "edited") }
  }

  private mutating func readerMoved() -> ListCommand? {
    hasMoved = true
    let messages = items.messages
    guard !messages.isEmpty else { return .sourceChanged }
    let first = Int.random(in: messages.indices, using: &generator)
    return .readerMoved(first: messages[first].id, last: messages[min(first + 4, messages.count - 1)].id)
  }

  /// What the view does with the present state, whatever it has missed.
  private mutating func look() async {
    let snapshot = await list.current
    let before = items
    items.update(with: snapshot)
    check(from: before, .older, snapshot)
    check(from: before, .newer, snapshot)
    hasMoved = false
  }

  private mutating func check(
    from before: MessageRows, _ direction: ScrollDirection, _ snapshot: MessageList.Snapshot
  ) {
    let isOlder = direction == .older
    let rows = isOlder ? (before.first, items.first) : (before.last, items.last)
    guard rows.0 == .loading(direction), rows.1 != rows.0, rows.1 != .failed(direction) else { return }
    let old = isOlder ? before.messages.first : before.messages.last
    let new = isOlder ? items.messages.first : items.messages.last
    if old?.id != new?.id {
      replacedCount += 1
      return
    }
    // Nothing more was to be had, or the reader has gone elsewhere meanwhile.
    if snapshot.holdsAll(direction) || snapshot.header.jumping != .idle || hasMoved { return }
    let distance = isOlder ? snapshot.inView.lowerBound : items.messages.count - snapshot.inView.upperBound
    #expect(distance >= 5, "\(rows) at \(snapshot.header); seed \(seed): \(log.suffix(8))")
  }
}

/// A server of 400 messages that are written in parts, late and sometimes not at all.
private final class ServerOfPages: Sendable {
  private let source: ReferenceSource
  private let generator: Mutex<SeededGenerator>

  init(seed: UInt64, source: ReferenceSource) {
    self.source = source
    generator = Mutex(SeededGenerator(seed: seed &+ 7))
  }

  static func message(_ number: Int64) -> Message {
    Message(id: id(number), conversation: conversation, text: "\(number)")
  }

  func load(_ request: EdgeRequest) async throws -> EdgeOutcome {
    let luck = generator.withLock { generator in
      (
        before: Int.random(in: 0..<80, using: &generator), after: Int.random(in: 0..<40, using: &generator),
        part: Int.random(in: 2...10, using: &generator), fails: Int.random(in: 0..<6, using: &generator) == 0
      )
    }
    for _ in 0..<luck.before { await Task.yield() }
    if luck.fails { throw EdgeError(.unreachable, "cannot load") }
    let key = request.key?.rawValue ?? 401
    let numbers =
      request.edge == .older
      ? Array(max(1, key - 10)..<key).reversed() : Array((key + 1)..<min(401, key + 11))
    for start in stride(from: 0, to: numbers.count, by: luck.part) {
      write(Array(numbers[start..<min(start + luck.part, numbers.count)]), request)
      for _ in 0..<luck.after { await Task.yield() }
    }
    let isLast = numbers.isEmpty || numbers.contains(1) || numbers.contains(400)
    if isLast, let gap = request.gap { source.fill(gap, with: []) }
    return isLast ? .endReached : .loaded
  }

  private func write(_ numbers: [Int64], _ request: EdgeRequest) {
    guard let first = numbers.min(), let last = numbers.max() else { return }
    let known = Set(source.messages.map(\.id))
    let messages = numbers.map(Self.message).filter { !known.contains($0.id) }
    let gap = request.gap.map { gap in
      request.edge == .older
        ? MessageGap(in: conversation, after: id(first), before: gap.before)
        : MessageGap(in: conversation, after: gap.after, before: id(last))
    }
    // A gap that nothing is in any more stays one beyond what was written.
    source.fill(gap ?? MessageGap(in: conversation, after: id(first), before: id(first)), with: messages)
  }
}

/// A source that takes its time.
private final class SlowSource: MessageSource {
  private let base: ReferenceSource
  private let generator: Mutex<SeededGenerator>

  init(base: ReferenceSource, seed: UInt64) {
    self.base = base
    generator = Mutex(SeededGenerator(seed: seed &+ 99))
  }

  func page(_ request: PageRequest) async throws -> Page {
    let delays = generator.withLock { generator in
      (Int.random(in: 0..<30, using: &generator), Int.random(in: 0..<30, using: &generator))
    }
    for _ in 0..<delays.0 { await Task.yield() }
    let page = try base.page(request)
    for _ in 0..<delays.1 { await Task.yield() }
    return page
  }

  func changes() -> AsyncStream<Void> { base.changes() }
}
