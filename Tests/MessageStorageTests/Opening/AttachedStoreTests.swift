import Foundation
import GRDB
import MessageModel
import MessageStorage
import Testing

/// A store beside a database that an app owns, as docs/libraries.md has it.
@Suite struct AttachedStoreTests {
  @Test func `an app joins tables of its own with those of a store that is attached`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "room").id
    let ids = try store.append(["one", "two", "three"].map { NewMessage($0) }, to: room)
    let app = try DatabaseQueue(path: temporary.folder.appendingPathComponent("app.db").path)
    defer { try? app.close() }
    try app.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH DATABASE ? AS chats", arguments: [store.path])
      try db.execute(sql: "CREATE TABLE bookmark (message INTEGER PRIMARY KEY, note TEXT NOT NULL)")
      try db.execute(sql: "INSERT INTO bookmark VALUES (?, 'mine')", arguments: [ids[1].rawValue])
    }
    let bookmarked = {
      try app.read { db in
        try String.fetchAll(
          db, sql: "SELECT m.text FROM bookmark b JOIN chats.message m ON m.id = b.message ORDER BY m.id")
      }
    }
    #expect(try bookmarked() == ["two"])
    // Both go on writing, each to its own file.
    try store.edit(ids[1], text: "two, edited")
    try app.write { try $0.execute(sql: "INSERT INTO bookmark VALUES (?, '')", arguments: [ids[2].rawValue]) }
    try store.append([NewMessage("four")], to: room)
    #expect(try bookmarked() == ["two, edited", "three"])
    let again = try temporary.another()
    #expect(again.isWritable)
    again.close()
  }

  @Test func `a store into which an app has put a table is only read`() throws {
    let temporary = try TemporaryStore()
    let app = try DatabaseQueue(path: temporary.store.path)
    try app.write { try $0.execute(sql: "CREATE TABLE app_bookmark (message INTEGER PRIMARY KEY)") }
    try app.close()
    let again = try temporary.another()
    defer { again.close() }
    #expect(!again.isWritable)
  }
}
