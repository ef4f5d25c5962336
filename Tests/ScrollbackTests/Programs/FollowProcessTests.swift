import Foundation
import GRDB
import ShellTesting
import TestSupport
import Testing

/// A process that follows, and is killed again and again while others write.
@Suite struct FollowProcessTests {
  @Test func `whoever follows may be killed at any moment: nothing is lost, and nothing comes twice`() throws
  {
    let campaign = try Campaign(writeCount: isLong ? 2_000 : 120, every: isLong ? 20 : 24)
    try campaign.run()
    let (missing, doubled) = try campaign.compare()
    #expect(missing.isEmpty && doubled.isEmpty)
    #expect(try campaign.fixture.run(["check"]).status == 0)
  }

  @Test(arguments: [["tail", "-f"], ["follow"]])
  func `a command of --exec that is not there ends whoever follows, and says so`(command: [String]) throws {
    let fixture = try ShellFixture(count: 3)
    let log = fixture.folder.appending(path: "tea.log")
    try Data("2024-05-01 10:00:00\tann\ttea\n".utf8).write(to: log)
    let paths = command == ["follow"] ? [log.path] : []
    let process = fixture.process(command + ["--exec", "no-such-command"] + paths)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 66)
    #expect(
      text.contains(
        """
        scrollback: cannot run the command of --exec: no-such-command
          cause: the shell found no such command (status 127)
          try: its whole path, or chmod +x

        """), "\(text)")
  }

  #if os(Linux)
    @Test(.enabled(if: SmallDisk.isAvailable, "a disk that is small enough is mounted by root only"))
    func `a disk that is full is told, and what came meanwhile is taken in when there is room`() throws {
      let disk = try SmallDisk(megabytes: 24)
      let fixture = try ShellFixture(count: 0)
      let folder = fixture.folder.appending(path: "logs")
      let log = folder.appending(path: "tea.log")
      let store = disk.path + "/s.db"
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      func write(_ numbers: ClosedRange<Int>) throws {
        let lines = numbers.map {
          "2024-05-01 10:00:\($0)\tann\twrite \($0) \(String(repeating: "tea ", count: 5_000))\n"
        }
        try Data(lines.joined().utf8).write(to: log)
      }
      try write(10...10)
      let process = fixture.process(["follow", "--json", "--store", store, folder.path])
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      defer { process.terminate() }
      try output.wait(for: "caughtUp")
      try disk.fill(leaving: 0)
      try write(10...49)
      try output.wait(for: "\"waiting\",\"reason\":\"the disk is full")
      disk.makeRoom()
      try output.wait(for: "\"messages\":39")
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(try fixture.run(["check", "--store", store]).status == 0)
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "a disk that is small enough is mounted by root only"))
    func `after a disk that was full in the middle a source is one import, of which all was told`() throws {
      let disk = try SmallDisk(megabytes: 80)
      let fixture = try ShellFixture(count: 0)
      let folder = fixture.folder.appending(path: "in")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // Several batches, of which the first ones have room.
      let count = 40_000
      let lines = (1...count).map { number in
        #"{"time":"2024-05-01T\#(10 + number / 3_600):\#(10 + number / 60 % 50):10Z","sender":"ann","text":"tea \#(number)"}"#
      }
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appending(path: "a.jsonl"))
      try disk.fill(leaving: 9 << 20)
      let process = fixture.process(["follow", "--json", "--store", disk.path + "/s.db", folder.path])
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      defer { process.terminate() }
      var told = try output.wait(for: "\"waiting\"")
      disk.makeRoom()
      told += try output.wait(for: "caughtUp")
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      let sum = told.matches(of: /"messages":(\d+)/).reduce(0) { $0 + (Int($1.1) ?? 0) }
      #expect(sum == count, "\(told)")
      let imports = try fixture.run(["imports", "--json", "--store", disk.path + "/s.db"]).output
      #expect(
        imports.split(separator: "\n").count == 1 && imports.contains("\"messages\":\(count)"), "\(imports)")
    }
  #endif

  @Test func `a signal that comes while it begins ends it cleanly, too`() throws {
    let fixture = try ShellFixture(count: 0)
    let folder = fixture.folder.appending(path: "logs")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for _ in 1...5 {
      let process = fixture.process(["follow", "--json", folder.path])
      process.standardOutput = Pipe()
      try process.run()
      while process.isRunning, !Self.handles(SIGTERM, process.processIdentifier) { sched_yield() }
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
  }

  /// Whether a process has set a handler of its own for a signal.
  private static func handles(_ signal: Int32, _ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
      let caught = UInt64(line.dropFirst("SigCgt:".count).filter(\.isHexDigit), radix: 16)
    else { return true }
    return caught & 1 << UInt64(signal - 1) != 0
  }

  @Test(arguments: [SIGINT, SIGTERM]) func `a signal ends it cleanly`(signal: Int32) throws {
    let fixture = try ShellFixture(count: 0)
    let folder = fixture.folder.appending(path: "logs")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("2024-05-01 10:00:00\tann\tTea?\n".utf8).write(to: folder.appending(path: "tea.log"))
    let process = fixture.process(["follow", "--json", folder.path])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    try output.wait(for: "caughtUp")
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    // What was read is written down: there is nothing to do for the next one.
    #expect(try fixture.run(["follow", "--once", "--json"]).output == "{\"event\":\"caughtUp\"}\n")
  }
}

