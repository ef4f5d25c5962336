import Foundation
import MessageModel
import Testing

@testable import MessageInterchange

/// Databases that are read without a lock while their programs write to them: what is read is of one state.
@Suite struct DatabaseStateTests {
  /// A database as Apple's Messages keeps it, with a rollback journal.
  private static func tables(messageCount: Int) -> String {
    """
    CREATE TABLE handle(ROWID INTEGER PRIMARY KEY, id TEXT);
    CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, display_name TEXT, chat_identifier TEXT);
    CREATE TABLE message(ROWID INTEGER PRIMARY KEY, guid TEXT UNIQUE, text TEXT, handle_id INTEGER, date INTEGER,
      is_from_me INTEGER);
    CREATE TABLE chat_message_join(chat_id INTEGER, message_id INTEGER, PRIMARY KEY (chat_id, message_id));
    INSERT INTO handle VALUES (1, 'bob@example.org');
    INSERT INTO chat VALUES (1, 'Tea', 'chat1');
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(messageCount))
      INSERT INTO message SELECT n, 'guid-' || n, 'before', 1, (700000000 + n) * 1000000000, 0 FROM number;
    INSERT INTO chat_message_join SELECT 1, ROWID FROM message;
    """
  }

  /// Calls `body` with a database and whoever writes to it.
  private func withDatabase(messageCount: Int, _ body: (String, ForeignDatabase) throws -> Void) throws {
    try Fixture.withFolder { folder in
      let path = folder + "/chat.db"
      let program = try ForeignDatabase(path)
      program.run(Self.tables(messageCount: messageCount))
      try body(path, program)
    }
  }

  @Test func `what was read while a program wrote is read again`() throws {
    let count = 40_000
    try withDatabase(messageCount: count) { path, program in
      var reader = try ImportReader([path])
      var batches: [(texts: Set<String>, count: Int)] = []
      while let event = reader.next() {
        guard case .batch(let batch) = event else { continue }
        let texts = batch.entries.entries.compactMap { batch.entries.string($0.text) }
        batches.append((Set(texts), texts.count))
        if batches.count == 1 { program.run("UPDATE message SET text = 'afterwards'") }
      }
      #expect(batches[0].texts == ["before"])
      #expect(batches.dropFirst().allSatisfy { $0.texts == ["afterwards"] })
      #expect(batches.dropFirst().reduce(0) { $0 + $1.count } == count)
    }
  }

  @Test func `a change that has not ended is not read`() throws {
    try withDatabase(messageCount: 2_000) { path, program in
      // Its pages go to the file before its end.
      program.run("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE message SET text = printf('%.500c', 'x')")
      #expect(throws: InterchangeError.self) { try SQLiteFile(path: path, patience: 0) }
      program.run("ROLLBACK")
      let found = try ImportPicture([path]).messages
      #expect(Set(found.map(\.body)) == ["before"])
    }
  }

  @Test(arguments: ["PERSIST", "TRUNCATE"]) func `a journal without a change in it is none`(mode: String)
    throws
  {
    try withDatabase(messageCount: 10) { path, program in
      program.run("PRAGMA journal_mode = \(mode); UPDATE message SET text = 'afterwards'")
      #expect(FileManager.default.fileExists(atPath: path + "-journal"))
      let file = try SQLiteFile(path: path, patience: 0)
      #expect(file.isAsItWas)
      let found = try ImportPicture([path]).messages
      #expect(found.count == 10)
    }
  }

  @Test func `a file that was written to or replaced is not as it was`() throws {
    try withDatabase(messageCount: 10) { path, program in
      let file = try SQLiteFile(path: path, patience: 0)
      #expect(file.isAsItWas)
      program.run("UPDATE message SET text = 'afterwards' WHERE ROWID = 1")
      #expect(!file.isAsItWas)
      let next = try SQLiteFile(path: path, patience: 0)
      try FileManager.default.copyItem(atPath: path, toPath: path + ".next")
      #expect(rename(path + ".next", path) == 0)
      #expect(!next.isAsItWas)
    }
  }
}
