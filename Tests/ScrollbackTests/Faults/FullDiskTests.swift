#if os(Linux)
  import Foundation
  import GRDB
  import MessageModel
  import MessageStorage
  import Testing

  /// Attaching and moving when the disk is full in the middle.
  @Suite(.enabled(if: SmallDisk.isAvailable, "a disk that is small enough is mounted by root only"))
  struct FullDiskTests {
    private let disk: SmallDisk

    init() throws { disk = try SmallDisk(megabytes: 6) }

    private func path(_ name: String) -> String { "\(disk.path)/\(name)" }

    /// What is left of files that were being written.
    private func leftovers() -> [String] {
      let all = FileManager.default.enumerator(atPath: disk.path)?.allObjects as? [String] ?? []
      return all.filter { $0.contains("incoming-") || $0.hasSuffix(".part") }
    }

    @Test func `a store on a disk that is full is read`() throws {
      let made = try SynchronousMessageStore(path: path("s.db"))
      let room = try made.makeConversation(named: "general").id
      try made.append([NewMessage("x"), NewMessage("y")], to: room)
      made.close()
      try disk.fill(leaving: 0)
      for readerCount in [1, 2] {
        let store = try SynchronousMessageStore(
          path: path("s.db"), options: StoreOptions(access: .readOnly, readerCount: readerCount))
        defer { store.close() }
        #expect(try store.page(PageRequest(.everything)).messages.map(\.text) == ["x", "y"])
      }
      let error = #expect(throws: StoreError.self) {
        try SynchronousMessageStore(path: path("s.db")).append([NewMessage("z")], to: room)
      }
      #expect(error?.cause == "the disk is full")
    }

    /// Room for nothing, for a part of a file, for the files but not for the rows, for all.
    private static let rooms = [
      0, 4_096, 20_000, 250_000, 330_000, 610_000, 640_000, 660_000, 700_000, 2_000_000,
    ]

    @Test(arguments: rooms)
    func `a disk that is full while files are attached leaves all of them attached or none`(room: Int) throws
    {
      let store = try SynchronousMessageStore(path: path("s.db"))
      defer { store.close() }
      let place = try store.makeConversation(named: "general").id
      let kept = FailingStoreFixture.bytes(150_000, 9)
      let ids = try store.append(
        [NewMessage("x", files: [NewAttachment(kept, name: "kept")]), NewMessage("y")], to: place)
      let files = [
        NewAttachment(FailingStoreFixture.bytes(300_000, 1), name: "a"),
        .init(FailingStoreFixture.bytes(310_000, 2), name: "b"),
      ]
      try disk.fill(leaving: room)
      do throws(StoreError) {
        #expect(try store.attach(files, to: ids[1]).count == 2)
      } catch {
        #expect(error.kind == .inputOutput && "\(error)".contains("full"), "\(error)")
        #expect(try store.attachments(of: ids[1]).isEmpty)
        #expect(room < 2_000_000)
      }
      #expect(leftovers() == [])
      #expect(try store.content(try #require(try store.attachments(of: ids[0])[0].sha256)) == kept)
      #expect(try store.check().problems == [])
      disk.makeRoom()
      #expect(try store.attach(files, to: ids[1]).suffix(2).map(\.name) == ["a", "b"])
      #expect(try store.check().problems == [])
    }

    @Test(arguments: rooms)
    func `a disk that is full while contents are moved out of rows loses none, and moving goes on later`(
      room: Int
    )
      throws
    {
      let contents = (1...3).map { FailingStoreFixture.bytes(300_000, $0) }
      _ = try FailingStoreFixture.makeStore(at: path("s.db"), holding: contents)
      let store = try SynchronousMessageStore(path: path("s.db"))
      defer { store.close() }
      func checkContents() throws {
        store.releaseContents()
        for content in contents { #expect(try store.content(ContentKey(of: content).description) == content) }
        #expect(try store.check().problems == [])
        #expect(leftovers() == [])
      }
      try disk.fill(leaving: room)
      do throws(StoreError) {
        #expect(try store.moveContents().contentCount == 3)
      } catch {
        #expect(error.kind == .inputOutput && "\(error)".contains("full"), "\(error)")
        #expect(room < 2_000_000)
      }
      try checkContents()
      disk.makeRoom()
      try store.moveContents()
      #expect(try store.movableContents().isEmpty)
      try checkContents()
    }

    @Test func `a disk that is full while the backup is made leaves no part of it and moves nothing`() throws
    {
      // Made elsewhere: a process that another test starts at this moment holds the log that is removed, and its room with it,
      // until it is on its way.
      let elsewhere = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: elsewhere) }
      let original = elsewhere.appending(path: "s.db").path
      _ = try FailingStoreFixture.makeStore(at: original, holding: [FailingStoreFixture.bytes(900_000, 1)])
      let source = try SynchronousMessageStore(path: original)
      try source.backup(to: path("s.db"))
      source.close()
      let store = try SynchronousMessageStore(path: path("s.db"))
      defer { store.close() }
      try disk.fill(leaving: 400_000)
      let before = try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
      let error = #expect(throws: StoreError.self) { try store.backupBeforeMoving() }
      #expect(error?.kind == .inputOutput, "\(error as Any)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == before)
      #expect(try store.check().problems == [])
    }

    @Test(arguments: rooms)
    func `a disk that is full while a foreign table is moved leaves each value in its row or in the store`(
      room: Int
    )
      throws
    {
      let contents = (1...3).map { FailingStoreFixture.bytes(300_000, $0) }
      let cards = try FailingStoreFixture.makeTable(at: path("cards.db"), holding: contents)
      let store = try SynchronousMessageStore(path: path("s.db"))
      defer { store.close() }
      let place = try store.makeConversation(named: "card").id
      let table = ForeignTable(path: path("cards.db"), table: "card", column: "picture")
      try disk.fill(leaving: room)
      do throws(StoreError) {
        _ = try ForeignTableMove(table).run(into: store, place, keeps: false) { _ in true }
      } catch {
        #expect(error.kind == .inputOutput && "\(error)".contains("full"), "\(error)")
        #expect(room < 2_000_000)
      }
      let left = try cards.read { try Data.fetchAll($0, sql: "SELECT picture FROM card ORDER BY id") }
      for (value, content) in zip(left, contents) {
        let kept = try value.isEmpty ? store.content(ContentKey(of: content).description) : Array(value)
        #expect(kept == content)
      }
      #expect(leftovers() == [])
      #expect(try store.check().problems == [])
      disk.makeRoom()
      _ = try ForeignTableMove(table).run(into: store, place, keeps: false) { _ in true }
      #expect(try store.statistics().messageCount == 3)
      for content in contents { #expect(try store.content(ContentKey(of: content).description) == content) }
    }
  }
#endif
