import MessageModel
import MessageSourceTesting
import MessageWindows
import Synchronization
import TestSupport
import Testing

/// A view keeps its place whatever happens around it: the same message at the same line of the screen.
@Suite struct FakeListViewTests {
  @Test(arguments: 0..<UInt64(isLong ? 400 : 12))
  func `a list view keeps its place under random changes`(seed: UInt64) async throws {
    let source = ReferenceSource()
    try await ListViewWalk(seed: seed, over: source, changing: ReferenceChanges(source: source)).run(
      steps: 150)
  }

  @Test(arguments: 1_000..<UInt64(isLong ? 1_040 : 1_002))
  func `so does one over a store`(seed: UInt64) async throws {
    let source = try StoreSource()
    let changes = try StoreChanges(source: source)
    try await ListViewWalk(seed: seed, over: AwaitedSource(source), changing: changes).run(steps: 60)
  }
}

/// What can be done to a source behind the back of those who look at it.
private protocol ListChanging: Sendable {
  var conversation: Conversation.ID { get }
  /// All messages of the conversation, oldest first.
  var messages: [Message] { get throws }
  func append(_ text: String) throws
  func insert(_ text: String, at milliseconds: Int64) throws
  func delete(_ ids: [Message.ID]) throws
  func edit(_ id: Message.ID) throws
}

private struct ReferenceChanges: ListChanging {
  let source: ReferenceSource
  var conversation: Conversation.ID { Conversation.ID(rawValue: 1) }
  var messages: [Message] { source.messages }
  func append(_ text: String) { source.append(text, to: conversation) }
  func insert(_ text: String, at milliseconds: Int64) throws {
    _ = try source.insert(text, at: Timestamp(millisecondsSince1970: milliseconds), in: conversation)
  }
  func delete(_ ids: [Message.ID]) { source.delete(ids) }
  func edit(_ id: Message.ID) { source.edit(id, text: "amber edited") }
}

private struct StoreChanges: ListChanging {
  let source: StoreSource
  let conversation: Conversation.ID

  init(source: StoreSource) throws {
    self.source = source
    conversation = try source.makeConversation(named: "room")
  }

  var messages: [Message] {
    get throws { try source.page(PageRequest(Selection(conversation), fetchLimit: 100_000)).messages }
  }
  func append(_ text: String) throws { _ = try source.append(text, to: conversation) }
  func insert(_ text: String, at milliseconds: Int64) throws {
    _ = try source.insert(text, at: Timestamp(millisecondsSince1970: milliseconds), in: conversation)
  }
  func delete(_ ids: [Message.ID]) throws { try source.delete(ids) }
  func edit(_ id: Message.ID) throws {
    guard let message = try messages.first(where: { $0.id == id }), message.deletion == nil else { return }
    // The third change of a message redacts it.
    if message.revision == 2 { return try source.store.redact([id]) }
    try source.edit(id, text: message.text + " amber")
  }
}

/// A random walk of a reader and of all who write meanwhile, with a server behind both ends of what is local.
private final class ListViewWalk {
  private let seed: UInt64
  private var generator: SeededGenerator
  private let changes: any ListChanging
  private let list: MessageList
  private var iterator: MessageList.Snapshots.Iterator
  private var view: FakeListView
  private let server: EdgeServer
  private var selection: Selection
  private var log: [String] = []

  init(seed: UInt64, over source: any MessageSource, changing changes: any ListChanging) async throws {
    self.seed = seed
    self.changes = changes
    generator = SeededGenerator(seed: seed)
    selection = Selection(changes.conversation)
    let server = EdgeServer(seed: seed, changes: changes)
    self.server = server
    try server.begin()
    let limits = try WindowLimits(messages: 120, bytes: 60_000, pageSize: 20, prefetchDistance: 15)
    list = MessageList(
      selection, in: source, limits: limits,
      edgeLoader: EdgeLoader(beyond: [.older, .newer]) { try await server.load($0) })
    iterator = list.snapshots().makeAsyncIterator()
    view = FakeListView(height: .random(in: 5...40, using: &generator))
  }

  func run(steps: Int) async throws {
    try await jump(.jump(to: .newest))
    for _ in 0..<steps {
      try await step()
    }
    let held = await list.current.header
    #expect(held.count <= 120 && (held.byteCount <= 60_000 || held.count == 1), "\(told)")
    await list.close()
  }

