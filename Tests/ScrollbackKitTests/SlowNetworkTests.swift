import Foundation
import ScrollbackKit
import Testing

/// The example `Examples/SlowNetwork`, whose server and client these are, with fewer messages.
@Suite struct SlowNetworkTests {
  @Test func `a client that is cut off five times has exactly the server's messages, in its order`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "scrollback-slow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = SlowServer(count: 2_000)
    let life = Life(path: folder.appending(path: "slow.db").path, server: server, newest: 40, sends: 12)
    for number in 1...5 {
      let client = try await life.live(steps: number * 3)
      // Three answers bring 1,500 at most.
      let gaps = try await client.store.gaps(of: client.room)
      #expect(number > 1 || !gaps.isEmpty)
    }
    await server.beKind()
    let client = try await life.live(steps: nil)
    #expect(try await client.texts == server.texts)
    #expect(await server.texts.count == 2_012)
    await client.store.close()
  }
}
