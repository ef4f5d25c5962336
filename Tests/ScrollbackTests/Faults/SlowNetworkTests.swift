import Foundation
import TestSupport
import Testing

/// The example `Examples/SlowNetwork`: an app whose process is killed while it reads and sends over a bad link.
@Suite struct SlowNetworkTests {
  @Test(arguments: isLong ? [(100_000, 1), (2_000, 2), (2_000, 3)] : [(2_000, 1)])
  func `a client that is killed five times has exactly the server's messages, in its order`(
    count: Int, seed: Int
  ) async throws {
    let lines = try await Self.output(["\(count)", "\(seed)"])
    #expect(lines.first == "\(count) messages, seed \(seed)")
    #expect(lines.count == 7 && lines[1].hasSuffix("not all"))
    let sent = min(count / 20, 100)
    #expect(lines.last == "life 6: \(count + sent) messages, as the server has them")
  }

  private static func output(_ arguments: [String]) async throws -> [String] {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "SlowNetwork"))
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    // Its end would otherwise be waited for on one of the threads of all tests.
    let output = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: pipe.fileHandleForReading.readDataToEndOfFile())
      }
    }
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
