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
    let desk = try Desk(count: 2)
    #expect(try desk.runProcess(["export", "-o", name]).output == (try desk.run(["export"]).output))
  }

  @Test func `a name of one letter is as good as any`() throws {
    let desk = try Desk(count: 2)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = ["export", "-o", "x", "--attachments", "f"]
    process.environment = desk.environment
    process.currentDirectoryURL = desk.folder
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try text(desk.folder.path + "/x").hasSuffix("message 2\n"))
  }

  @Test(arguments: ["text", "jsonl"], [SIGINT, SIGTERM])
  func `an export to a file that is ended leaves nothing behind`(format: String, number: Int32) throws {
    let desk = try Desk(count: 1)
    let files = FileManager.default
    let folder = desk.folder.path + "/out"
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/f"))
    let gate = try Gate(desk)
    let terminal = try desk.start(
      ["export", "--format", format, "-o", folder + "/f", "--attachments", folder + "/files"], columns: 200)
    for _ in 0..<60_000 {
      if files.fileExists(atPath: folder + "/files") { break }
      usleep(500)
    }
    #expect(try files.contentsOfDirectory(atPath: folder).count == 3)
    terminal.signal(number)
    if number == SIGINT { gate.open() }
    #expect(try terminal.waitForExit() == (number == SIGINT ? 130 : 128 + number))
    #expect(try files.contentsOfDirectory(atPath: folder).sorted() == ["f", "files"])
    #expect(try files.contentsOfDirectory(atPath: folder + "/files") == [])
    #expect(try text(folder + "/f") == "old")
    let isTold = terminal.screen.contains("stopped: nothing is written to '\(folder)/f'")
    #expect(isTold == (number == SIGINT))
  }

  /// An attached file that takes whoever reads it for ever: it is as large as files can be, all of it a hole.
  private struct Gate {
    private let file: String

    init(_ desk: Desk) throws {
      let large = desk.folder.path + "/large"
      try Data(count: 150_000).write(to: URL(fileURLWithPath: large))
      let line = try desk.run(["export", "--format", "jsonl"]).output
      try desk.run(["attach", String(line.dropFirst(7).prefix { $0 != "\"" }), large])
      let contents = desk.store + ".attachments"
      let all = try #require(FileManager.default.enumerator(atPath: contents)?.allObjects as? [String])
      file = contents + "/" + (try #require(all.first { $0.count > 60 }))
      try #require(truncate(file, 1 << 40) == 0)
      let store = try DatabaseQueue(path: desk.store)
      try store.write { try $0.execute(sql: "UPDATE content SET bytes = 1 << 40") }
      try store.close()
    }

    /// Has whoever reads it go on.
    func open() { truncate(file, 0) }
  }
}