  private func step() async throws {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<7: try await scroll()
    case 7:
      try await jump(.jump(to: [.newest, .oldest, .percent(50)].randomElement(using: &generator) ?? .newest))
    case 8: try await filter()
    case 9: await note("retry") { await list.retryEdges() }
    default:
      for _ in 0..<Int.random(in: 1...5, using: &generator) { try change() }
      // Not all is looked at as it comes.
      if Bool.random(using: &generator) { try await keepPlace() }
    }
  }

  private func note(_ step: String, _ body: () async throws -> Void) async rethrows {
    log.append(step)
    try await body()
  }

  private var told: String { "seed \(seed): \(log.suffix(12).joined(separator: ", "))" }

  // MARK: What others do

  private func change() throws {
    let all = try changes.messages
    let pick = { (generator: inout SeededGenerator) -> Message? in all.randomElement(using: &generator) }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<3:
      log.append("arrival")
      try changes.append(text())
    case 3..<6:
      guard let near = pick(&generator) else { return }
      log.append("insertion near \(near.id)")
      try changes.insert(text(), at: near.time.millisecondsSince1970 + .random(in: -1...1, using: &generator))
    case 6..<8:
      guard let message = pick(&generator) else { return }
      log.append("deletion of \(message.id)")
      try changes.delete([message.id])
    case 8:
      // What is on the screen goes first, in any app.
      let gone = view.screen.map(\.message.id).filter { id in all.contains { $0.id == id } }
        .filter { _ in Bool.random(using: &generator) }
      log.append("deletion of \(gone)")
      try changes.delete(gone)
    case 9 where Int.random(in: 0..<12, using: &generator) == 0:
      log.append("deletion of all")
      try changes.delete(all.map(\.id))
    default:
      let shown = view.screen.map(\.message.id).filter { id in all.contains { $0.id == id } }
      guard
        let id = Bool.random(using: &generator)
          ? shown.randomElement(using: &generator) : pick(&generator)?.id
      else { return }
      log.append("edit of \(id)")
      try changes.edit(id)
    }
  }

  private func text() -> String { Bool.random(using: &generator) ? "amber" : "birch" }

  // MARK: What the reader does

  private func scroll() async throws {
    try await keepPlace()
    let lines = [1, 3, view.height, 4 * view.height].randomElement(using: &generator) ?? 1
    let direction = Bool.random(using: &generator) ? 1 : -1
    log.append("scroll by \(direction * lines)")
    view.scroll(by: direction * lines)
    try await tellPlace()
    try await keepPlace()
  }

  private func filter() async throws {
    selection.predicate = selection.predicate == .everything ? .matching("amber") : .everything
    try await jump(.select(selection))
  }

  private func jump(_ command: ListCommand) async throws {
    log.append("\(command)")
    await list.perform(command)
    try await catchUp()
    try await tellPlace()
    try await keepPlace()
  }

  // MARK: What the view does

  /// Takes in all that has happened, and sees to it that what stays on the screen stays where it is.
  private func keepPlace() async throws {
    await list.perform(.sourceChanged)
    view.hasMovedAtEnd = false
    let before = view
    try await catchUp()
    // A view that follows the newest edge moves with it, and one with nothing more beyond an end as it must.
    if let first = try firstKept(of: before), view.header?.isFollowing == false,
      before.header?.isFollowing == false
    {
      let line = view.line(of: first.id)
      #expect(
        line == first.line || view.hasMovedAtEnd,
        "\(first.id) went from line \(first.line) to \(line as Int?); \(told)")
    }
    try await tellPlace()
  }

  /// The first message of a screen that is still there, and its line, by what the source itself holds.
  private func firstKept(of view: FakeListView) throws -> (id: Message.ID, line: Int)? {
    let there = Set(try changes.messages.filter(selection.contains).map(\.id))
    return view.screen.first { there.contains($0.message.id) }.map { ($0.message.id, $0.line) }
  }

  private func tellPlace() async throws {
    guard let command = view.readerMoved else { return }
    await list.perform(command)
    try await catchUp()
  }

  /// Has the view take in snapshots until it shows what the list does, and nothing is being loaded.
  private func catchUp() async throws {
    while true {
      let current = await list.current
      let isLoading = [current.edges.older, current.edges.newer].contains {
        if case .loading = $0 { true } else { false }
      }
      if !isLoading, view.header == current.header, view.rows == current.messages { break }
      guard let snapshot = await iterator.next() else {
        Issue.record("the list has ended; \(told)")
        return
      }
      view.take(snapshot)
    }
    for complaint in view.complaints { Issue.record("\(complaint); \(told)") }
  }
}

/// What a server has beyond both ends of what is local; it fails now and then, and sometimes has nothing to give.
private final class EdgeServer: Sendable {
  private struct State {
    var generator: SeededGenerator
    var older: Int64 = -1
    var newer: Int64 = 1
  }

  private let changes: any ListChanging
  private let state: Mutex<State>
  private let most: Int64 = 300

  init(seed: UInt64, changes: any ListChanging) {
    self.changes = changes
    state = Mutex(State(generator: SeededGenerator(seed: seed &+ 77)))
  }

  /// Has a few messages be local.
  func begin() throws {
    for milliseconds in Int64(-10)...10 { try changes.insert("amber first", at: milliseconds * 10) }
    state.withLock { state in (state.older, state.newer) = (-11, 11) }
  }

  func load(_ request: EdgeRequest) async throws -> EdgeOutcome {
    let luck = state.withLock { state in Int.random(in: 0..<8, using: &state.generator) }
    if luck == 0 { throw EdgeError(.unreachable, "cannot load") }
    if luck == 1 { return .loaded }
    request.report(progress: 0.5)
    let times = state.withLock { state -> [Int64] in
      let count = Int64.random(in: 1...Int64(request.limit), using: &state.generator)
      switch request.edge {
      case .older:
        defer { state.older -= count }
        return (0..<count).map { (state.older - $0) * 10 }
      case .newer:
        defer { state.newer += count }
        return (0..<count).map { (state.newer + $0) * 10 }
      }
    }
    for time in times where abs(time) <= most * 10 {
      try changes.insert(time % 20 == 0 ? "amber loaded" : "birch loaded", at: time)
    }
    return times.contains { abs($0) > most * 10 } ? .endReached : .loaded
  }
}
