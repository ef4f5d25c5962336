import Foundation
import GRDB
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

/// Files of assistants that are cut, of a version to come, locked, being written, or something else: each gets its sentence and
/// loses nothing.
@Suite struct AssistantFaultTests {
  @Test func `each format of the table has a sample`() {
    #expect(AssistantSample.formats.count >= 20)
    let missing = Set(AssistantSample.formats).subtracting(AssistantSample.all.map(\.format))
    #expect(missing.isEmpty)
  }

  // MARK: Half a file

  @Test(arguments: AssistantSample.all)
  func `of half a file all is read that is there, and what is missing is said`(sample: AssistantSample) throws
  {
    let bytes = try sample.bytes()
    try sample.withCopy { path in
      let whole = try ReadHistory(path, format: sample.format)
      var former: Set<String> = []
      // Lines may change what those before them say.
      let isReplayed =
        try sample.nature == .rows && FileNature(of: FoundFile(at: path), options: .init()) != .lines
      for cut in stride(from: 1, to: bytes.count, by: max(bytes.count / (isLong ? 24 : 9), 1)) {
        try Data(bytes.prefix(cut)).write(to: URL(filePath: path))
        let half = try ReadHistory(path, format: sample.format)
        if !isReplayed {
          #expect(half.ids.isSubset(of: whole.ids), "cut at \(cut)")
          for (id, said) in half.said where said.kind == .text && sample.nature != .text {
            #expect(whole.said[id]?.text == said.text, "cut at \(cut)")
          }
          if sample.nature != .database { #expect(former.isSubset(of: half.ids), "cut at \(cut)") }
          former = half.ids
        }
        if half.ids.count < whole.ids.count, sample.nature == .document || sample.nature == .database {
          #expect(!half.losses.isEmpty, "cut at \(cut)")
          #expect(half.losses.allSatisfy { !$0.reason.isEmpty })
        }
      }
    }
  }

  @Test(arguments: AssistantSample.all.filter { $0.nature == .rows })
  func `of a line that is half written nothing is said, and those before it are read`(sample: AssistantSample)
    throws
  {
    let bytes = try sample.bytes()
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    try sample.withCopy { path in
      for end in ends.dropLast().suffix(isLong ? 6 : 2) {
        try Data(bytes[...end]).write(to: URL(filePath: path))
        let before = try ReadHistory(path, format: sample.format)
        try Data(bytes[...(end + 9)]).write(to: URL(filePath: path))
        let half = try ReadHistory(path, format: sample.format)
        #expect(half.ids == before.ids, "line at \(end)")
        // What is written as a whole each time has no half of a line while it grows.
        let isFollowedByLine = try FileNature(of: FoundFile(at: path), options: .init()) == .lines
        #expect(half.losses.count <= before.losses.count + (isFollowedByLine ? 0 : 1), "line at \(end)")
      }
    }
  }

  @Test(arguments: AssistantSample.some)
  func `a store keeps what it has of half a file, and the whole one completes it`(sample: AssistantSample)
    throws
  {
    let bytes = try sample.bytes()
    try sample.withCopy { path in
      let direct = try ImportedStore()
      try direct.take(path, format: sample.format)
      for share in isLong ? [3, 7] : [5] {
        let store = try ImportedStore()
        try Data(bytes.prefix(bytes.count * share / 8)).write(to: URL(filePath: path))
        try store.take(path, format: sample.format)
        let half = try store.said()
        try Data(bytes).write(to: URL(filePath: path))
        try store.take(path, format: sample.format)
        #expect(try store.said() == direct.said())
        try Data(bytes.prefix(bytes.count / 2)).write(to: URL(filePath: path))
        try store.take(path, format: sample.format)
        #expect(try Set(store.said().keys) == Set(direct.said().keys))
        #expect(half.count <= (try direct.said().count))
      }
    }
  }

  // MARK: A version to come

  @Test(arguments: AssistantSample.all)
  func `a record of a version to come is kept as it stands, or is said`(sample: AssistantSample) throws {
    try sample.withCopy { path in
      let whole = try ReadHistory(path, format: sample.format)
      try sample.forEachLaterVersion(at: path, atMost: isLong ? 40 : 5) { change in
        let later = try ReadHistory(path, format: sample.format)
        let isKept = later.said.values.contains { $0.text.contains(AssistantSample.later) }
        let isUnknown = later.count(of: .unknown) > whole.count(of: .unknown)
        let lost = whole.words.subtracting(later.words)
        #expect(
          isKept || isUnknown || lost.isEmpty || later.losses.count > whole.losses.count, "\(change): \(lost)"
        )
      }
    }
  }

