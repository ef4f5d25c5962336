import MessageModel
import MessageSourceTesting
import MessageWindows
import Synchronization
import Testing

@Suite struct EdgeLoaderTests {
  @Test func `older messages are loaded as the reader comes to the end of what is local`() async throws {
    let (source, server) = (ReferenceSource(), Server(count: 100))
    source.insert(Array(server.messages[80...]))
    let list = MessageList(
      Selection(conversation), in: source, limits: try .small(60, page: 10, prefetch: 5),
      edgeLoader: EdgeLoader(beyond: [.older]) { request in
        let older = server.messages(before: request.key, limit: request.limit)
        source.insert(older)
        return older.first?.id == server.messages.first?.id ? .endReached : .loaded
      })
    var iterator = list.snapshots().makeAsyncIterator()
    await list.perform(.jump(to: .newest))
    while let snapshot = await iterator.next() {
      if snapshot.edges.older == .endReached, !snapshot.header.hasOlder { break }
      // The reader goes on to what is there.
      list.send(.scroll(.older))
    }
    #expect(source.messages == server.messages)
    #expect(server.keys == [id(81), id(71), id(61), id(51), id(41), id(31), id(21), id(11)])
  }

  @Test func `where nothing is local the newest messages are asked for, once`() async throws {
    let (source, server) = (ReferenceSource(), Server(count: 100))
    let requests = Mutex<[EdgeRequest]>([])
    let list = MessageList(
      Selection(conversation), in: source, limits: try .small(60, page: 10),
      edgeLoader: EdgeLoader(beyond: [.older, .newer]) { request in
        requests.withLock { $0.append(request) }
        guard request.edge == .older else { return .endReached }
        source.insert(server.messages(before: request.key, limit: request.limit))
        return .loaded
      })
    await list.perform(.jump(to: .newest))
    await settled(list) { $0.messages.last?.id == id(100) && $0.edges.newer == .endReached }
    let first = requests.withLock { $0[0] }
    #expect(
      first.edge == .older && first.key == nil && first.attempt == 0
        && first.selection == Selection(conversation))
  }

  @Test func `a failure is told with its kind, and nothing is loaded until it is retried`() async throws {
    let calls = Mutex(0)
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 5),
      edgeLoader: EdgeLoader(beyond: [.older]) { _ in
        switch calls.withLock({ calls in
          calls += 1
          return calls
        }) {
        case 1: throw EdgeError(.unreachable, "cannot load older messages", cause: "no network")
        case 2: throw StoreError(.noSpace, "cannot append")
        case 3: throw Failure()
        default: return .endReached
        }
      })
    await list.perform(.jump(to: .newest))
    #expect(await failure(list)?.kind == .unreachable)
    await list.perform(.scroll(.older))
    await list.perform(.sourceChanged)
    #expect(calls.withLock { $0 } == 1)
    await list.retryEdges()
    let unsaved = await failure(list) { $0.kind != .unreachable }
    #expect(unsaved?.kind == .unsaved && unsaved?.storeError?.kind == .noSpace)
    await list.perform(.retry)
    let failed = await failure(list) { $0.kind != .unsaved }
    #expect(failed?.kind == .failed && failed?.underlying is Failure)
    await list.perform(.retry)
    await settled(list) { $0.edges.older == .endReached }
    await list.perform(.scroll(.older))
    #expect(calls.withLock { $0 } == 4)
    await list.retryEdges([.older])
    await settled(list) { $0.edges.older == .endReached && calls.withLock { $0 } == 5 }
  }

  @Test func `both ends load at once, tell how far they are, and are called off`() async throws {
    let gate = Gate()
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 5),
      edgeLoader: EdgeLoader(beyond: [.older, .newer]) { request in
        request.report(progress: 0.25)
        request.report(progress: .nan)
        request.report(progress: 7)
        try await gate.pass()
        return .endReached
      })
    await list.perform(.jump(to: .newest))
    await settled(list) { $0.edges.older == .loading(progress: 1) && $0.edges.newer == .loading(progress: 1) }
    await list.cancelEdgeLoads(at: [.older])
    let edges = await list.current.edges
    guard case .failed(let error) = edges.older else {
      Issue.record("it was not called off")
      return
    }
    #expect(error.kind == .cancelled && edges.newer == .loading(progress: 1))
    await gate.waitUntilCalledOff(1)
    await list.perform(.select(Selection(conversation, where: .has(.edit))))
    await gate.waitUntilCalledOff(2)
    await list.close()
    await gate.waitUntilCalledOff(3)
  }

  @Test func `a loader that brings nothing is not asked forever`() async throws {
    let attempts = Mutex<[Int]>([])
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 5),
      edgeLoader: EdgeLoader(beyond: [.newer]) { request in
        attempts.withLock { $0.append(request.attempt) }
        return .loaded
      })
    await list.perform(.jump(to: .newest))
    await settled(list) { if case .failed = $0.edges.newer { true } else { false } }
    #expect(attempts.withLock { $0 } == Array(0..<8))
    guard case .failed(let error) = await list.current.edges.newer else { return }
    #expect(error.kind == .fruitless)
  }

  @Test func `a scroll that is awaited returns when its messages are there`() async throws {
    let (source, server) = (ReferenceSource(), Server(count: 100))
    source.insert(Array(server.messages[80...]))
    let list = MessageList(
      Selection(conversation, where: .matching("filed")), in: source,
      limits: try .small(60, page: 10, prefetch: 5),
      edgeLoader: EdgeLoader(beyond: [.older]) { request in
        guard request.key == nil else { return .endReached }
        for _ in 0..<50 { await Task.yield() }
        // The first ones are not of those that are shown.
        let number = 80 - request.attempt
        source.insert([server.messages[number - 1].filed(if: request.attempt == 3)])
        return .loaded
      })
    await list.perform(.jump(to: .newest))
    let snapshot = await list.perform(.scroll(.older))
    #expect(snapshot.messages.map(\.id) == [id(77)])
    await list.close()
  }

  @Test func `a reader who stays at the newest message is shown what a scroll has loaded`() async throws {
    let (source, server) = (ReferenceSource(), Server(count: 100))
    source.insert(Array(server.messages[60...]))
    let list = MessageList(
      Selection(conversation), in: source, limits: try .small(60, page: 10, prefetch: 5),
      edgeLoader: EdgeLoader(beyond: [.older]) { request in
        for _ in 0..<50 { await Task.yield() }
        source.insert(server.messages(before: request.key, limit: 10))
        return .loaded
      })
    await list.perform(.jump(to: .newest))
    for oldest in stride(from: Int64(71), to: 31, by: -10) {
      #expect(await list.perform(.scroll(.older)).messages.first?.id == id(oldest))
    }
    await list.close()
  }

  @Test func `a scroll that is awaited shows why nothing came`() async throws {
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 50), limits: try .small(60, page: 10, prefetch: 5),
      edgeLoader: EdgeLoader(beyond: [.older]) { _ in
        for _ in 0..<50 { await Task.yield() }
        throw EdgeError(.unreachable, "cannot load older messages")
      })
    await list.perform(.jump(to: .oldest))
    let snapshot = await list.perform(.load(.older))
    #expect(snapshot.edges.older == .failed(EdgeError(.unreachable, "cannot load older messages")))
  }

  @Test func `a scroll is no longer awaited by a task that is cancelled, and not by a list that is closed`()
    async throws
  {
    let gate = Gate()
    let list = MessageList(
      Selection(conversation), in: ReferenceSource(count: 5),
      edgeLoader: EdgeLoader(beyond: [.older]) { _ in
        try await gate.pass()
        return .endReached
      })
    await list.perform(.jump(to: .newest))
    let impatient = Task { await list.perform(.scroll(.older)) }
    impatient.cancel()
    #expect(await impatient.value.edges.older == .loading(progress: nil))
    async let patient = list.perform(.scroll(.older))
    for _ in 0..<50 { await Task.yield() }
    await list.close()
    #expect(await patient.messages.count == 5)
  }

  private struct Failure: Error {}

  /// Waits until what the list shows is as expected.
  private func settled(_ list: MessageList, _ isAsExpected: (MessageList.Snapshot) -> Bool) async {
    for await snapshot in list.snapshots() where isAsExpected(snapshot) { return }
  }

  private func failure(_ list: MessageList, where isExpected: (EdgeError) -> Bool = { _ in true }) async
    -> EdgeError?
  {
    for await snapshot in list.snapshots() {
      if case .failed(let error) = snapshot.edges.older, isExpected(error) { return error }
    }
    return nil
  }
}

