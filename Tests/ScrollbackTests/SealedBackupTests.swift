import Foundation
import ShellTesting
import Testing

/// Backups that the program `age` encrypts, where it is installed.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/age")))
struct SealedBackupTests {
  private let fixture: ShellFixture

  init() throws {
    fixture = try ShellFixture(count: 20, texts: ["the lighthouse keeper"])
    try Data(repeating: 7, count: 200_000).write(to: URL(fileURLWithPath: path("large.bin")))
    let id = try #require(
      try fixture.run(["export", "--json", "--newest-first", "--limit", "1"]).output
        .firstMatch(of: /"id":"(\d+)"/)
    ).1
    try #require(try fixture.run(["attach", String(id), path("large.bin")]).status == 0)
    for key in ["key", "other"] {
      try Self.shell(
        "age-keygen -o '\(path(key)).txt' && age-keygen -y '\(path(key)).txt' >'\(path(key)).pub'")
    }
  }

  private func path(_ name: String) -> String { fixture.folder.path + "/" + name }

  private static func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(command)")
  }

  private func history() throws -> String { try fixture.run(["export", "--json"]).output }

  @discardableResult
  private func makeBackup() throws -> ShellFixture.Answer {
    try fixture.run(["backup", "--age", path("key.pub"), path("chats.age")])
  }

  @Test func `what was encrypted comes back whole, attached files with it`() throws {
    let before = try history()
    let made = try makeBackup()
    #expect(made.status == 0 && made.errors.contains("21 messages"), "\(made.errors)")
    let file = try Data(contentsOf: URL(fileURLWithPath: path("chats.age")))
    #expect(file.starts(with: "age-encryption.org/".utf8) && file.range(of: Data("lighthouse".utf8)) == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: path("chats.age"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try fixture.run(["append", "-c", "general", "--from", "carol", "after the backup"])
    try FileManager.default.removeItem(atPath: fixture.store + ".attachments")
    let restored = try fixture.run(["restore", "--identity", path("key.txt"), path("chats.age")])
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try history() == before)
    #expect(try fixture.run(["check"]).status == 0)
    let beside = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    #expect(!beside.contains { $0.hasSuffix(".sealed") })
  }

  @Test func `whoever has the key reads it without this program`() throws {
    try makeBackup()
    try Self.shell(
      """
      cd '\(fixture.folder.path)' && mkdir out && age -d -i key.txt chats.age | tar -C out -xf - &&
      test "$(sqlite3 out/scrollback.db 'SELECT count(*) FROM message')" = 21 || ! command -v sqlite3
      """)
    let folder = path("out/scrollback.db.attachments")
    #expect(FileManager.default.enumerator(atPath: folder)?.contains { "\($0)".count > 60 } == true)
  }

  @Test func `a missing, a wrong key and a damaged file leave the store as it was`() throws {
    try makeBackup()
    try fixture.run(["append", "-c", "general", "--from", "carol", "after the backup"])
    let before = try history()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path("chats.age")))
    try whole.dropLast(1_000).write(to: URL(fileURLWithPath: path("cut.age")))
    for (arguments, reason) in [
      ([path("chats.age")], "--identity"), (["-i", path("other.txt"), path("chats.age")], "identity"),
      (["-i", path("key.txt"), path("cut.age")], "age: "),
    ] {
      let answer = try fixture.run(["restore"] + arguments)
      #expect(answer.status != 0 && answer.errors.contains(reason), "\(answer.errors)")
      #expect(try history() == before)
    }
  }

  @Test func `an archive of something else is no backup, and follows no link`() throws {
    let before = try history()
    let names = "scrollback.db scrollback.db.attachments"
    for body in [
      "ln -s /etc/passwd scrollback.db && mkdir scrollback.db.attachments", "echo no >scrollback.db",
    ] {
      try Self.shell(
        """
        rm -rf '\(path("bad"))' && mkdir '\(path("bad"))' && cd '\(path("bad"))' && \(body)
        mkdir -p scrollback.db.attachments && tar -cf - \(names) | age -R ../key.pub >../bad.age
        """)
      let answer = try fixture.run(["restore", "-i", path("key.txt"), path("bad.age")])
      #expect(answer.status == 65, "\(answer.errors)")
      #expect(try history() == before)
    }
  }

  @Test func `no file is written over, and a wrong recipient leaves none`() throws {
    try makeBackup()
    let again = try makeBackup()
    #expect(again.status == 64 && again.errors.contains("there is such a file"))
    let wrong = try fixture.run(["backup", "--age", "age1nonsense", path("new.age")])
    #expect(wrong.status == 65 && wrong.errors.contains("age1nonsense"), "\(wrong.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    #expect(!names.contains { $0.hasPrefix("new.age") })
  }
}
