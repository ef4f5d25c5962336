import MessageModel
import MessageSourceTesting
import MessageStorage
import MessageWindows
import Synchronization
import TestSupport
import Testing

/// Lists over stores that have not all of what a server has, while it answers as servers do.
@Suite struct GapLoaderTests {
  @Test func `a gap is loaded from the side that the reader comes from, and the reader stays where they are`()
    async throws
  {
    let client = try Client(serverCount: 300)
    try client.take(0..<50)
    try client.take(250..<300)
    try client.open(49, 250)
    let list = client.list()
    await list.perform(.jump(to: .newest))
    #expect(await list.current.header.isComplete == false && client.server.requests == [])
    await list.perform(.jump(to: .around(client.id(252))))
    await settled(list) { $0.messages.contains { $0.text == "245" } }
    #expect(await list.current.header.position?.id == client.id(252))
    await list.perform(.jump(to: .around(client.id(48))))
    await settled(list) { $0.messages.contains { $0.text == "52" } }
    #expect(await list.current.header.position?.id == client.id(48))
    #expect(client.server.requests.contains { $0.hasPrefix("newer than 49") })
    #expect(client.server.requests.contains { $0.hasPrefix("older than 250") })
  }

  @Test func `a failure is shown again when the reader comes back, and not tried before they say so`()
    async throws
  {
    let client = try Client(serverCount: 100)
    try client.take(0..<5)
    try client.take(50..<55)
    try client.take(95..<100)
    try client.open(4, 50)
    try client.open(54, 95)
    let list = client.list()
    client.server.failures = 1
    await list.perform(.jump(to: .newest))
    await settled(list) { if case .failed = $0.edges.older { true } else { false } }
    #expect(await list.current.gap(.older)?.before == client.id(95))
    var items = MessageRows()
    items.update(with: await list.current)
    #expect(items.first == .failed(.older))
    let asked = client.server.requests.count
    client.server.failures = .max
    await list.perform(.jump(to: .around(client.id(2))))
    await settled(list) { if case .failed = $0.edges.newer { true } else { false } }
    await list.perform(.jump(to: .newest))
    if case .failed = await list.current.edges.older {} else { Issue.record("the failure is forgotten") }
    #expect(client.server.requests.filter { $0.hasPrefix("older than 95") }.count == asked)
    client.server.failures = 0
    list.send(.retry)
    await settled(list) { $0.messages.contains { $0.text == "90" } }
  }

  @Test func `a reader jumps across a gap and back, and those who have no loader see a row for it`()
    async throws
  {
    let client = try Client(serverCount: 100)
    try client.take(0..<5)
    try client.take(90..<100)
    try client.open(4, 90)
    let list = MessageList(Selection(client.room), in: AwaitedSource(client.source))
    await list.perform(.jump(to: .newest))
    #expect(await list.current.gap(.older)?.after == client.id(4))
    var items = MessageRows()
    items.update(with: await list.current)
    #expect(items.first == .gap(.older) && !items.contains(.beginning))
    #expect(await list.perform(.scroll(.older)).messages.count == 10)
    #expect(await list.perform(.cross(.older)).header.position?.id == client.id(4))
    #expect(await list.current.messages.map(\.text) == (0..<5).map(String.init))
    items.update(with: await list.current)
    #expect(items.first == .beginning && items.last == .gap(.newer))
    #expect(await list.perform(.back).messages.last?.text == "99")
  }

