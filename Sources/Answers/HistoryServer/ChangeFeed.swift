internal import Dispatch
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import Synchronization

/// Sends the changes of the store to all listeners. Each commit is read and encoded once, however many
/// listeners there are.
final class ChangeFeed: Sendable {
  typealias Listener = @Sendable ([UInt8]) -> Void

  private let served: ServedStore
  private let maxCount: Int
  private let pageTag: String
  private let queue = DispatchQueue(label: "ChangeFeed")
  private let state = Mutex(State())

  private struct State {
    var listeners: [Int: Listener] = [:]
    var lastNumber = 0
    /// The version up to which changes were sent; `nil` before the first.
    var version: SourceVersion?
    var readCount = 0
    var task: Task<Void, Never>?
    var isStopped = false
  }

  init(_ served: ServedStore, maxCount: Int, pageTag: String) {
    (self.served, self.maxCount, self.pageTag) = (served, maxCount, pageTag)
  }

  var readCount: Int { state.withLock { $0.readCount } }

  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Starts to watch the store on the queue, since the shared threads may all be busy.
  func start() {
    let task = Task(executorPreference: QueueExecutor(queue)) { [self] in
      // When another file takes its place, a new stream follows that one.
      while !state.withLock({ $0.isStopped }) {
        let store = served.current
        for await _ in store.changes() { tell() }
        if store === served.current { return }
      }
    }
    state.withLock { $0.task = task }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.listeners = [:]
      state.task?.cancel()
    }
  }

  /// Sends what has changed. Runs on the queue, whose thread may wait for the disk.
  private func tell() {
    guard let known = state.withLock({ $0.version }) else {
      // There was no listener yet.
      let version = try? served.reading { store throws(StoreError) in try store.version(of: .everything) }
      state.withLock { $0.version = $0.version ?? version }
      return
    }
    // If they cannot be read now, the next notice reads them.
    guard let changes = try? changes(since: known), !changes.isEmpty else { return }
    let event = Self.event(changes)
    let listeners = state.withLock { state in
      state.version = changes.version
      state.readCount += 1
      return Array(state.listeners.values)
    }
    for listener in listeners { listener(event) }
  }

  private func changes(since version: SourceVersion) throws(StoreError) -> MessageChanges {
    try served.reading { store throws(StoreError) in
      try store.changes(since: version, limit: maxCount)
    }
  }

  /// Adds a listener for all later events; if it names a version, also for those since then. A thread of the
  /// feed calls `begun` with the first events and the number by which to leave, or with the reason for a
  /// refusal, and then `listener` with each event in order.
  func listen(
    since version: SourceVersion?, maxCount: Int, _ listener: @escaping Listener,
    begun: @escaping @Sendable (Result<(number: Int, events: [UInt8]), RequestRefusal>) -> Void
  ) {
    queue.async { [self] in
      begun(Result { () throws(RequestRefusal) in try begin(version, maxCount, listener) })
    }
  }

  private func begin(
    _ version: SourceVersion?, _ maxCount: Int, _ listener: @escaping Listener
  ) throws(RequestRefusal) -> (number: Int, events: [UInt8]) {
    let (now, events) = try beginning(version)
    let number: Int? = state.withLock { state in
      guard state.listeners.count < maxCount, !state.isStopped else { return nil }
      state.version = state.version ?? now
      state.lastNumber += 1
      state.listeners[state.lastNumber] = listener
      return state.lastNumber
    }
    guard let number else { throw .tooMany("pages hear of changes") }
    return (number, events)
  }

  private func beginning(_ version: SourceVersion?) throws(RequestRefusal) -> (SourceVersion, [UInt8]) {
    do throws(StoreError) {
      // The next look continues from this version or an earlier one, so that no change is lost between.
      let now = try served.reading { store throws(StoreError) in try store.version(of: .everything) }
      guard let version else { return (now, hello(now)) }
      let changes = try changes(since: version)
      return (now, hello(now) + (changes.isEmpty ? [] : Self.event(changes)))
    } catch {
      throw RequestRefusal(error)
    }
  }

  func leave(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

  private struct Hello: Encodable {
    let version: String
    let store: String?
    let page: String
  }

  private struct Told: Encodable {
    let version: String
    let everything: Bool
    let inserted: [Message.ID]
    let edited: [Message.ID]
    let deleted: [Message.ID]
    /// Most commits have none.
    let moved: [Move]?
    let conversations: [Conversation.ID]
  }

  /// A message that was deleted under one id and inserted under another.
  private struct Move: Encodable {
    let from: Message.ID
    let to: Message.ID
  }

  private func hello(_ version: SourceVersion) -> [UInt8] {
    let token = version.description
    return Self.event("hello", token, Hello(version: token, store: served.identity, page: pageTag))
  }

  private static func event(_ changes: MessageChanges) -> [UInt8] {
    let token = changes.version.description
    let moves = changes.moved.sorted { $0.key < $1.key }.map { Move(from: $0.key, to: $0.value) }
    let told = Told(
      version: token, everything: changes.isEverything, inserted: changes.inserted, edited: changes.edited,
      deleted: changes.deleted, moved: moves.isEmpty ? nil : moves,
      conversations: changes.conversations.sorted { $0.rawValue < $1.rawValue })
    return event("changes", token, told)
  }

  private static func event(_ name: String, _ token: String, _ value: some Encodable) -> [UInt8] {
    // One line: JSON escapes line ends, and events contain only numbers.
    let data = (try? AnswerEncoder.bytes(of: value)) ?? Array("{}".utf8)
    return Array("event: \(name)\nid: \(token)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }
}