/// A server that has more messages than are local.
private final class Server: Sendable {
  let messages: [Message]
  private let asked = Mutex<[Message.ID?]>([])

  init(count: Int64) {
    messages = (1...count).map { Message(id: id($0), conversation: conversation, text: "\($0)") }
  }

  /// The keys that were asked with.
  var keys: [Message.ID?] { asked.withLock { $0 } }

  func messages(before key: Message.ID?, limit: Int) -> [Message] {
    asked.withLock { $0.append(key) }
    return Array(messages.filter { key == nil || $0.id < key! }.suffix(limit))
  }
}

extension Message {
  fileprivate func filed(if isFiled: Bool) -> Message {
    var message = self
    message.text = isFiled ? "filed" : text
    return message
  }
}

/// A place where loads wait until they are called off.
private final class Gate: Sendable {
  fileprivate struct State {
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var count = 0
    var calledOff = 0
    var observers: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  func pass() async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        state.withLock { state in
          if Task.isCancelled {
            state.callOff(continuation)
          } else {
            state.waiting[number] = continuation
          }
        }
      }
    } onCancel: {
      state.withLock { state in
        if let waiting = state.waiting.removeValue(forKey: number) { state.callOff(waiting) }
      }
    }
  }

  func waitUntilCalledOff(_ count: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.calledOff >= count { return continuation.resume() }
        state.observers.append((count, continuation))
      }
    }
  }
}

extension Gate.State {
  fileprivate mutating func callOff(_ waiting: CheckedContinuation<Void, any Error>) {
    waiting.resume(throwing: CancellationError())
    calledOff += 1
    for observer in observers where observer.count <= calledOff { observer.wake.resume() }
    observers.removeAll { $0.count <= calledOff }
  }
}
