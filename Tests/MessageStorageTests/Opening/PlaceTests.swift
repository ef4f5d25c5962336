import Foundation
import MessageModel
import Testing

@testable import MessageStorage

/// A store and its name: what is written must be found under it.
@Suite struct PlaceTests {
  private let temporary: TemporaryStore
  private let room: Conversation.ID

  init() throws {
    temporary = try TemporaryStore()
    room = try temporary.store.makeConversation(named: "general").id
    try temporary.store.append([NewMessage("hello")], to: room)
  }

  private var path: String { temporary.store.path }
  private func path(_ name: String) -> String { temporary.folder.appendingPathComponent(name).path }

  /// What can happen to the files of a store that is open.
  enum Mishap: String, CaseIterable {
    case deleted, moved, replaced, movedFolder, logDeleted, sharedMemoryDeleted, logReplaced, linked,
      otherLink

    func happen(to path: String, in folder: String) throws {
      let files = FileManager.default
      switch self {
      case .deleted: try files.removeItem(atPath: path)
      case .moved: try files.moveItem(atPath: path, toPath: folder + "/elsewhere.db")
      case .replaced:
        try files.copyItem(atPath: path, toPath: folder + "/copy.db")
        try #require(rename(folder + "/copy.db", path) == 0)
      case .movedFolder: try files.moveItem(atPath: folder, toPath: folder + "-moved")
      case .logDeleted: try files.removeItem(atPath: path + "-wal")
      case .sharedMemoryDeleted: try files.removeItem(atPath: path + "-shm")
      case .logReplaced:
        try files.copyItem(atPath: path + "-wal", toPath: folder + "/log")
        try #require(rename(folder + "/log", path + "-wal") == 0)
      case .linked: try files.linkItem(atPath: path, toPath: folder + "/second.db")
      case .otherLink:
        try files.removeItem(atPath: folder + "/link.db")
        try files.createSymbolicLink(atPath: folder + "/link.db", withDestinationPath: "other.db")
      }
    }
  }

  @Test(arguments: Mishap.allCases)
  func `nothing is said to be written to a store whose name leads elsewhere`(mishap: Mishap) throws {
    try FileManager.default.createSymbolicLink(atPath: path("link.db"), withDestinationPath: "test.db")
    try SynchronousMessageStore(path: path("other.db")).close()
    let store = try SynchronousMessageStore(path: path("link.db"))
    try store.append([NewMessage("there")], to: room)
    #expect(try store.texts() == ["hello", "there"])
    try mishap.happen(to: path, in: temporary.folder.path)
    defer { try? FileManager.default.removeItem(atPath: temporary.folder.path + "-moved") }
    let error = #expect(throws: StoreError.self) { try store.append([NewMessage("lost")], to: room) }
    #expect(error?.kind == .displaced, "\(error as Any)")
    #expect(throws: StoreError.self) { try store.checkPlace() }
    // What was there can still be read, so that it can be saved.
    #expect(try store.texts() == ["hello", "there"])
    store.close()
  }