  @Test func `a reader at the newest edge stays there when what comes is beyond a gap`() async throws {
    let client = try Client(serverCount: 100)
    try client.take(0..<20)
    let list = MessageList(Selection(client.room), in: AwaitedSource(client.source))
    let before = await list.perform(.jump(to: .newest))
    #expect(before.header.isFollowing)
    try client.open(19, 90)
    try client.take(90..<100)
    let after = await list.perform(.sourceChanged)
    #expect(
      !after.header.isFollowing && after.messages.last?.text == "19"
        && after.gap(.newer)?.before == client.id(90))
    #expect(after.header.newerBelow == 10)
  }

  @Test(arguments: UInt64(0)..<(isLong ? 200 : 6))
  func
    `whatever a server answers and when, no list shows neighbours that are none, and all comes to be there`(
      seed: UInt64
    ) async throws
  {
    var random = SeededGenerator(seed: seed)
    let client = try Client(serverCount: 400, seed: seed)
    try client.take(380..<400)
    try client.open(nil, 380)
    if seed.isMultiple(of: 2) {
      try client.take(100..<110)
      try client.open(nil, 380)
    }
    let list = client.list()
    await list.perform(.jump(to: .newest))
    for _ in 0..<(isLong ? 200 : 25) {
      await client.step(list, using: &random)
      client.expectNeighbours(await list.current.messages)
    }
    client.server.isKind = true
    client.reconnect()
    for _ in 0..<400 {
      guard let gap = try client.source.store.gaps(of: client.room, limit: 1).first else { break }
      await list.perform(.retry)
      let place: PageAnchor = gap.before.map { .around($0) } ?? gap.after.map { .around($0) } ?? .newest
      await list.perform(.jump(to: place))
      await list.retryEdges()
      await settled(list) { snapshot in
        ![snapshot.edges.older, snapshot.edges.newer].contains {
          if case .loading = $0 { true } else { false }
        }
      }
      client.expectNeighbours(await list.current.messages)
    }
    #expect(try client.source.store.gaps(of: client.room) == [])
    #expect(try client.texts() == client.server.texts, "seed \(seed)")
    await list.close()
  }

  /// Waits until a list is as it is to be.
  private func settled(_ list: MessageList, _ isAsWanted: (MessageList.Snapshot) -> Bool) async {
    while !isAsWanted(await list.current) { try? await Task.sleep(for: .milliseconds(5)) }
  }
}

/// A server's messages, by their numbers, and how it answers.
private final class GapServer: Sendable {
  struct State {
    var count: Int
    var random: SeededGenerator
    var failures = 0
    var isKind: Bool
    var requests: [String] = []
  }

  struct Failure: Error {}

  private let state: Mutex<State>

  init(count: Int, seed: UInt64?) {
    state = Mutex(State(count: count, random: SeededGenerator(seed: seed ?? 0), isKind: seed == nil))
  }

  var failures: Int {
    get { state.withLock { $0.failures } }
    set { state.withLock { $0.failures = newValue } }
  }
  var isKind: Bool {
    get { state.withLock { $0.isKind } }
    set { state.withLock { $0.isKind = newValue } }
  }
  var requests: [String] { state.withLock { $0.requests } }
  var count: Int { state.withLock { $0.count } }
  var texts: [String] { (0..<count).map(String.init) }

  func write(_ number: Int) { state.withLock { $0.count += number } }

  /// How often others go first, and how often an answer is used.
  func manner() -> (delay: Int, uses: Int, failsAfterwards: Bool) {
    state.withLock { state in
      guard !state.isKind else { return (0, 1, false) }
      return (
        Int.random(in: 0...30, using: &state.random), Int.random(in: 1...2, using: &state.random),
        Int.random(in: 0..<8, using: &state.random) == 0
      )
    }
  }

  func numbers(_ edge: ScrollDirection, of key: Int?, limit: Int) throws -> Range<Int> {
    try state.withLock { state in
      state.requests.append("\(edge) than \(key.map(String.init) ?? "all")")
      if state.failures > 0 {
        state.failures -= 1
        throw Failure()
      }
      if !state.isKind, Int.random(in: 0..<4, using: &state.random) == 0 { throw Failure() }
      // More or less than was asked for, and what is known already.
      let size = state.isKind ? 100 : max(limit + Int.random(in: -5...15, using: &state.random), 1)
      switch edge {
      case .older:
        let end = key ?? state.count
        return max(end - size, 0)..<end
      case .newer:
        let start = key.map { $0 + 1 } ?? 0
        return start..<min(start + size, state.count)
      }
    }
  }
}

/// A store that has some of what a server has, and loads the rest.
private final class Client: Sendable {
  let server: GapServer
  let source: StoreSource
  let room: Conversation.ID
  private let isConnected = Mutex(true)
  private let newest = Mutex(0)

