import Foundation
import ShellTesting
import TestSupport
import Testing

/// `sync` between two stores of this computer, with a script in the place of ssh.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rsync"), "rsync is not installed"))
struct SyncTests {
  private let fixture: ShellFixture

  init() throws {
    fixture = try ShellFixture(count: 20)
    // As ssh does: options, the name of a computer, and words that a shell there reads.
    let script = """
      #!/bin/sh
      while [ "${1#-}" != "$1" ]; do [ "$1" = -l ] && shift; shift; done
      shift
      exec /bin/sh -c "$*"

      """
    try script.write(toFile: path("rsh"), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path("rsh"))
    try FileManager.default.createDirectory(atPath: path("Ann's other"), withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { fixture.folder.path + "/" + name }
  /// The store of the other computer, in a folder whose name a shell would part.
  private var other: String { path("Ann's other/store.db") }

  private func sync(_ more: String...) throws -> ShellFixture.Answer {
    try fixture.run(
      [
        "sync", "-e", path("rsh"), "--program", BuiltProduct.folder.path + "/scrollback",
        "elsewhere:\(other)",
      ] + more)
  }

  private func append(_ text: String, in store: String) throws {
    let answer = try fixture.run(["append", "-s", store, "-c", "general", "--from", "carol", text])
    try #require(answer.status == 0, "\(answer.errors)")
  }

  private func history(of store: String) throws -> String {
    try fixture.run(["export", "--json", "-s", store]).output
  }

  private func leftovers() throws -> [String] {
    let names =
      FileManager.default.enumerator(atPath: fixture.folder.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".sync") || $0.contains(".part-") }
  }

  @Test func `a store is made where there is none, and then whichever went on is on both`() throws {
    let first = try sync()
    #expect(first.status == 0 && first.errors.contains("both stores hold 20 messages now"), "\(first.errors)")
    #expect(try history(of: other) == history(of: fixture.store))
    #expect(try sync().errors.contains("both stores hold the same"))

    try append("written there", in: other)
    let would = try sync("--dry-run")
    #expect(
      would.errors.contains("the store there") && would.errors.contains("21 messages"), "\(would.errors)")
    #expect(try !history(of: fixture.store).contains("written there"))
    #expect(try sync().status == 0)
    #expect(try history(of: fixture.store).contains("written there"))

    try append("written here", in: fixture.store)
    #expect(try sync().status == 0)
    #expect(try history(of: other) == history(of: fixture.store))
    for store in [other, fixture.store] { #expect(try fixture.run(["check", "-s", store]).status == 0) }
    #expect(try leftovers() == [])
  }

  @Test func `attached files go both ways, and small changes without messages do, too`() throws {
    let id = try #require(try history(of: fixture.store).firstMatch(of: /"id":"(\d+)"/)).1
    for (name, byte) in [("one", 1), ("two", 2)] {
      try Data(repeating: UInt8(byte), count: 200_000).write(to: URL(fileURLWithPath: path(name)))
    }
    try fixture.run(["attach", String(id), path("one")])
    #expect(try sync().status == 0)
    try fixture.run(["attach", "-s", other, String(id), path("two")])
    try fixture.run(["senders", "alias", "bob", "alice", "-s", other])
    let back = try sync()
    #expect(back.status == 0, "\(back.errors)")
    try fixture.run(["save", String(id), path("out")])
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: path("out"))) == ["one", "two"])
    try fixture.run(["conversations", "rename", "general", "tea"])
    #expect(try sync("--dry-run").errors.contains("the store here"))
  }

  @Test func `two stores that both went on are refused, and one can be dropped by name`() throws {
    #expect(try sync().status == 0)
    try append("here", in: fixture.store)
    try append("there", in: other)
    let before = try (history(of: fixture.store), history(of: other))
    let refused = try sync()
    #expect(refused.status == 64 && refused.errors.contains("both stores changed"), "\(refused.errors)")
    #expect(refused.errors.contains("docs/operations.md"))
    #expect(try (history(of: fixture.store), history(of: other)) == before)
    #expect(try sync("--keep", "there").status == 0)
    #expect(try history(of: fixture.store) == before.1)
  }

  @Test func `what came is checked before it replaces, and so is what it would replace`() throws {
    #expect(try sync().status == 0)
    let before = try history(of: other)
    func answer(_ step: String, _ more: String...) throws -> ShellFixture.Answer {
      try fixture.run(["sync", "--answer", step, "-s", other, "localhost"] + more)
    }
    let received = try answer("receive").output
    let digest = try #require(received.firstMatch(of: /"digest":"(\w+)"/)).1
    let late = try answer("replace", "--expecting=00")
    #expect(late.status == 75 && late.errors.contains("meanwhile"), "\(late.errors)")
    _ = try answer("receive")
    let copy = other + ".sync/scrollback.db"
    let handle = try #require(FileHandle(forWritingAtPath: copy))
    try handle.seek(toOffset: 8_192)
    try handle.write(contentsOf: Data(repeating: 0x55, count: 40_000))
    try handle.close()
    let damaged = try answer("replace", "--expecting=\(digest)")
    #expect(damaged.status == 65, "\(damaged.errors)")
    #expect(try history(of: other) == before)
  }

  @Test func `places that are options, and programs that are not there, are said`() throws {
    for host in ["-oProxyCommand=x", "", ":x", "a b"] {
      #expect(try fixture.run(["sync", "-e", path("rsh"), "--", host]).status == 64)
    }
    let missing = try fixture.run(["sync", "-e", path("rsh"), "--program", "/no/such", "elsewhere"])
    #expect(missing.status == 74 && missing.errors.contains("--program"), "\(missing.errors)")
    let noShell = try fixture.run(["sync", "-e", "no-such-shell", "elsewhere"])
    #expect(noShell.status == 66 && noShell.errors.contains("not installed"), "\(noShell.errors)")
  }
}
