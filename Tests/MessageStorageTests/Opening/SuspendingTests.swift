import Foundation
import MessageModel
import Synchronization
import Testing

@testable import MessageStorage

/// Stores that let go of their file for a while, as an app does that the system is about to stop.
@Suite struct SuspendingTests {
  #if os(Linux)
    @Test func `a suspended store holds no lock on its file, as another process sees it`() throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let room = try store.makeConversation(named: "room").id
      try store.append([NewMessage("before")], to: room)
      _ = try store.page(PageRequest(Selection(room)))
      let listener = store.changes()
      let snapshot = try store.snapshot()
      _ = try snapshot.page(PageRequest(Selection(room)))
      let files = Self.files(of: store.path)
      #expect(try Self.locks(on: files) > 0)
      store.suspend()
      #expect(try Self.locks(on: Self.files(of: store.path)) == 0)
      #expect(try Self.descriptors(beginningWith: store.path) == [])
      #expect(store.isSuspended && !OpenFiles.contains(store.file))
      try store.resume()
      #expect(try Self.locks(on: Self.files(of: store.path)) > 0)
      withExtendedLifetime(listener) {}
    }

    /// The device and inode of each file of a store, as the system's list of locks has them.
    private static func files(of path: String) -> Set<String> {
      Set(
        ["", "-wal", "-shm"].compactMap { suffix in
          let facts = try? FileManager.default.attributesOfItem(atPath: path + suffix)
          return (facts?[.systemFileNumber] as? Int).map { ":\($0)" }
        })
    }

    /// Asks another process for the locks on files.
    private static func locks(on files: Set<String>) throws -> Int {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/bin/cat")
      process.arguments = ["/proc/locks"]
      process.standardOutput = pipe
      try process.run()
      let list = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return list.split(separator: "\n").count { line in
        line.split(separator: " ").contains { field in files.contains { field.hasSuffix($0) } }
      }
    }

    /// The files that this process has open whose path begins so.
    private static func descriptors(beginningWith path: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
      }.filter { $0.hasPrefix(path) }
    }
  #endif

  @Test func `a suspended store answers with an error of its own until it is resumed, and then as before`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = MessageStore(temporary.store)
    let room = try await store.write { try $0.makeConversation(named: "room") }.id
    try await store.append([NewMessage("before")], to: room)
    let snapshot = try store.synchronous.snapshot()
    await store.suspend()
    await store.suspend()
    #expect(await Self.kindAwaited { _ = try await store.page(PageRequest(Selection(room))) } == .suspended)
    #expect(await Self.kindAwaited { try await store.append([NewMessage("lost")], to: room) } == .suspended)
    #expect(await Self.kindAwaited { _ = try await store.read { try $0.conversations() } } == .suspended)
    #expect(await Self.kindAwaited { _ = try snapshot.page(PageRequest(Selection(room))) } == .invalidRequest)
    try await store.resume()
    try await store.resume()
    try await store.append([NewMessage("after")], to: room)
    #expect(try await store.page(PageRequest(Selection(room))).messages.map(\.text) == ["before", "after"])
    await store.close()
    await store.suspend()
    #expect(await Self.kindAwaited { _ = try await store.read { try $0.conversations() } } == .invalidRequest)
  }

  @Test func `those who listen hear what another process has written meanwhile`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "room").id
    let changes = store.changes()
    let hearing = Task {
      for await _ in changes {
        // While it is suspended nothing is to be had.
        let page = try? store.page(PageRequest(Selection(room)))
        if page?.messages.last?.text == "meanwhile" { return true }
      }
      return false
    }
    store.suspend()
    let other = try temporary.another()
    try other.append([NewMessage("meanwhile")], to: room)
    other.close()
    try store.resume()
    #expect(await hearing.value)
  }

  @Test func `what takes too long is interrupted, and a write that was is taken back whole`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "room").id
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let kinds = Mutex<[StoreError.Kind?]>([])
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    Thread.detachNewThread {
      let kind = Self.kind {
        try store.writing("cannot write") { db in
          try RawStatement.run(db, "UPDATE conversation SET name = 'another' WHERE id = ?", room.rawValue)
          begun.signal()
          _ = try RawStatement.number(db, endless)
        }
      }
      kinds.withLock { $0.append(kind) }
      ended.signal()
    }
    Thread.detachNewThread {
      let kind = Self.kind {
        try store.reading("cannot read") { db in
          begun.signal()
          _ = try RawStatement.number(db, endless)
        }
      }
      kinds.withLock { $0.append(kind) }
      ended.signal()
    }
    for _ in 1...2 { begun.wait() }
    store.suspend(interruptingAfter: .zero)
    for _ in 1...2 { ended.wait() }
    #expect(kinds.withLock { $0 } == [.suspended, .suspended])
    try store.resume()
    #expect(try store.conversation(named: "room")?.id == room)
  }

  @Test func `whoever waits for another process's lock does not keep a store from being suspended`() throws {
    let temporary = try TemporaryStore()
    let store = try SynchronousMessageStore(
      path: temporary.store.path,
      options: StoreOptions(access: .readWrite, busyTimeout: .milliseconds(600_000)))
    defer { store.close() }
    let room = try store.makeConversation(named: "room").id
    let other = try temporary.another()
    defer { other.close() }
    let (held, release, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Thread.detachNewThread {
      _ = Self.kind {
        try other.writing("cannot hold") { _ in
          held.signal()
          release.wait()
        }
      }
    }
    held.wait()
    let kind = Mutex<StoreError.Kind?>(nil)
    Thread.detachNewThread {
      let found = Self.kind { try store.append([NewMessage("late")], to: room) }
      kind.withLock { $0 = found }
      ended.signal()
    }
    store.suspend(interruptingAfter: .zero)
    ended.wait()
    #expect(kind.withLock { $0 } == .suspended)
    release.signal()
    try store.resume()
  }

  @Test func `a store whose file was replaced meanwhile is not resumed`() throws {
    let temporary = try TemporaryStore()
    let store = try temporary.another()
    temporary.store.close()
    let path = store.path
    store.suspend()
    try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    #expect(Self.kind { try store.resume() } == .displaced)
    #expect(!FileManager.default.fileExists(atPath: path))
    try FileManager.default.copyItem(atPath: path + ".old", toPath: path)
    #expect(Self.kind { try store.resume() } == .displaced)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
    try store.resume()
    #expect(try store.conversations().isEmpty)
  }

  private static func kind(_ body: () throws -> Void) -> StoreError.Kind? {
    do {
      try body()
      return nil
    } catch { return (error as? StoreError)?.kind }
  }

  private static func kindAwaited(_ body: () async throws -> Void) async -> StoreError.Kind? {
    do {
      try await body()
      return nil
    } catch { return (error as? StoreError)?.kind }
  }
}
