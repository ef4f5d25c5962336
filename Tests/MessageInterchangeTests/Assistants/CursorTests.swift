import Foundation
import MessageInterchange
import Testing

/// Chats of Cursor.
@Suite struct CursorTests {
  private static let global = "cursor/globalStorage/state.vscdb"

  @Test func `what a chat has no more is a branch that was left behind`() throws {
    let found = try ImportPicture([Fixture.path(Self.global)])
    let left = found.messages.filter { $0.conversation.contains("left behind") }
    #expect(left.map(\.body) == ["It whistles since it is happy."])
  }

  @Test func `values that are too long are passed over, and the messages beside them are read`() throws {
    // Nine megabytes of a message, and as many beside the messages of a chat.
    let sql = """
      INSERT INTO cursorDiskKV VALUES
        ('composerData:long', '{"composerId":"long","createdAt":1769940000000,"codeBlockData":{"a":"'
          || hex(zeroblob(\(9 << 19))) || '"},"fullConversationHeadersOnly":[{"bubbleId":"one"},{"bubbleId":"two"}]}'),
        ('bubbleId:long:one', '{"type":1,"bubbleId":"one","text":"' || hex(zeroblob(\(9 << 19))) || '"}'),
        ('bubbleId:long:two', '{"type":2,"bubbleId":"two","text":"still here"}'),
        ('composerData:inline', '{"composerId":"inline","createdAt":1769940000000,"conversation":[{"type":1,"text":"'
          || hex(zeroblob(\(9 << 19))) || '"},{"type":1,"bubbleId":"last","text":"here, too"}]}');
      """
    try ForeignDatabase.changed(Self.global, sql) { path in
      let found = try ImportPicture([path])
      #expect(found.messages.contains { $0.body == "still here" })
      #expect(found.messages.contains { $0.body == "here, too" })
      let reasons = found.skipped.map(\.reason)
      #expect(reasons.contains("message one is longer than 8 MB"))
      #expect(reasons.contains("a message is longer than 8 MB"))
    }
  }

  @Test func `what Cursor has not yet written from its log is read, and nothing keeps it from writing`()
    throws
  {
    try ForeignDatabase.changed(Self.global, "PRAGMA journal_mode = WAL") { path in
      let cursor = try ForeignDatabase(path)
      let bubble = #"{"type":2,"bubbleId":"new","text":"just said","createdAt":"2026-02-01T10:01:00Z"}"#
      cursor.run("INSERT INTO cursorDiskKV VALUES ('bubbleId:c2:new', '\(bubble)')")
      cursor.run("BEGIN IMMEDIATE; UPDATE cursorDiskKV SET value = NULL WHERE key = 'bubbleId:c2:k1'")
      let found = try ImportPicture([path])
      #expect(found.messages.contains { $0.body == "just said" })
      #expect(found.messages.contains { $0.body == "There is none." })
      cursor.run("COMMIT")
    }
  }

  @Test(arguments: [
    "DROP TABLE cursorDiskKV; DROP TABLE ItemTable; CREATE TABLE cursorDiskKV (name TEXT)",
    "DROP TABLE cursorDiskKV; DROP TABLE ItemTable; CREATE VIEW cursorDiskKV AS SELECT 1 AS key, 2 AS value",
  ])
  func `a database without its tables is said to be something else`(sql: String) throws {
    try ForeignDatabase.changed(Self.global, sql) { path in
      let found = try ImportPicture([path], ImportOptions(format: "cursor", timeZone: .gmt))
      #expect(found.messages.isEmpty)
      #expect(found.skipped.map(\.reason) == ["it has not the tables of Cursor"])
    }
  }

  @Test func `an editor without Cursor has no chats, and that is no fault`() throws {
    let sql = "DELETE FROM ItemTable; DELETE FROM cursorDiskKV; DROP TABLE cursorDiskKV"
    try ForeignDatabase.changed(Self.global, sql) { path in
      let found = try ImportPicture([path])
      #expect(found.messages.isEmpty && found.skipped.isEmpty)
    }
  }

  @Test func `the copy beside a storage is not read`() throws {
    try Fixture.withFolder { folder in
      for name in ["state.vscdb", "state.vscdb.backup"] {
        try FileManager.default.copyItem(atPath: Fixture.path(Self.global), toPath: "\(folder)/\(name)")
      }
      let found = try ImportPicture([folder])
      #expect(found.files.count == 1)
      #expect(found.skipped.filter { $0.scope == .ignored }.count == 1)
    }
  }
}
