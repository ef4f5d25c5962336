import Foundation
import MessageSourceTesting
import ScrollbackKit

/// `SlowNetwork [MESSAGES [SEED]]`: scrolls through the messages of a server, of which 2 % are local, sends 100, and is killed five times.
@main struct SlowNetwork {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "client" { return try await live(Array(arguments)) }
    let numbers = arguments.compactMap { Int($0) }
    let (count, seed) = (
      max(numbers.first ?? 100_000, 50), numbers.dropFirst().first ?? .random(in: 0..<1_000_000)
    )
    print("\(count) messages, seed \(seed)")
    let folder = FileManager.default.temporaryDirectory.appending(path: "SlowNetwork-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "sent.txt"))
    var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: seed))
    for life in 1...6 {
      let limit = life == 6 ? Int.max : Int.random(in: 40...200 + count / 100, using: &random)
      try run(["client", folder.path, "\(count)", "\(seed)", "\(life)"], killingAt: limit)
      let store = try await MessageStore(url: folder.appending(path: "store.db"))
      let page = try await store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: .max))
      let server = try await SlowServer(in: folder, count, seed: seed, life: life)
      let isSame = await page.messages.map(\.text) == server.items.map(\.text)
      print("life \(life): \(page.messages.count) messages,", isSame ? "as the server has them" : "not all")
      await store.close()
    }
  }

  /// The life of a client, a process of its own.
  private static func live(_ arguments: [String]) async throws {
    let (folder, numbers) = (URL(filePath: arguments[1]), arguments.dropFirst(2).compactMap { Int($0) })
    let server = try await SlowServer(in: folder, numbers[0], seed: numbers[1], life: numbers[2])
    while true {
      do {
        let client = try await SlowClient(in: folder, of: server, newest: numbers[0] / 50)
        return try await client.live(sends: min(numbers[0] / 20, 100))
      } catch is SlowServer.LinkDown {}
    }
  }

  /// Runs this program again, and kills it when so many questions and answers have gone over the link.
  private static func run(_ arguments: [String], killingAt limit: Int) throws {
    let (process, output) = (Process(), Pipe())
    (process.executableURL, process.arguments) = (Bundle.main.executableURL, arguments)
    process.standardOutput = output
    try process.run()
    var count = 0
    while case let dots = output.fileHandleForReading.availableData, !dots.isEmpty {
      count += dots.count
      if count >= limit { kill(process.processIdentifier, SIGKILL) }
    }
    process.waitUntilExit()
  }
}