  @Test
  func `a record of Claude Code without an id, of a kind to come, is kept as JSON with the time before it`()
    throws
  {
    let lines = [
      #"{"type":"user","uuid":"a","sessionId":"s","timestamp":"2026-03-01T10:00:00.000Z","message":{"content":"tea?"}}"#,
      #"{"type":"hologram","sessionId":"s","depth":3}"#,
      #"{"type":"beam","uuid":"b","sessionId":"s","timestamp":"2026-03-01T10:01:00.000Z","message":{"content":"hot"},"w":4}"#,
    ]
    let file = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    let read = try ReadHistory(file.path, format: "claude-code")
    let unknown = read.said.values.filter { $0.kind == .unknown }.map(\.text)
    #expect(Set(unknown) == Set(lines.dropFirst()) && read.losses.isEmpty)
    try Data((lines[1] + "\n" + lines[0] + "\n").utf8).write(to: file)
    let early = try ReadHistory(file.path, format: "claude-code")
    #expect(early.losses.map(\.line) == [1] && early.messageCount == 1)
  }

  @Test(arguments: AssistantSample.all.filter { $0.nature == .rows })
  func `a record behind another in one line, which its program did not end, is read`(sample: AssistantSample)
    throws
  {
    let bytes = try sample.bytes()
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    try sample.withCopy { path in
      guard try FileNature(of: FoundFile(at: path), options: .init()) == .lines else { return }
      let whole = try ReadHistory(path, format: sample.format)
      for end in ends.dropLast(2).dropFirst().suffix(3) {
        var glued = bytes
        glued.remove(at: end)
        try Data(glued).write(to: URL(filePath: path))
        let read = try ReadHistory(path, format: sample.format)
        #expect(read.said == whole.said && read.losses.count == whole.losses.count, "line at \(end)")
      }
    }
  }

