import Foundation
import HistoryModel
import MessageModel
import MessageSourceTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageStorage

@Suite struct MessageStoreTests {
  private let temporary: TemporaryStore
  private let store: MessageStore
  private let room: Conversation.ID

  init() async throws {
    // Longer than a busy machine takes for any of this: what ends a wait is the test.
    temporary = try TemporaryStore(
      options: StoreOptions(durability: .process, busyTimeout: .milliseconds(600_000)), clock: minute(0))
    store = MessageStore(temporary.store)
    room = try await store.write { try $0.makeConversation(named: "general") }.id
  }

  private var total: Int {
    get async throws { try await store.page(PageRequest(Selection(room), fetchLimit: 0)).counts?.total ?? 0 }
  }

  @Test func `a store that is awaited answers every request as the naive model does`() async throws {
    try await checkMessageSource(
      seeds: 200..<(isLong ? 250 : 204), length: isLong ? 1_000 : 100, patience: .seconds(86_400)
    ) {
      try AwaitedStore()
    }
  }

  @Test func `a conversation that is needed is made once`() async throws {
    #expect(try await store.write { try $0.makeConversationIfNeeded(named: "general") }.id == room)
    let made = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }
    #expect(try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id == made.id)
    #expect(try await store.read { try $0.conversationCount() } == 2)
  }

  @Test func `while writers wait for a lock, tasks go on and the store is read`() async throws {
    let lock = try WriteLock(of: store.path)
    let begun = Count()
    let store = store
    let room = room
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...4 {
        group.addTask {
          begun.add()
          return try await store.append([NewMessage("\(number)")], to: room).count
        }
      }
      while begun.value < 4 { await Task.yield() }
      // More tasks than there are threads for: were one of those kept, not all of these would come to their end.
      let steps = await withTaskGroup(of: Int.self) { counters in
        for _ in 0..<(2 * ProcessInfo.processInfo.activeProcessorCount) {
          counters.addTask {
            var count = 0
            while count < 1_000 {
              await Task.yield()
              count += 1
            }
            return count
          }
        }
        return await counters.reduce(0, +)
      }
      #expect(steps == 2_000 * ProcessInfo.processInfo.activeProcessorCount)
      #expect(try await total == 0)
      try lock.release()
      #expect(try await group.reduce(0, +) == 4)
    }
    #expect(try await total == 4)
  }

  @Test func `a write that waits for a lock is called off with its task and has written nothing`()
    async throws
  {
    let lock = try WriteLock(of: store.path)
    let begun = Signal()
    let task = Task { [store, room] in
      try await store.writing { store in
        begun.send()
        return try store.append([NewMessage("never")], to: room)
      }
    }
    await begun.wait()
    task.cancel()
    // The lock is held: only the cancellation can end it before the time that a busy store is waited for.
    await #expect(throws: CancellationError.self) { try await task.value }
    try lock.release()
    #expect(try await total == 0)
  }

  @Test func `a write that waits for its turn is called off at once, and those behind it have theirs`()
    async throws
  {
    let (begun, goOn) = (Signal(), DispatchSemaphore(value: 0))
    let first = Task { [store, room] in
      try await store.write { store in
        begun.send()
        goOn.wait()
        return try store.append([NewMessage("first")], to: room)
      }
    }
    await begun.wait()
    let second = Task { [store, room] in try await store.append([NewMessage("second")], to: room) }
    let third = Task { [store, room] in try await store.append([NewMessage("third")], to: room) }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    goOn.signal()
    _ = try await first.value
    _ = try await third.value
    #expect(try temporary.store.texts() == ["first", "third"])
  }

  @Test func `a transaction that reads ends when its task is cancelled, and has written nothing`()
    async throws
  {
    let (begun, goOn) = (Signal(), DispatchSemaphore(value: 0))
    let task = Task { [store, room] in
      try await store.write { store in
        try store.append([NewMessage("never")], to: room)
        begun.send()
        goOn.wait()
        return try store.conversation(room)
      }
    }
    await begun.wait()
    task.cancel()
    goOn.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await total == 0)
  }

  @Test func `a task that was cancelled before it asks is answered at once`() async throws {
    let task = Task { [store, room] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.append([NewMessage("never")], to: room)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await total == 0)
  }

  @Test func `reading and searching end when their task is cancelled`() async throws {
    try temporary.store.append((0..<3_000).map { NewMessage("line \($0)", at: minute($0)) }, to: room)
    for isSearch in [false, true] {
      let (begun, goOn) = (Signal(), DispatchSemaphore(value: 0))
      let task = Task { [store, room] in
        try await store.read { store in
          begun.send()
          goOn.wait()
          if isSearch { return try store.hitCount(.regex("9$")) }
          return try store.page(PageRequest(Selection(room), fetchLimit: 3_000)).messages.count
        }
      }
      await begun.wait()
      task.cancel()
      goOn.signal()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test @MainActor func `what the main actor asks for is done on another thread`() async throws {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
    let isMain = { @Sendable in DispatchQueue.getSpecific(key: key) == true }
    #expect(isMain())
    let mainCalls = Count()
    let others = Count()
    let path = temporary.folder.appendingPathComponent("other.db").path
    let clock: @Sendable () -> Timestamp = {
      (isMain() ? mainCalls : others).add()
      return minute(0)
    }
    let other = try await MessageStore(path: path, clock: clock)
    let room = try await other.write { try $0.makeConversation(named: "a") }.id
    try await other.append([NewMessage("hello")], to: room)
    #expect(mainCalls.value == 0 && others.value > 0)
    #expect(isMain())
    #expect(try await other.read { _ in isMain() } == false)
    #expect(try await other.write { _ in isMain() } == false)
    await other.close()
  }

  @Test func `an app waits for a busy store for a second at most, unless it says otherwise`() async throws {
    #expect(StoreOptions().busyTimeout <= .seconds(1))
    let lock = try WriteLock(of: store.path)
    let hasty = try await MessageStore(
      path: store.path, options: StoreOptions(durability: .process, busyTimeout: .milliseconds(20)))
    let error = await #expect(throws: StoreError.self) {
      try await hasty.append([NewMessage("never")], to: room)
    }
    #expect(error?.kind == .busy)
    try lock.release()
    try await hasty.append([NewMessage("now")], to: room)
    await hasty.close()
  }

  @Test func `who subscribes after a commit is told at once`() async throws {
    try await store.append([NewMessage("before")], to: room)
    for _ in 1...2 {
      var changes = store.changes().makeAsyncIterator()
      #expect(await changes.next() != nil)
    }
    var changes = try await store.snapshot().changes().makeAsyncIterator()
    #expect(await changes.next() != nil)
    #expect(await changes.next() == nil)
  }

  @Test func `a snapshot shows what there was`() async throws {
    try await store.append([NewMessage("before")], to: room)
    let snapshot = try await store.snapshot()
    try await store.append([NewMessage("after")], to: room)
    #expect(try await snapshot.page(PageRequest(Selection(room))).messages.map(\.text) == ["before"])
  }

  @Test func `a store is closed when what was asked of it before is done, and not under a read`() async throws
  {
    try await store.append((1...500).map { NewMessage("message \($0)", from: "mira") }, to: room)
    let store = store
    let request = PageRequest(Selection(room), anchor: .newest, fetchLimit: 50)
    let begun = Count()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...20 {
        group.addTask {
          // Until the store is closed, and then an error.
          while (try? await store.page(request)) != nil { begun.add() }
        }
      }
      group.addTask {
        let isSeen = Mutex(false)
        try await store.read { _ in
          Thread.sleep(forTimeInterval: 0.05)
          isSeen.withLock { $0 = true }
        }
        #expect(isSeen.withLock { $0 })
      }
      while begun.value < 100 { await Task.yield() }
      await store.close()
      try await group.waitForAll()
    }
    await #expect(throws: StoreError.self) { try await store.page(request) }
  }

  private static let mostTurns = 100_000

  @Test func `whoever writes waits for a batch of an import, and not for all of it`() async throws {
    let (store, room) = (store, room)
    let (begun, written) = (Count(), Count())
    let appending = Task {
      while begun.value == 0 { await Task.yield() }
      for number in 1...3 {
        _ = try await store.append([NewMessage("between \(number)")], to: room)
        written.add()
      }
    }
    let turns = Count()
    try await store.bulkImport(BulkImport.Description(name: "made up", format: "generated", zone: "UTC")) {
      load in
      // As many batches as it takes for others to have their turns: tasks get theirs late where other tests have all threads.
      while turns.value < Self.mostTurns, written.value < 3 {
        var batch = ImportBatch()
        for _ in 1...2 { batch.add("tea", at: minute(turns.value), in: "tea") }
        try load.add(batch)
        turns.add()
        begun.add()
      }
    }
    try await appending.value
    #expect(turns.value < Self.mostTurns)
    #expect(try await total == 3)
    #expect(try await store.check().problems.isEmpty)
  }

  @Test func `a store that was closed says so`() async throws {
    await store.close()
    let error = await #expect(throws: StoreError.self) { try await store.page(PageRequest(Selection(room))) }
    #expect(error?.kind == .invalidRequest)
  }
}

