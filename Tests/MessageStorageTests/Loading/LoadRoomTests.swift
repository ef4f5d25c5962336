import MessageModel
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
}
