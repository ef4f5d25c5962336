import Foundation
import MessageStorage
import TestSupport
import Testing

/// Stores of earlier forms whose way to the present one is cut off by a kill.
struct KilledMigrationTests {
  private func messageCount(_ path: String, _ access: StoreOptions.Access) throws -> Int {
    let store = try SynchronousMessageStore(
      path: path, options: StoreOptions(access: access, durability: .process))
    defer { store.close() }
    if access != .readOnly { #expect(try store.check().problems == []) }
    return try store.statistics().messageCount
  }

  /// The number of messages in a store among the fixtures, looked at in a copy: reading leaves files beside it.
  private func original(_ path: String) throws -> Int {
    let fixture = try FailingStoreFixture()
    try FileManager.default.copyItem(atPath: path, toPath: fixture.path("s.db"))
    return try messageCount(fixture.path("s.db"), .readOnly)
  }

  @Test(arguments: [(1, 8), (4, 1)])
  func
    `a migration that is killed in any piece, or between two, leaves a store that the next one goes on with`(
      form: Int, leastSteps: Int
    ) throws
  {
    let old = GoldenFile.root.appending(path: "Fixtures/stores/schema-\(form).db").path
    let count = try original(old)
    var (step, status) = (0, SIGKILL)
    while status == SIGKILL {
      step += 1
      let fixture = try FailingStoreFixture()
      let path = fixture.path("s.db")
      try FileManager.default.copyItem(atPath: old, toPath: path)
      status = try fixture.stopping(at: step, ["migrate", path])
      #expect(try messageCount(path, .readOnly) == count, "step \(step)")
      // Another one is killed one step later, where the first has left off.
      if status == SIGKILL { #expect(try fixture.stopping(at: 2, ["migrate", path]) <= SIGKILL) }
      #expect(try messageCount(path, .readWrite) == count, "step \(step)")
    }
    // Within each of the four pieces, before each index, and at the end; from form 4 on there is one piece.
    #expect(status == 0 && step > leastSteps)
  }
}
