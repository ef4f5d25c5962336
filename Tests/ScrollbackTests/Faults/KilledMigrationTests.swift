import Foundation
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// Stores of form 1 whose way to form 2 is cut off by a kill.
struct KilledMigrationTests {
  private func messageCount(_ path: String, _ access: StoreOptions.Access) throws -> Int {
    let store = try SynchronousMessageStore(
      path: path, options: StoreOptions(access: access, durability: .process))
    defer { store.close() }
    if access != .readOnly { #expect(try store.check().problems == []) }
    return try store.statistics().messageCount
  }

  @Test
  func
    `a migration that is killed in any piece, or between two, leaves a store that the next one goes on with`()
    throws
  {
    let old = GoldenFile.root.appending(path: "Fixtures/stores/schema-1.db").path
    var (step, status) = (0, SIGKILL)
    while status == SIGKILL {
      step += 1
      let fixture = try FailingStoreFixture()
      let path = fixture.path("s.db")
      try FileManager.default.copyItem(atPath: old, toPath: path)
      status = try fixture.stopping(at: step, ["migrate", path])
      #expect(try messageCount(path, .readOnly) == 1_261, "step \(step)")
      // Another one is killed one step later, where the first has left off.
      if status == SIGKILL { #expect(try fixture.stopping(at: 2, ["migrate", path]) <= SIGKILL) }
      #expect(try messageCount(path, .readWrite) == 1_261, "step \(step)")
    }
    // Within each of the four pieces, before each index, and at the end.
    #expect(status == 0 && step > 8)
  }
}
