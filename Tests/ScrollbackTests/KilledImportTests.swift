import Foundation
import TestSupport
import Testing

/// Imports from a script that is killed again and again.
struct KilledImportTests {
  private static let fileCount = 40
  private static let messagesPerFile = 250

  /// Writes a log a day, and returns the script that imports them all.
  private func script(in desk: Desk) throws -> String {
    try (0..<Self.fileCount).map { day in
      let file = desk.folder.appendingPathComponent("day\(day).jsonl")
      let start = 1_717_200_000 + day * 86_400
      let lines = (0..<Self.messagesPerFile).map { index in
        let time = ISO8601DateFormatter().string(
          from: Date(timeIntervalSince1970: TimeInterval(start + index / 3 * 60)))
        return """
          {"conversation":"log","time":"\(time)","precision":"minute","sender":"s\(index % 7)","text":"\(index % 11)"}

          """
      }
      try lines.joined().write(to: file, atomically: true, encoding: .utf8)
      return "/import \(file.path)\n"
    }.joined()
  }

  /// Runs the script until it has told of `count` files, and kills it while it reads on.
  private func run(_ script: String, in desk: Desk, killedAfter count: Int) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = ["-c", "general"]
    process.environment = desk.environment
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (
      input, output, FileHandle.nullDevice
    )
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    var seen = 0
    while seen < count {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      seen += data.count { $0 == 0x0A }
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(seen >= count)
  }

  @Test func `a script of imports that is killed five times and run again ends as if it never was`() throws {
    let whole = try Desk(count: 1)
    let killed = try Desk(count: 1)
    #expect(try whole.run(["-c", "general"], input: try script(in: whole)).status == 0)
    let script = try script(in: killed)
    for count in [3, 1, 8, 15, 22] { try run(script, in: killed, killedAfter: count) }
    #expect(try killed.run(["-c", "general"], input: script).status == 0)
    let expected = try whole.run(["export", "-c", "log", "--format", "text"]).output
    #expect(expected.split(separator: "\n").count == Self.fileCount * Self.messagesPerFile)
    #expect(try killed.run(["export", "-c", "log", "--format", "text"]).output == expected)
    #expect(try killed.run(["check"]).status == 0)
  }
}
