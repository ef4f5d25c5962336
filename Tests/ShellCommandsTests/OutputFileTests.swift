import Foundation
import ShellTesting
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
    let fixture = try ShellFixture(count: 2)
    let (old, new) = (fixture.folder.path + "/old.txt", fixture.folder.path + "/new.txt")
    try Data("old".utf8).write(to: URL(fileURLWithPath: old))
    try #require(chmod(old, 0o644) == 0)
    for path in [old, new] {
      #expect(try fixture.run(["export", "-o", path]).status == 0)
      #expect(try text(path).hasSuffix("bob  message 2\n"))
    }
    #expect(try facts(old).st_mode & 0o7777 == 0o644)
    #expect(try facts(new).st_mode & 0o7777 == 0o600)
  }

  @Test func `symbolic links stay, and what they lead to is written`() throws {
    let fixture = try ShellFixture(count: 2)
    let files = FileManager.default
    let folder = fixture.folder.path
    try files.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/sub/there"))
    try files.createSymbolicLink(atPath: folder + "/sub/middle", withDestinationPath: "there")
    try files.createSymbolicLink(atPath: folder + "/first", withDestinationPath: "sub/middle")
    try files.createSymbolicLink(atPath: folder + "/dangling", withDestinationPath: "sub/made")
    try files.createSymbolicLink(atPath: folder + "/circle", withDestinationPath: "circle")
    #expect(try fixture.run(["export", "-o", folder + "/first"]).status == 0)
    #expect(try fixture.run(["export", "-o", folder + "/dangling"]).status == 0)
    #expect(try fixture.run(["export", "-o", folder + "/circle"]).status == 73)
    for link in ["first", "sub/middle", "dangling", "circle"] {
      #expect(try facts(folder + "/" + link).st_mode & S_IFMT == S_IFLNK, "\(link)")
    }
    for file in ["there", "made"] { #expect(try text("\(folder)/sub/\(file)").hasSuffix("message 2\n")) }
    #expect(try files.contentsOfDirectory(atPath: folder + "/sub").sorted() == ["made", "middle", "there"])
  }

  @Test func `a pipe is written straight, and a folder is refused`() throws {
    let fixture = try ShellFixture(count: 2)
    let pipe = fixture.folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    // Open for both, so that nobody waits for the other.
    let reader = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    #expect(try fixture.run(["export", "-o", pipe, "--limit", "1"]).status == 0)
    var bytes = [UInt8](repeating: 0, count: 1_000)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "2024-05-01 00:00:00  alice  message 1\n")
    #expect(try facts(pipe).st_mode & S_IFMT == S_IFIFO)
    let refused = try fixture.run(["export", "-o", fixture.folder.path])
    #expect(refused.status == 73 && refused.errors.contains("Is a directory"))
  }
}
