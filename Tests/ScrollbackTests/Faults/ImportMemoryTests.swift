#if os(Linux)
  import Foundation
  import ShellTesting
  import TestSupport
  import Testing

  /// What an import holds in memory, by the figures of its process.
  struct ImportMemoryTests {
    @Test func `a record that is too long is not held in memory`() throws {
      let fixture = try ShellFixture(count: 0)
      let start = #"{"conversation":"c","time":"2024-02-29T10:00:00Z","sender":"ann","text":""#
      let long = String(repeating: "a", count: 100 << 20)
      for (name, text) in [
        ("small.jsonl", "\(start)x\"}\n"), ("long.jsonl", "\(start)\(long)\"}\n\(start)x\"}\n"),
        ("long.json", "[\(start)\(long)\"},\(start)x\"}]\n"),
      ] {
        try Data(text.utf8).write(to: fixture.folder.appendingPathComponent(name))
      }
      let least = try peak(ofImporting: "small.jsonl", fixture)
      for name in ["long.jsonl", "long.json"] {
        #expect(try peak(ofImporting: name, fixture) < least + 24 << 10, "KiB, of \(name)")
      }
    }

    /// The most memory that the program has had, in KiB, when it has read a file and waits for what comes after it.
    private func peak(ofImporting name: String, _ fixture: ShellFixture) throws -> Int {
      let pipe = fixture.folder.appendingPathComponent("\(UUID().uuidString).pipe").path
      try #require(mkfifo(pipe, 0o600) == 0)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
      process.arguments = ["import", "--quiet", fixture.folder.appendingPathComponent(name).path, pipe]
      process.environment = fixture.environment
      process.standardError = FileHandle.nullDevice
      try process.run()
      // Opening waits for the reader, who has come to the end of the file before.
      let end = try #require(FileHandle(forWritingAtPath: pipe))
      let facts = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      try end.close()
      process.waitUntilExit()
      let line = try #require(facts.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.filter(\.isNumber)))
    }
  }
#endif
