import Foundation
import ScrollbackKit

/// Scrolls through 100,000 messages of a server of which 2 % are local, sends 100, and is cut off five times.
@main struct SlowNetwork {
  static func main() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).db").path
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let server = SlowServer(count: 100_000)
    let life = Life(path: path, server: server, newest: 2_000, sends: 100)
    for number in 1...5 {
      // The client is left as it is, in the middle of what it does: no store is closed, no load ended.
      let client = try await life.live(steps: number * 10)
      print(
        "life \(number): \(try await client.texts.count) messages, gaps: \(try await client.store.gaps(of: client.room).count)"
      )
    }
    await server.beKind()
    let client = try await life.live(steps: nil)
    let (own, expected) = (try await client.texts, await server.texts)
    print(own == expected ? "all \(own.count) messages, in the server's order" : "they differ")
    await client.store.close()
  }
}
