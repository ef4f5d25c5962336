internal import Dispatch
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import Synchronization

/// Tells all who listen what has changed in the store: read and written down once for each commit, however many they are.
final class ChangeFeed: Sendable {
  /// Takes an event, as it is sent.
  typealias Listener = @Sendable ([UInt8]) -> Void

  private let served: ServedStore
  private let maxCount: Int
  private let pageTag: String
  private let queue = DispatchQueue(label: "ChangeFeed")
  private let state = Mutex(State())

  private struct State {
    var listeners: [Int: Listener] = [:]
    var lastNumber = 0
    /// Up to where changes were told; `nil` before the first.
    var version: SourceVersion?
    var readCount = 0
    var task: Task<Void, Never>?
    var isStopped = false
  }

  init(_ served: ServedStore, maxCount: Int, pageTag: String) {
    (self.served, self.maxCount, self.pageTag) = (served, maxCount, pageTag)
  }

  /// The number of times that changes were read for all.
  var readCount: Int { state.withLock { $0.readCount } }

  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// Begins to watch the store, on the queue: threads that others' tasks keep busy are not waited for.
  func start() {
    let task = Task(executorPreference: QueueExecutor(queue)) { [self] in
      // Another file may take its place, whose changes are told by a stream of its own.
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

  /// Looks what has changed, on the queue: a thread that may wait for the disk.
  private func tell() {
    guard let known = state.withLock({ $0.version }) else {
      // Nobody was told anything yet.
      let version = try? served.reading { store throws(StoreError) in try store.version(of: .everything) }
      state.withLock { $0.version = $0.version ?? version }
      return
    }
    // What cannot be read now is read at the next notice.
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

  /// Has somebody hear of what happens from now on and, if they say up to where they know, of what has happened since.
  ///
  /// - Parameters:
  ///   - version: Up to where they know.
  ///   - maxCount: The most who may listen.
  ///   - listener: Called with each event in order, by a thread of the feed.
  ///   - begun: Called with the first events before them and the number to leave by, or with why there are none.
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
      // What comes between this and the next look is told by that, since it goes on from no later version.
      let now = try served.reading { store throws(StoreError) in try store.version(of: .everything) }
      guard let version else { return (now, hello(now)) }
      let changes = try changes(since: version)
      return (now, hello(now) + (changes.isEmpty ? [] : Self.event(changes)))
    } catch {
      throw RequestRefusal(error)
    }
  }

  func leave(_ number: Int) { state.withLock { $0.listeners[number] = nil } }

  // MARK: Events

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
    /// Absent of most commits.
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
    // One line: JSON has no line ends within, and what is told has nothing but numbers.
    let data = (try? AnswerEncoder.bytes(of: value)) ?? Array("{}".utf8)
    return Array("event: \(name)\nid: \(token)\ndata: ".utf8) + data + Array("\n\n".utf8)
  }
}