/// A number that several tasks count up.
private final class Count: Sendable {
  private let number = Atomic<Int>(0)
  var value: Int { number.load(ordering: .relaxed) }
  func add() { number.add(1, ordering: .relaxed) }
}

/// Something that happens once, as threads send it and tasks wait for it.
private final class Signal: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  func send() { continuation.yield() }

  func wait() async {
    for await _ in stream { return }
  }
}

/// A store that is awaited, as a source that a check can change.
private final class AwaitedStore: MutableMessageSource {
  private let source: StoreSource
  private let store: MessageStore

  init() throws {
    source = try StoreSource()
    store = MessageStore(source.store)
  }

  func page(_ request: PageRequest) async throws -> Page { try await store.page(request) }
  func changes() -> AsyncStream<Void> { store.changes() }
  func makeConversation(named name: String) async throws -> Conversation.ID {
    try await store.write { try $0.makeConversation(named: name) }.id
  }
  func append(_ text: String, to conversation: Conversation.ID) async throws -> Message.ID {
    try await store.append([NewMessage(text)], to: conversation)[0]
  }
  func insert(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) async throws -> Message.ID {
    try await store.append([NewMessage(text, at: time)], to: conversation)[0]
  }
  func delete(_ ids: [Message.ID]) async throws { try await store.write { try $0.delete(ids) } }
  func edit(_ id: Message.ID, text: String) async throws {
    try await store.write { try $0.edit(id, text: text) }
  }
}