  @Test func `a file that goes while it is written to takes no message with it that was acknowledged`() throws
  {
    let path = path
    let error = #expect(throws: StoreError.self) {
      try temporary.store.writing("cannot write") { _ in unlink(path) }
    }
    #expect(error?.kind == .displaced)
    #expect(error?.cause == "it was deleted or moved while it was open")
  }

  @Test func `a new file begins without the log of one that was deleted while it was open`() throws {
    try FileManager.default.removeItem(atPath: path)
    let new = try temporary.another(.create)
    let other = try new.makeConversation(named: "new").id
    try new.append([NewMessage("first")], to: other)
    #expect(throws: StoreError.self) { try temporary.store.append([NewMessage("lost")], to: room) }
    #expect(try new.texts() == ["first"])
    #expect(try new.check().problems == [])
    new.close()
  }

  @Test func `who follows a store is told that it has gone`() async throws {
    var changes = temporary.store.changes().makeAsyncIterator()
    try FileManager.default.removeItem(atPath: path)
    _ = await changes.next()
    #expect(throws: StoreError.self) { try temporary.store.checkPlace() }
  }

  @Test func `a file with two names is not written to, but read`() throws {
    temporary.store.close()
    try FileManager.default.linkItem(atPath: path, toPath: path("second.db"))
    for name in [path, path("second.db")] {
      let error = #expect(throws: StoreError.self) { try SynchronousMessageStore(path: name) }
      #expect(error?.kind == .displaced)
      #expect(error?.cause?.hasPrefix("it has 2 names (hard links)") == true)
      let reader = try SynchronousMessageStore(path: name, options: .readOnly)
      #expect(try reader.texts() == ["hello"])
      reader.close()
    }
    unlink(path("second.db"))
    try temporary.another().close()
  }

  @Test func `a store opened once more takes no lock from the first opening`() throws {
    let other = try temporary.another()
    other.close()
    // Another process that closes the store last takes its log away, unless it sees that it is not the last.
    let script =
      "import sqlite3,sys\nc=sqlite3.connect(sys.argv[1])\nc.execute('select count(*) from message').fetchone()\nc.close()"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    try temporary.store.append([NewMessage("after")], to: room)
    #expect(try temporary.another().texts() == ["hello", "after"])
  }

  // MARK: Names

  @Test(arguments: ["file:x", "file:x?mode=memory", ":memory:", "a b%41.db"])
  func `a name is a name, whatever SQLite would take it for`(name: String) throws {
    let store = try SynchronousMessageStore(path: path(name))
    let room = try store.makeConversation(named: "general").id
    try store.append([NewMessage("kept")], to: room)
    try store.backup(to: path("copy of " + name))
    store.close()
    let reader = try SynchronousMessageStore(path: path(name), options: .readOnly)
    defer { reader.close() }
    #expect(try reader.texts() == ["kept"])
    let names = try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path)
    #expect(names.contains(name) && names.contains("copy of " + name))
  }

  @Test func `paths are followed to their end once, and to where nothing is yet`() throws {
    let files = FileManager.default
    let folder = try #require(try? RealPath.of(temporary.folder.path))
    try files.createDirectory(atPath: path("sub"), withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: path("folder"), withDestinationPath: "sub")
    try files.createSymbolicLink(atPath: path("dangling"), withDestinationPath: "folder/new.db")
    try files.createSymbolicLink(atPath: path("circle"), withDestinationPath: "circle")
    #expect(try RealPath.of(path("folder/x")) == folder + "/sub/x")
    #expect(try RealPath.of(path("dangling")) == folder + "/sub/new.db")
    #expect(try RealPath.of(path("nowhere/x")) == path("nowhere/x"))
    #expect(try RealPath.of("file:x").hasSuffix("/file:x"))
    #expect(throws: RealPath.Failure(number: ELOOP)) { try RealPath.of(path("circle")) }
    #expect(throws: RealPath.Failure(number: ENOENT)) { try RealPath.of("") }
  }

  @Test func `a link to a store is the store: its log, its attachments and its copies lie beside the file`()
    throws
  {
    let files = FileManager.default
    try files.createDirectory(atPath: path("deep"), withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: path("link.db"), withDestinationPath: "deep/real.db")
    let store = try SynchronousMessageStore(path: path("link.db"))
    let room = try store.makeConversation(named: "general").id
    let large = NewAttachment([UInt8](repeating: 7, count: 150_000), name: "large")
    try store.append([NewMessage("x", files: [large])], to: room)
    try files.createSymbolicLink(atPath: path("copy.db"), withDestinationPath: "deep/copy.db")
    try store.backup(to: path("copy.db"))
    store.close()
    try files.removeItem(atPath: path("deep/real.db.attachments"))
    #expect(try SynchronousMessageStore.restore(path("copy.db"), to: path("link.db")) == 1)
    #expect(try files.destinationOfSymbolicLink(atPath: path("link.db")) == "deep/real.db")
    let restored = try SynchronousMessageStore(path: path("link.db"))
    defer { restored.close() }
    #expect(try restored.check().problems == [])
    #expect(
      try files.contentsOfDirectory(atPath: path("deep")).filter {
        !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
      }
      .sorted() == ["copy.db", "copy.db.attachments", "real.db", "real.db.attachments"])
  }

  // MARK: Strange files and locks

  @Test(arguments: ["", "-wal", "-shm", "-journal"])
  func `a pipe in the place of a store or beside it is refused at once`(suffix: String) throws {
    temporary.store.close()
    for name in [path + suffix, path + suffix + "x"] { unlink(name) }
    try #require(mkfifo(path + suffix, 0o600) == 0)
    for access in [StoreOptions.Access.readOnly, .readWrite, .create] {
      let error = #expect(throws: StoreError.self) {
        try SynchronousMessageStore(path: path, options: StoreOptions(access: access))
      }
      #expect(error?.kind == .notAStore && error?.cause?.contains("a pipe") == true)
    }
  }

  @Test
  func `who holds the folder locked keeps nobody from a store, and has who would make one give up`() throws {
    temporary.store.close()
    let lock = open(temporary.folder.path, O_RDONLY | O_CLOEXEC)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let store = try temporary.another()
    try store.append([NewMessage("in time")], to: room)
    store.close()
    let error = #expect(throws: StoreError.self) {
      try SynchronousMessageStore(path: path("new.db"), options: StoreOptions(busyTimeout: .milliseconds(50)))
    }
    #expect(error?.kind == .busy)
    #expect(error?.cause?.contains("locked") == true)
  }

  @Test func `others who can read a store are remarked on, and nobody else`() throws {
    #expect(temporary.store.exposure == nil)
    try #require(chmod(path, 0o644) == 0)
    #expect(temporary.store.exposure == nil)  // Its folder is its owner's alone.
    try #require(chmod(temporary.folder.path, 0o755) == 0)
    #expect(temporary.store.exposure?.hasPrefix("other users can read") == true)
    try #require(chmod(path, 0o600) == 0)
    #expect(temporary.store.exposure == nil)
    try #require(chmod(path, 0o640) == 0)
    #expect(temporary.store.exposure != nil)
  }
}
