import Foundation
import ShellTesting
import TestSupport
import Testing

/// Imports from a script that is killed again and again.
struct KilledImportTests {
  /// Ten million messages in the long form.
  private static let fileCount = isLong ? 200 : 40
  private static let messagesPerFile = isLong ? 50_000 : 250

  /// Writes a log a day, and returns the script that imports them all.
  private func script(in fixture: ShellFixture) throws -> String {
    try (0..<Self.fileCount).map { day in
      let file = fixture.folder.appendingPathComponent("day\(day).jsonl")
      let start = 1_717_200_000 + day * 86_400
      let format = ISO8601DateFormatter()
      let lines = (0..<Self.messagesPerFile).map { index in
        // Three a minute, or forty: all are of one day.
        let minute = index * min(1_440, Self.messagesPerFile / 3) / Self.messagesPerFile
        let time = format.string(from: Date(timeIntervalSince1970: TimeInterval(start + minute * 60)))
        return """
          {"conversation":"log","time":"\(time)","precision":"minute","sender":"s\(index % 7)","text":"\(index % 11)"}

          """
      }
      try lines.joined().write(to: file, atomically: true, encoding: .utf8)
      return "/import \(file.path)\n"
    }.joined()
  }

  /// Runs the script until it has told of `count` files, and kills it while it reads on.
  private func run(_ script: String, in fixture: ShellFixture, killedAfter count: Int) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = ["-c", "general"]
    process.environment = fixture.environment
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

  private func total(of fixture: ShellFixture) throws -> Int? {
    let line = try fixture.run(["conversations", "--json", "-c", "log"]).output
    return line.split(separator: "\"messages\":").last.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  @Test func `a script of imports that is killed five times and run again ends as if it never was`() throws {
    let whole = try ShellFixture(count: 1)
    let killed = try ShellFixture(count: 1)
    #expect(try whole.run(["-c", "general"], input: try script(in: whole)).status == 0)
    let script = try script(in: killed)
    for count in (isLong ? [15, 5, 40, 75, 110] : [3, 1, 8, 15, 22]) {
      try run(script, in: killed, killedAfter: count)
    }
    #expect(try killed.run(["-c", "general"], input: script).status == 0)
    let exports = try [whole, killed].map { fixture in
      let path = fixture.folder.appendingPathComponent("log.txt").path
      try fixture.run(["export", "-c", "log", "--format", "text", "-o", path])
      return path
    }
    #expect(FileManager.default.contentsEqual(atPath: exports[0], andPath: exports[1]))
    #expect(try total(of: whole) == Self.fileCount * Self.messagesPerFile)
    #expect(try killed.run(["check"]).status == 0)
  }
}
