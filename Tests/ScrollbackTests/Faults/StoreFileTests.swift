import Foundation
import GRDB
import ShellTesting
import TestSupport
import Testing

/// The store as a file among others, in the real program.
@Suite(.serialized) struct StoreFileTests {
  private func left(in fixture: ShellFixture) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).filter { $0.hasPrefix("store") }
      .sorted()
  }

  private func check(_ fixture: ShellFixture, _ count: Int = 3) throws {
    let result = try fixture.runProcess(["check"])
    #expect(result.status == 0 && result.errors.contains("looked at \(count) messages"), "\(result)")
  }

  // MARK: What is written to

  /// Ways to say the store and what belongs to it.
  private static let places = [
    "store.db", "./store.db", "store.db-wal", "store.db-shm", "store.db-journal", "link.db", "hard.db",
    "store.db.attachments", "store.db.attachments/x", "folder/x", "folder/../store.db",
  ]

  private func furnished() throws -> ShellFixture {
    let fixture = try ShellFixture(count: 3)
    let files = FileManager.default
    try files.createDirectory(atPath: fixture.store + ".attachments/ab", withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: fixture.folder.path + "/link.db", withDestinationPath: "store.db")
    try files.createSymbolicLink(
      atPath: fixture.folder.path + "/folder", withDestinationPath: "store.db.attachments/ab")
    return fixture
  }

  private func run(in fixture: ShellFixture, _ words: [String], shell: String = "exec \"$0\" \"$@\"") throws
    -> (
      Int32, String
    )
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", shell, BuiltProduct.path(of: "scrollback")] + words
    process.environment = fixture.environment
    process.currentDirectoryURL = fixture.folder
    let errors = Pipe()
    (process.standardError, process.standardOutput) = (errors, FileHandle.nullDevice)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (
      process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus,
      said
    )
  }

  @Test(arguments: places)
  func `nothing is written over the store or what belongs to it`(place: String) throws {
    let fixture = try furnished()
    // A connection that stays keeps the log and its companion there.
    let reader = try DatabaseQueue(path: fixture.store)
    _ = try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM message") }
    if place == "hard.db" {
      try FileManager.default.linkItem(atPath: fixture.store, toPath: fixture.folder.path + "/hard.db")
    }
    let before = try left(in: fixture)
    let (path, history) = ("\(fixture.folder.path)/\(place)", "\(fixture.folder.path)/history.jsonl")
    for words in [
      ["export", "-o", path], ["export", "--json", "-o", path], ["export", "--attachments", path],
      ["import", history, "--rejects", path], ["import", "--dry-run", history, "--rejects", path],
      ["backup", path],
    ] {
      let (_, said, status) = try fixture.run(words)
      let isFolder = place.hasSuffix("attachments") || !place.contains("db")
      #expect(status == 73 || words[0] == "backup" && status == 64, "\(words) \(status) \(said)")
      #expect(said.contains("it is ") || words[0] == "backup" || isFolder, "\(words) \(said)")
    }
    let script = try fixture.runProcess(
      ["-c", "general"], input: "/export \(fixture.folder.path)/\(place) --format text\n")
    #expect(script.status == (place == "hard.db" ? 74 : 73), "\(script)")
    #expect(try left(in: fixture) == before)
    try reader.close()
    unlink(fixture.folder.path + "/hard.db")
    try check(fixture)
  }

  @Test func `an open file that is the store is not written to, either`() throws {
    let fixture = try ShellFixture(count: 3)
    let (status, said) = try run(
      in: fixture, ["export", "-o", "/dev/fd/7"], shell: "exec \"$0\" \"$@\" 7<>store.db")
    #expect(status == 73 && said.contains("it is the store itself"))
    try check(fixture)
  }

  @Test func `what is imported is not written over by what is rejected`() throws {
    let fixture = try ShellFixture(count: 3)
    let (status, said) = try run(in: fixture, ["import", "history.jsonl", "--rejects", "./history.jsonl"])
    #expect(status == 73 && said.contains("it is what is imported"))
    #expect(
      try String(contentsOfFile: fixture.folder.path + "/history.jsonl", encoding: .utf8).contains(
        "message 3"))
  }

  @Test func `a trace is not written over the store`() throws {
    let fixture = try ShellFixture(count: 3)
    let terminal = try fixture.start(["--trace-latency", fixture.store], columns: 200)
    #expect(terminal.waitForExit() == 73)
    #expect(terminal.screen.contains("it is the store itself"))
    try check(fixture)
  }

  @Test func `values are not moved out of the store's own tables`() throws {
    let fixture = try ShellFixture(count: 3)
    let (status, said) = try run(
      in: fixture,
      ["migrate", "--source", "store.db", "--table", "sender", "--column", "name", "--no-backup"])
    #expect(status == 73 && said.contains("it is the store itself"), "\(said)")
    try check(fixture)
  }

  // MARK: Names

  @Test func `names that are not UTF-8 are refused, and name no other file`() throws {
    let fixture = try ShellFixture(count: 3)
    for shell in [
      "exec \"$0\" tail -s $'caf\\xe9.db'", "exec \"$0\" export -o $'caf\\xe9.txt'",
      "exec \"$0\" append -s $'caf\\xe9.db' -c n --create x",
      "SCROLLBACK_STORE=$'caf\\xe9.db' exec \"$0\" tail",
      "exec \"$0\" append -c general $'caf\\xe9'",
    ] {
      let (status, said) = try run(in: fixture, [], shell: shell)
      #expect(status == 64 && said.contains("is not UTF-8: 'caf\\xe9"), "\(said)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).allSatisfy {
        !$0.hasPrefix("caf")
      })
    try check(fixture)
  }

  @Test func `a store in a folder whose name is not UTF-8 is the one that is named`() throws {
    let fixture = try ShellFixture(count: 3)
    let shell = """
      mkdir $'caf\\xe9' && cd $'caf\\xe9' && "$0" append -q -s a.db -c n --create one &&
        "$0" append -q -s file:b -c n --create two && "$0" backup -q -s a.db c.db &&
        ls . | grep -v -e -wal -e -shm >../names
      """
    let (status, said) = try run(in: fixture, [], shell: shell)
    #expect(status == 0, "\(said)")
    #expect(
      try String(contentsOfFile: fixture.folder.path + "/names", encoding: .utf8) == "a.db\nc.db\nfile:b\n")
  }

  // MARK: While it is open

  @Test(arguments: [
    "rm store.db", "mv store.db away.db", "rm store.db-wal", "cp store.db x && mv x store.db",
  ])
  func `messages for a store that has gone are not acknowledged`(mishap: String) throws {
    let fixture = try ShellFixture(count: 3)
    let shell = """
      mkfifo lines; "$0" append -c general <lines & exec 9>lines; echo first >&9
      until "$0" tail -n 9 | grep -q first; do :; done
      \(mishap); echo second >&9; exec 9>&-; wait $!
      """
    let (status, said) = try run(in: fixture, [], shell: shell)
    #expect(status == 74 && said.contains("while it was open"), "\(said)")
    #expect(!said.contains("appended 2"), "\(said)")
  }

  @Test func `who follows a store is told when it has gone`() throws {
    let fixture = try ShellFixture(count: 3)
    let shell = """
      "$0" tail -f -n 1 >shown & until grep -q 'message 3' shown; do :; done; mv store.db away.db; wait $!
      """
    let (status, said) = try run(in: fixture, [], shell: shell)
    #expect(status == 74 && said.contains("it was deleted or moved while it was open"), "\(said)")
  }

  @Test(arguments: [[], ["--inline"], ["--plain"]])
  func `whoever reads in a window is told when the store has gone, and loses no line`(options: [String])
    throws
  {
    let fixture = try ShellFixture(count: 3)
    let terminal = try fixture.start(options, columns: 250)
    try terminal.wait(for: "message 3")
    try FileManager.default.moveItem(atPath: fixture.store, toPath: fixture.folder.path + "/away.db")
    try terminal.wait(for: "it was deleted or moved while it was open")
    try terminal.type("not lost\r")
    try terminal.wait(for: "the line to come back") {
      $0.lines.last { !$0.isEmpty } == "> not lost" || !options.isEmpty
    }
  }

  // MARK: What is left behind

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a command that a signal ends leaves nothing that it had begun`(number: Int32) throws {
    let fixture = try ShellFixture(count: 3)
    let id = try fixture.runProcess(["export", "--json", "--limit", "1"]).output.dropFirst(7).prefix {
      $0 != "\""
    }
    let file = fixture.folder.path + "/large"
    // Sparse: it is read for a while.
    try Data().write(to: URL(fileURLWithPath: file))
    try #require(truncate(file, 1 << 33) == 0)
    let contents = fixture.store + ".attachments"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback"))
    process.arguments = ["attach", String(id), file]
    process.environment = fixture.environment
    try process.run()
    func incoming() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).filter {
        $0.hasPrefix("incoming")
      }
    }
    while incoming().isEmpty, process.isRunning { usleep(200) }
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
    #expect(incoming() == [])
    try check(fixture)
  }

  @Test func `what was killed is cleaned away at the next start`() throws {
    let fixture = try ShellFixture(count: 3)
    let folder = fixture.folder.path
    try FileManager.default.createDirectory(
      atPath: fixture.store + ".attachments", withIntermediateDirectories: true)
    let left = [
      "/store.db.part-999999999", "/store.db.attachments/incoming-999999999-ab", "/out.part-999999999",
    ]
    for name in left { try Data([1]).write(to: URL(fileURLWithPath: folder + name)) }
    #expect(try fixture.runProcess(["append", "-c", "general", "x"]).status == 0)
    #expect(try fixture.runProcess(["export", "-o", folder + "/out"]).status == 0)
    for name in left { #expect(!FileManager.default.fileExists(atPath: folder + name), "\(name)") }
  }

  // MARK: Limits and rights

  @Test(arguments: ["import -q more.jsonl", "export -o out.txt", "backup copy.db", "append -c general"])
  func `a file that may not become so large is an error with a sentence`(words: String) throws {
    let fixture = try ShellFixture(count: 2_000)
    let more = (0..<20_000).map {
      #"{"conversation":"more","time":"2024-05-01T12:00:00Z","sender":"a","text":"text \#($0)"}"# + "\n"
    }
    try more.joined().write(toFile: fixture.folder.path + "/more.jsonl", atomically: true, encoding: .utf8)
    // 1,024-byte blocks: less than the store has.
    let shell = "trap '' PIPE; yes 'a long line' | head -c 3000000 | (ulimit -f 40; exec \"$0\" \(words))"
    let (status, said) = try run(in: fixture, [], shell: shell)
    #expect(status == 74, "\(status) \(said)")
    #expect(said.contains("cannot ") && said.lowercased().contains("large"), "\(said)")
    #expect(try fixture.runProcess(["check"]).status == 0)
  }

  @Test func `a copy of another program's file is no more open than that`() throws {
    let fixture = try ShellFixture(count: 3)
    let cards = fixture.folder.path + "/cards.db"
    try FailingStoreFixture.makeTable(at: cards, holding: [FailingStoreFixture.bytes(200_000, 1)]).close()
    try #require(chmod(cards, 0o600) == 0)
    let (status, _) = try run(
      in: fixture, ["migrate", "--source", cards, "--table", "card", "--column", "picture"],
      shell: "umask 022; exec \"$0\" \"$@\"")
    #expect(status == 0)
    var facts = stat()
    try #require(stat(cards + ".before-migrate", &facts) == 0)
    #expect(facts.st_mode & 0o7777 == 0o600)
  }

  @Test func `others who can read the store are remarked on where it is written to or checked`() throws {
    let fixture = try ShellFixture(count: 3)
    try #require(chmod(fixture.store, 0o644) == 0 && chmod(fixture.folder.path, 0o755) == 0)
    for words in [["append", "-c", "general", "x"], ["check"]] {
      let result = try fixture.runProcess(words)
      #expect(result.status == 0 && result.errors.contains("other users can read"), "\(result)")
    }
    #expect(!(try fixture.runProcess(["tail"]).errors.contains("other users")))
    #expect(try fixture.runProcess(["append", "-q", "-c", "general", "x"]).errors == "")
  }

  #if os(Linux)
    /// How a store can lie for somebody who may not write to it.
    private static let rights: [(file: mode_t, folder: mode_t)] = [
      (0o666, 0o555), (0o444, 0o777), (0o444, 0o555),
    ]

    @Test(.enabled(if: getuid() == 0, "only root can be somebody else"), arguments: rights)
    func `what cannot be written to can be read, also in a window`(rights: (file: mode_t, folder: mode_t))
      throws
    {
      let fixture = try ShellFixture(count: 3)
      let folder = fixture.folder.path + "/shelf"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: fixture.store, toPath: folder + "/a.db")
      let program = fixture.folder.path + "/program"
      try BuiltProduct.copy("scrollback", to: program)
      for (path, mode) in [
        (fixture.folder.path, 0o755), (folder + "/a.db", rights.file), (folder, rights.folder),
      ] {
        try #require(chmod(path, mode_t(mode)) == 0)
      }
      let other = "setpriv --reuid=65534 --regid=65534 --clear-groups ./program"
      for shell in ["\(other) tail -s shelf/a.db", "echo /older 3 | \(other) -s shelf/a.db"] {
        let (status, said) = try run(in: fixture, [], shell: shell)
        #expect(status == 0, "\(shell) \(said)")
      }
      let (status, said) = try run(in: fixture, [], shell: "\(other) append -s shelf/a.db -c general x")
      #expect(status == 77, "\(said)")
    }
  #endif
}