  @Test func `a database that is shorter than it says is opened, and what is missing is said`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString).db")
    defer { try? FileManager.default.removeItem(at: file) }
    let database = try DatabaseQueue(path: file.path)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE conversations(id TEXT PRIMARY KEY, name TEXT, model TEXT);
          CREATE TABLE later(text TEXT);
          INSERT INTO later WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
            SELECT printf('%0500d', i) FROM n;
          """)
    }
    try database.close()
    let bytes = try Data(contentsOf: file)
    try bytes.prefix(bytes.count * 3 / 4).write(to: file)
    let read = try ReadHistory(file.path, format: "llm")
    #expect(read.losses.count == 2 && read.losses[0].reason.contains("bytes of the database are missing"))
    #expect(read.losses[1].reason.contains("it has not the tables of llm"), "its schema was read")
  }

  // MARK: Locked, and being written

  @Test(arguments: AssistantSample.databases, ["DELETE", "WAL"])
  func `a locked database is read as it was, or its lock is named, and afterwards all of it is read`(
    sample: AssistantSample, mode: String
  ) throws {
    try sample.withCopy { path in
      let whole = try ReadHistory(path, format: sample.format)
      let database = try AssistantSample.open(path)
      try database.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA journal_mode = \(mode)")
        try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        try $0.execute(sql: "BEGIN EXCLUSIVE")
      }
      let locked = try ReadHistory(path, format: sample.format)
      #expect(
        locked.ids == whole.ids || locked.losses.contains { $0.scope == .file && $0.reason.contains("lock") })
      try database.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try database.close()
      #expect(try ReadHistory(path, format: sample.format).ids == whole.ids)
    }
  }

  @Test(arguments: AssistantSample.databases)
  func `what a program has not committed is not read, and what it has is`(sample: AssistantSample) throws {
    try sample.withCopy { path in
      let whole = try ReadHistory(path, format: sample.format)
      let add = try #require(try sample.shorten(path))
      let database = try AssistantSample.open(path)
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
      let before = try ReadHistory(path, format: sample.format)
      #expect(before.ids.count < whole.ids.count)
      try add()
      #expect(try ReadHistory(path, format: sample.format).said == whole.said)
      try database.writeWithoutTransaction {
        try $0.execute(sql: "BEGIN IMMEDIATE")
        let tables = try String.fetchAll($0, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        for table in tables { try? $0.execute(sql: "DELETE FROM \"\(table)\"") }
      }
      #expect(try ReadHistory(path, format: sample.format).said == whole.said)
      try database.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
  }

  // MARK: Something else

  @Test(arguments: AssistantSample.formats)
  func `another program's file is said to be one`(format: String) throws {
    // In the short form a third of them, each format another.
    let first = isLong ? 0 : (AssistantSample.formats.firstIndex(of: format) ?? 0) % 3
    for number in stride(from: first, to: AssistantSample.all.count, by: isLong ? 1 : 3) {
      let other = AssistantSample.all[number]
      guard other.format != format else { continue }
      let found = try ReadHistory(other.fixture, format: format)
      #expect(found.messageCount == 0, "\(other.testDescription)")
      #expect(found.skipped.contains { !$0.reason.isEmpty }, "\(other.testDescription)")
    }
  }

  @Test(arguments: AssistantSample.formats)
  func `a file of no assistant gets one sentence, which stands for those on its lines`(format: String) throws
  {
    let files = [
      "notes.md": "# Shopping\n\nmilk\nbread\ntea\n",
      "log.jsonl": (1...4_000).map { "{\"level\":\"info\",\"port\":\($0)}\n" }.joined(),
      "list.json": "[" + (1...30).map { "{\"number\":\($0)}" }.joined(separator: ",") + "]",
      "page.html": "<!doctype html>\n<p>tea\n<p>milk\n",
    ]
    let folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      let file = folder.appending(path: name)
      try Data(text.utf8).write(to: file)
      let read = try ReadHistory(file.path, format: format)
      let whole = read.losses.filter { $0.scope == .file }
      let single = read.losses.count - whole.count
      #expect(read.messageCount == 0 && (whole.count == 1 || whole.isEmpty && single == 1), "\(name)")
      #expect(whole.allSatisfy { $0.recordCount == single }, "\(name)")
    }
  }

  @Test(arguments: AssistantSample.all)
  func `bytes of chance, nothing, a folder, a link and a pipe under its name get their sentence`(
    sample: AssistantSample
  ) throws {
    var generator = SeededGenerator(seed: 36)
    let noise = (0..<4_096).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try sample.withCopy { path in
      let folder = URL(filePath: path).deletingLastPathComponent()
      let whole = try ReadHistory(path, format: sample.format).ids
      try Data(noise).write(to: URL(filePath: path))
      let random = try ReadHistory(path, format: sample.format)
      #expect(random.messageCount == 0 && !random.losses.isEmpty)
      try Data().write(to: URL(filePath: path))
      let empty = try ReadHistory(path, format: sample.format)
      #expect(empty.messageCount == 0 && empty.skipped.map(\.reason) == ["it is empty"])
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(try ReadHistory(path, format: sample.format).messageCount == 0)
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: sample.fixture)
      #expect(try ReadHistory(path, format: sample.format).messageCount > 0)
      try FileManager.default.removeItem(atPath: path)
      #expect(mkfifo(path, 0o600) == 0)
      // Whoever names it waits for what comes; one that lies in a folder is not opened.
      #expect(try ReadHistory(folder.path, format: sample.format).ids.isDisjoint(with: whole))
    }
  }
}