/// Writes to a log, a file of JSON Lines and a database, which are rotated, replaced and brought to rest, and kills who follows
/// them.
private final class Campaign {
  let fixture: ShellFixture
  private let writeCount: Int
  /// One kill and one disturbance come after so many writes.
  private let pieceCount: Int
  private let folder: URL
  private var database: DatabaseQueue
  private var process: Process?

  init(writeCount: Int, every pieceCount: Int) throws {
    self.writeCount = writeCount
    self.pieceCount = pieceCount
    fixture = try ShellFixture(count: 0)
    folder = fixture.folder.appending(path: "sources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = try Self.open(folder.appending(path: "chat.db").path)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE handle(ROWID INTEGER PRIMARY KEY, id TEXT);
          CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, display_name TEXT, chat_identifier TEXT);
          CREATE TABLE message(ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE, text TEXT,
            handle_id INTEGER, date INTEGER, is_from_me INTEGER);
          CREATE TABLE chat_message_join(chat_id INTEGER, message_id INTEGER, PRIMARY KEY (chat_id, message_id));
          INSERT INTO handle VALUES (1, 'bob@example.org');
          INSERT INTO chat VALUES (1, 'Tea', 'chat1');
          """)
    }
  }

  deinit { process?.terminate() }

  private static func open(_ path: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    return queue
  }

  func run() throws {
    try start()
    for number in 1...writeCount {
      try write(number)
      if number % pieceCount == pieceCount / 2 { try disturb(number / pieceCount) }
      if number % pieceCount == 0 {
        process.map { _ = kill($0.processIdentifier, SIGKILL) }
        process?.waitUntilExit()
        try start()
      }
    }
    while try !compare().missing.isEmpty { usleep(50_000) }
    process.map { _ = kill($0.processIdentifier, SIGTERM) }
    process?.waitUntilExit()
  }

  private func start() throws {
    let next = fixture.process(["follow", "--quiet", folder.path])
    (next.standardOutput, next.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try next.run()
    process = next
  }

  private func write(_ number: Int) throws {
    let text = "write \(number)"
    // All of them within an hour, many within one minute.
    let clock = "\(10 + number / 3_600):\(Self.two(number / 60 % 60)):\(Self.two(number % 60))"
    switch number % 3 {
    case 0: try append("tea.log", "2024-05-01 \(clock)\tann\t\(text)\n")
    case 1:
      try append("bot.jsonl", #"{"time":"2024-05-01T\#(clock)Z","sender":"bot","text":"\#(text)"}"# + "\n")
    default:
      let date = Int64(700_000_000 + number) * 1_000_000_000
      try database.write { db in
        try db.execute(
          sql: "INSERT INTO message(guid, text, handle_id, date, is_from_me) VALUES (?, ?, 1, ?, 0)",
          arguments: ["guid-\(number)", text, date])
        try db.execute(
          sql: "INSERT INTO chat_message_join VALUES (1, ?)", arguments: [db.lastInsertedRowID])
      }
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func append(_ name: String, _ line: String) throws {
    let place = folder.appending(path: name)
    if !FileManager.default.fileExists(atPath: place.path) { try Data().write(to: place) }
    let handle = try FileHandle(forWritingTo: place)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(line.utf8))
    try handle.close()
  }

  private func disturb(_ round: Int) throws {
    // No log is thrown away before somebody may have read it.
    let (log, old) = (folder.appending(path: "tea.log"), folder.appending(path: "tea.log.\(round + 1)"))
    let chat = folder.appending(path: "chat.db").path
    switch round % 4 {
    case 0: try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    case 1: rename(log.path, old.path)
    case 2:
      try FileManager.default.copyItem(at: log, to: old)
      truncate(log.path, 0)
    default:
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      try database.close()
      for suffix in ["-wal", "-shm"] { unlink(chat + suffix) }
      try FileManager.default.copyItem(atPath: chat, toPath: chat + ".tmp")
      rename(chat + ".tmp", chat)
      database = try Self.open(chat)
    }
  }

  /// Returns what was written and is not in the store, and what is there more than once.
  func compare() throws -> (missing: [String], doubled: [String]) {
    var configuration = Configuration()
    configuration.readonly = true
    let store = try DatabaseQueue(
      path: fixture.folder.appending(path: "store.db").path, configuration: configuration)
    let texts = try store.read { try String.fetchAll($0, sql: "SELECT text FROM message") }
    try store.close()
    let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    let written = (1...writeCount).map { "write \($0)" }
    return (written.filter { counts[$0] == nil }, written.filter { counts[$0, default: 0] > 1 })
  }
}
