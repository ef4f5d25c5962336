import Foundation
import GRDB
import TestSupport
import Testing

/// What `export -o` does to what is there already.
@Suite(.serialized) struct OutputFileTests {
  private func facts(_ path: String) throws -> stat {
    var facts = stat()
    try #require(lstat(path, &facts) == 0, "\(path)")
    return facts
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func `a file that is there keeps its mode, and a new one is its owner's alone`() throws {
    let desk = try Desk(count: 2)
    let (old, new) = (desk.folder.path + "/old.txt", desk.folder.path + "/new.txt")
    try Data("old".utf8).write(to: URL(fileURLWithPath: old))
    try #require(chmod(old, 0o644) == 0)
    for path in [old, new] {
      #expect(try desk.run(["export", "-o", path]).status == 0)
      #expect(try text(path).hasSuffix("bob  message 2\n"))
    }
    #expect(try facts(old).st_mode & 0o7777 == 0o644)
    #expect(try facts(new).st_mode & 0o7777 == 0o600)
  }

  @Test func `symbolic links stay, and what they lead to is written`() throws {
    let desk = try Desk(count: 2)
    let files = FileManager.default
    let folder = desk.folder.path
    try files.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/sub/there"))
    try files.createSymbolicLink(atPath: folder + "/sub/middle", withDestinationPath: "there")
    try files.createSymbolicLink(atPath: folder + "/first", withDestinationPath: "sub/middle")
    try files.createSymbolicLink(atPath: folder + "/dangling", withDestinationPath: "sub/made")
    try files.createSymbolicLink(atPath: folder + "/circle", withDestinationPath: "circle")
    #expect(try desk.run(["export", "-o", folder + "/first"]).status == 0)
    #expect(try desk.run(["export", "-o", folder + "/dangling"]).status == 0)
    #expect(try desk.run(["export", "-o", folder + "/circle"]).status == 73)
    for link in ["first", "sub/middle", "dangling", "circle"] {
      #expect(try facts(folder + "/" + link).st_mode & S_IFMT == S_IFLNK, "\(link)")
    }
    for file in ["there", "made"] { #expect(try text("\(folder)/sub/\(file)").hasSuffix("message 2\n")) }
    #expect(try files.contentsOfDirectory(atPath: folder + "/sub").sorted() == ["made", "middle", "there"])
  }

  @Test func `a pipe is written straight, and a folder is refused`() throws {
    let desk = try Desk(count: 2)
    let pipe = desk.folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    // Open for both, so that nobody waits for the other.
    let reader = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    #expect(try desk.run(["export", "-o", pipe, "--limit", "1"]).status == 0)
    var bytes = [UInt8](repeating: 0, count: 1_000)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "2024-05-01 00:00:00  alice  message 1\n")
    #expect(try facts(pipe).st_mode & S_IFMT == S_IFIFO)
    let refused = try desk.run(["export", "-o", desk.folder.path])
    #expect(refused.status == 73 && refused.errors.contains("Is a directory"))
  }

  @Test(arguments: ["-", "/dev/stdout"])
  func `standard output may be named`(name: String) throws {
    let desk = try Desk(count: 2)
    #expect(try desk.run(["export", "-o", name]).output == (try desk.run(["export"]).output))
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