  init(serverCount: Int, seed: UInt64? = nil) throws {
    server = GapServer(count: serverCount, seed: seed)
    source = try StoreSource()
    room = try source.makeConversation(named: "room")
    newest.withLock { $0 = serverCount }
  }

  func id(_ number: Int) -> Message.ID { Message.ID(time: Self.time(number)) }

  private static func time(_ number: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_000_000 + Int64(number) * 1_000)
  }

  private static func message(_ number: Int) -> NewMessage {
    NewMessage("\(number)", at: time(number), source: Message.Source(platform: "test", id: "\(number)"))
  }

  private func number(_ id: Message.ID) -> Int {
    Int((id.placeTime.millisecondsSince1970 - 1_000_000) / 1_000)
  }

  func take(_ numbers: Range<Int>) throws { try source.store.append(numbers.map(Self.message), to: room) }

  func open(_ after: Int?, _ before: Int?) throws {
    try source.store.setGap(in: room, after: after.map(id), before: before.map(id))
  }

  func texts() throws -> [String] {
    try source.store.page(PageRequest(Selection(room), anchor: .oldest, fetchLimit: 10_000)).messages.map(
      \.text)
  }

  func list() -> MessageList {
    MessageList(
      Selection(room), in: AwaitedSource(source),
      limits: (try? WindowLimits(messages: 60, pageSize: 10)) ?? .standard,
      edgeLoader: EdgeLoader { [self] request in try await load(request) })
  }

  private func load(_ request: EdgeRequest) async throws -> EdgeOutcome {
    guard let gap = request.gap else { return .endReached }
    let numbers = try server.numbers(request.edge, of: request.key.map(number), limit: request.limit)
    let manner = server.manner()
    for _ in 0..<manner.delay { await Task.yield() }
    let isAll =
      request.edge == .older
      ? numbers.lowerBound == 0 : gap.before == nil && numbers.upperBound == server.count
    for _ in 0..<manner.uses {
      try source.store.fillGap(gap, isAll ? .all : request.part, with: numbers.map(Self.message))
    }
    if manner.failsAfterwards { throw GapServer.Failure() }
    return .loaded
  }

  /// Something that a reader, the network or the server does.
  func step(_ list: MessageList, using random: inout SeededGenerator) async {
    let number = Int.random(in: 0..<server.count, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: list.send(.scroll(.older))
    case 2: list.send(.scroll(.newer))
    case 3: await list.perform(.jump(to: .newest))
    case 4: await list.perform(.jump(to: .time(Self.time(number))))
    case 5: await list.perform(.cross(number.isMultiple(of: 2) ? .older : .newer))
    case 6: await list.perform(.retry)
    case 7: await list.retryEdges()
    case 8:
      let messages = await list.current.messages
      guard !messages.isEmpty else { return }
      let id = messages[number % messages.count].id
      list.send(.readerMoved(first: id, last: id))
    case 9:
      server.write(1 + number % 3)
      receive()
    case 10: isConnected.withLock { $0 = false }
    default: reconnect()
    }
    for _ in 0..<(number % 20) { await Task.yield() }
  }

  /// Takes what has come live, if it is connected.
  private func receive() {
    guard isConnected.withLock({ $0 }) else { return }
    let count = server.count
    let first = newest.withLock { newest in
      defer { newest = count }
      return newest
    }
    _ = try? take(first..<count)
  }

  /// What came meanwhile is missing, but for the last one.
  func reconnect() {
    guard
      isConnected.withLock({ isConnected in
        defer { isConnected = true }
        return !isConnected
      })
    else { return }
    let (known, count) = (newest.withLock { $0 }, server.count)
    guard known < count else { return }
    if known < count - 1 { try? open(known - 1, count - 1) }
    _ = try? take((count - 1)..<count)
    newest.withLock { $0 = count }
  }

  /// Neighbours in a list are neighbours on the server.
  func expectNeighbours(_ messages: [Message]) {
    let numbers = messages.map { number($0.id) }
    for (number, next) in zip(numbers, numbers.dropFirst()) where next != number + 1 {
      Issue.record("\(next) is shown behind \(number)")
    }
  }
}
