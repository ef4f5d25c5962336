import Foundation
import GRDB
import ShellTesting
import TestSupport
import Testing

/// What `export -o` does where a process matters: its standard output, its folder and the signals that end it.
@Suite(.serialized) struct OutputFileTests {
  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test(arguments: ["-", "/dev/stdout"])
  func `standard output may be named`(name: String) throws {
    let fixture = try ShellFixture(count: 2)
    #expect(try fixture.runProcess(["export", "-o", name]).output == (try fixture.run(["export"]).output))
  }

  @Test func `a name of one letter is as good as any`() throws {
    let fixture = try ShellFixture(count: 2)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = ["export", "-o", "x", "--attachments", "f"]
    process.environment = fixture.environment
    process.currentDirectoryURL = fixture.folder
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try text(fixture.folder.path + "/x").hasSuffix("message 2\n"))
  }

  @Test(arguments: ["text", "jsonl"], [SIGINT, SIGTERM])
  func `an export to a file that is ended leaves nothing behind`(format: String, number: Int32) throws {
    let fixture = try ShellFixture(count: 1)
    let files = FileManager.default
    let folder = fixture.folder.path + "/out"
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/f"))
    let gate = try Gate(fixture)
    let terminal = try fixture.start(
      ["export", "--format", format, "-o", folder + "/f", "--attachments", folder + "/files"], columns: 200)
    while !files.fileExists(atPath: folder + "/files") { usleep(500) }
    #expect(try files.contentsOfDirectory(atPath: folder).count == 3)
    terminal.signal(number)
    if number == SIGINT { gate.open() }
    #expect(terminal.waitForExit() == (number == SIGINT ? 130 : 128 + number))
    #expect(try files.contentsOfDirectory(atPath: folder).sorted() == ["f", "files"])
    #expect(try files.contentsOfDirectory(atPath: folder + "/files") == [])
    #expect(try text(folder + "/f") == "old")
    let isTold = terminal.screen.contains("stopped: nothing is written to '\(folder)/f'")
    #expect(isTold == (number == SIGINT))
  }

  /// An attached file that takes whoever reads it for ever: it is as large as files can be, all of it a hole.
  private struct Gate {
    private let file: String

    init(_ fixture: ShellFixture) throws {
      let large = fixture.folder.path + "/large"
      try Data(count: 150_000).write(to: URL(fileURLWithPath: large))
      let line = try fixture.run(["export", "--format", "jsonl"]).output
      try fixture.run(["attach", String(line.dropFirst(7).prefix { $0 != "\"" }), large])
      let contents = fixture.store + ".attachments"
      let all = try #require(FileManager.default.enumerator(atPath: contents)?.allObjects as? [String])
      file = contents + "/" + (try #require(all.first { $0.count > 60 }))
      try #require(truncate(file, 1 << 40) == 0)
      let store = try DatabaseQueue(path: fixture.store)
      try store.write { try $0.execute(sql: "UPDATE content SET bytes = 1 << 40") }
      try store.close()
    }

    /// Has whoever reads it go on.
    func open() { truncate(file, 0) }
  }
}
