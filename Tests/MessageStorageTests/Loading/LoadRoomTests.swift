import HistoryModel
import MessageModel
import Synchronization
import Testing

@testable import MessageStorage

@Suite struct LoadRoomTests {
  private func batch(_ number: Int) -> ImportBatch {
    var batch = ImportBatch()
    for minute in 0..<2 {
      batch.add("line \(number) \(minute)", at: MessageStorageTests.minute(2 * number + minute))
    }
    return batch
  }

  private func logPageCount(of store: SynchronousMessageStore) throws -> Int64? {
    try store.writing("cannot look") { try RawStatement.number($0, "PRAGMA wal_autocheckpoint") }
  }

  @Test func `a load that an error ends gives its connection the usual log back`() throws {
    let temporary = try TemporaryStore(
      options: StoreOptions(durability: .process, busyTimeout: .milliseconds(1)))
    let usual = try logPageCount(of: temporary.store)
    do {
      let load = try BulkImport(into: temporary.store, .test)
      for number in 0..<2 { try load.add(batch(number)) }
      #expect(try logPageCount(of: temporary.store) != usual)
      let lock = try WriteLock(of: temporary.store.path)
      #expect(throws: StoreError.self) { try load.add(batch(2)) }
      try lock.release()
    }
    #expect(try logPageCount(of: temporary.store) == usual)
  }

  @Test func `a load that is paused or finished gives its connection the usual log back`() throws {
    let temporary = try TemporaryStore()
    let usual = try logPageCount(of: temporary.store)
    let load = try BulkImport(into: temporary.store, .test)
    for number in 0..<2 { try load.add(batch(number)) }
    _ = try load.pause()
    #expect(try logPageCount(of: temporary.store) == usual)
    for number in 2..<4 { try load.add(batch(number)) }
    #expect(try logPageCount(of: temporary.store) != usual)
    #expect(try load.finish().addedCount == 8)
    #expect(try logPageCount(of: temporary.store) == usual)
  }

  @Test func `a load of new conversations has less room than one that goes on with many`() throws {
    let temporary = try TemporaryStore()
    func batch(_ names: Range<Int>, _ number: Int) -> ImportBatch {
      var batch = ImportBatch()
      for name in names { batch.add("line", at: MessageStorageTests.minute(number), in: "\(name)") }
      return batch
    }
    let load = try BulkImport(into: temporary.store, .test)
    let rooms = Mutex<[String]>([])
    try temporary.store.writing("cannot look") { db in
      db.trace { event in
        let sql = "\(event)"
        if sql.hasPrefix("PRAGMA cache_size"), !sql.hasSuffix("-\(StoreOptions.cacheKiB)") {
          rooms.withLock { $0.append(sql) }
        }
      }
    }
    for (number, names) in [0..<120, 120..<240, 0..<240, 0..<240].enumerated() {
      try load.add(batch(names, number))
    }
    let sizes = rooms.withLock { $0 }.compactMap { Int($0.drop { $0 != "-" }) }
    try #require(sizes.count == 4)
    #expect(sizes[1] > sizes[0] && sizes[2] == sizes[1] && sizes[3] == sizes[0])
    _ = try load.finish()
  }
}
