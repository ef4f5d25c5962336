import Foundation
import MessageModel
import Testing

@testable import MessageInterchange

/// WhatsApp's own databases, beyond what the golden files of their fixtures show.
@Suite struct WhatsAppDatabaseTests {
  private static let newer = "whatsapp-android/2024/Databases/msgstore.db"
  private static let older = "whatsapp-android/2016/msgstore.db"
  private static let phone = "whatsapp-ios/ChatStorage.sqlite"
  private static let all = [newer, older, phone]

  private func lines(_ path: String) throws -> [String] {
    try ImportPicture([path]).messages.map { "\($0.sender ?? "-"): \($0.body)" }
  }

  @Test(arguments: all)
  func `an id of the platform stands for one message`(name: String) throws {
    let found = try ImportPicture([Fixture.path(name)]).messages
    let ids = found.compactMap { $0.details?.source?.id }
    #expect(ids.count == found.count && Set(ids).count == ids.count)
  }

  @Test func `who changed from one telephone to the other has each message once, by its key`() throws {
    func keys(_ name: String) throws -> Set<String> {
      Set(try ImportPicture([Fixture.path(name)]).messages.compactMap { $0.details?.source?.id })
    }
    let both = try keys(Self.newer).intersection(try keys(Self.phone))
    #expect(
      both == ["3EB0\(String(repeating: "0", count: 27))3", "3EB0\(String(repeating: "0", count: 27))4"])
  }

  @Test func `a message that was changed or deleted is known by the key that it had first`() throws {
    let found = try ImportPicture([Fixture.path(Self.newer)]).messages
    let changed = try #require(found.first { $0.body == "as it is now" }?.details)
    #expect(changed.source?.id == "3EB0\(String(repeating: "0", count: 27))7" && changed.isEdited)
    let answer = try #require(found.first { $0.body == "an answer to what was changed" }?.details)
    #expect(answer.replyTo == changed.source?.id.map { .external($0) })
    let deleted = try #require(found.first { $0.body == "message deleted" }?.details)
    #expect(deleted.source?.id == "3EB0\(String(repeating: "0", count: 27))9")
  }

  @Test(arguments: [
    ("msgstore.db", "CREATE TABLE messages(x); CREATE TABLE anything(x);"),
    ("ChatStorage.sqlite", "CREATE TABLE ZWAMESSAGE(Z_PK, ZTEXT);"),
    ("msgstore.db", "CREATE VIEW message AS SELECT 1 AS _id; CREATE TABLE chat(x); CREATE TABLE jid(x);"),
  ])
  func `a database of that name without its tables is refused, and views are no tables`(
    name: String, sql: String
  ) throws {
    try Fixture.withFolder { folder in
      try ForeignDatabase("\(folder)/\(name)").run(sql)
      let found = try ImportPicture([folder])
      #expect(found.messages.isEmpty)
      #expect(found.skipped.map(\.reason) == ["it has not the tables of WhatsApp"])
    }
  }

  @Test(arguments: all)
  func `a database is known by its tables, whatever it is called and however many it has`(name: String) throws
  {
    try Fixture.withFolder { folder in
      let path = folder + "/backup"
      let others = (0..<400).map {
        "CREATE TABLE a_table_that_a_reader_has_never_seen_before_\($0)(one INTEGER, two INTEGER, three TEXT);"
      }
      try FileManager.default.copyItem(atPath: Fixture.path(name), toPath: path)
      try ForeignDatabase(path).run(others.joined())
      let found = try ImportPicture([path])
      #expect(
        found.files.map(\.format) == [name.hasPrefix("whatsapp-ios") ? "whatsapp-ios" : "whatsapp-android"])
      #expect(!found.messages.isEmpty)
    }
  }

  @Test(arguments: [
    "UPDATE message SET timestamp = 9223372036854775807; UPDATE message_edit_info SET edited_timestamp = -9223372036854775808;",
    "UPDATE message SET timestamp = -9223372036854775808, message_type = -9223372036854775808;",
    "UPDATE message SET chat_row_id = 9223372036854775807, sender_jid_row_id = -9223372036854775808;",
    "UPDATE message_media SET file_size = 9223372036854775807, file_path = x'00FF', mime_type = 1e308;",
    "UPDATE message SET text_data = x'C328FF00', key_id = zeroblob(40), timestamp = 'never';",
    "UPDATE message_location SET latitude = 9e999, longitude = 'east';",
    "UPDATE message_system SET action_type = 9223372036854775807;",
    "UPDATE message_add_on SET parent_message_row_id = 'x', sender_jid_row_id = 1e300;",
    "UPDATE call_log SET duration = -9223372036854775808; UPDATE jid SET raw_string = '@';",
    "UPDATE jid SET raw_string = ''; UPDATE chat SET subject = zeroblob(100), jid_row_id = -_id;",
    "UPDATE message_quoted SET chat_row_id = 9223372036854775807, key_id = x'FF';",
    "UPDATE message_vcard SET vcard = zeroblob(1000); UPDATE props SET value = zeroblob(10);",
    "DROP TABLE jid; DROP TABLE chat; DROP TABLE message_media;",
    "UPDATE jid_map SET jid_row_id = lid_row_id;",
  ])
  func `values that lie trap nothing, and lose no other message`(sql: String) throws {
    try ForeignDatabase.changed(Self.newer, sql) { path in
      let found = try ImportPicture([path])
      #expect(found.messages.count + found.skipped.count >= 30)
    }
  }

  @Test(arguments: [
    "UPDATE messages SET timestamp = 9223372036854775807, media_wa_type = '9223372036854775807';",
    "UPDATE messages SET thumb_image = x'ACED0005747FFF', status = 6, media_size = -9223372036854775808;",
    "UPDATE messages SET thumb_image = x'ACED000574' || zeroblob(200), quoted_row_id = 9223372036854775807;",
    "UPDATE messages SET key_remote_jid = '', remote_resource = '@@@@', latitude = 'x', media_size = 9223372036854775807 WHERE _id > 1;",
    "UPDATE messages SET _id = 9223372036854775807 WHERE _id = 14; UPDATE messages SET _id = -9223372036854775808 WHERE _id = 2;",
  ])
  func `values that lie in the older table trap nothing either`(sql: String) throws {
    try ForeignDatabase.changed(Self.older, sql) { path in
      let found = try ImportPicture([path])
      #expect(found.messages.count + found.skipped.count == 13)
    }
  }

  @Test(arguments: [
    "UPDATE ZWAMESSAGE SET ZMESSAGEDATE = 9e999;", "UPDATE ZWAMESSAGE SET ZMESSAGEDATE = -1e18;",
    "UPDATE ZWAMESSAGE SET ZMESSAGETYPE = 9223372036854775807, ZGROUPEVENTTYPE = -9223372036854775808;",
    "UPDATE ZWAMEDIAITEM SET ZFILESIZE = 9223372036854775807, ZVCARDSTRING = x'FF00', ZMETADATA = x'2AFFFFFFFFFFFFFFFFFF01';",
    "UPDATE ZWAMESSAGEINFO SET ZRECEIPTINFO = x'3A80808080808080808001';",
    "UPDATE ZWAMESSAGEINFO SET ZRECEIPTINFO = x'3AFFFFFFFF0F0A'; UPDATE ZWAMESSAGE SET ZPUSHNAME = zeroblob(2000);",
    "UPDATE ZWACHATSESSION SET ZCONTACTJID = NULL, ZPARTNERNAME = NULL;", "DROP TABLE ZWAGROUPMEMBER;",
  ])
  func `values that lie on an iPhone trap nothing`(sql: String) throws {
    try ForeignDatabase.changed(Self.phone, sql) { path in
      let found = try ImportPicture([path])
      #expect(found.messages.count + found.skipped.count == 27)
    }
  }

  @Test func `triggers are not run, and nothing is written`() throws {
    let sql =
      "CREATE TRIGGER t AFTER INSERT ON message BEGIN DELETE FROM message; END; CREATE VIEW v AS SELECT 1;"
    try ForeignDatabase.changed(Self.newer, sql) { path in
      let before = try Data(contentsOf: URL(filePath: path))
      #expect(try ImportPicture([path]).messages.count == 35)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      let folder = URL(filePath: path).deletingLastPathComponent().path
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["msgstore.db"])
    }
  }

  @Test func `a text of seventy megabytes is passed over, and what is around it read`() throws {
    let sql = """
      UPDATE message SET text_data = zeroblob(73400320) WHERE _id IN (3, 24);
      UPDATE message_add_on_reaction SET reaction = zeroblob(73400320) WHERE message_add_on_row_id = 6;
      """
    try ForeignDatabase.changed(Self.newer, sql) { path in
      let found = try ImportPicture([path])
      #expect(
        found.skipped.map(\.reason) == [
          "row 3 has a value that is longer than 64 MB", "row 24 has a value that is longer than 64 MB",
          "row 34 has no time",
        ])
      #expect(found.messages.count == 33)
    }
  }

  @Test func `what another program has written so far is read, beside its log and while it goes on`() throws {
    try ForeignDatabase.changed(Self.newer, "PRAGMA journal_mode = wal;") { path in
      let writer = try ForeignDatabase(path)
      writer.run("PRAGMA wal_autocheckpoint = 0")
      writer.run("INSERT INTO message VALUES (40, 1, 0, 'K40', 0, 0, 1709300000000, 0, 'in the log')")
      var reader = try ImportReader([path], options: .utc)
      var bodies: [String] = []
      while let event = reader.next() {
        if case .file = event {
          writer.run("BEGIN; INSERT INTO message VALUES (41, 1, 0, 'K41', 0, 0, 1709300000000, 0, 'not yet')")
        }
        if case .batch(let batch) = event {
          bodies += batch.entries.entries.compactMap { batch.entries.string($0.text) }
        }
      }
      writer.run("COMMIT")
      #expect(bodies.last == "in the log" || bodies.contains("in the log"))
      #expect(!bodies.contains("not yet"))
      #expect(try lines(path).last == "+491511: not yet")
    }
  }

  @Test func `names and pictures beside a database are not read where a link leads out`() throws {
    try Fixture.withFolder { folder in
      let inside = folder + "/inside"
      try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
      let source = Fixture.path("whatsapp-android/2024/Databases/")
      try FileManager.default.copyItem(atPath: source + "/msgstore.db", toPath: inside + "/msgstore.db")
      try FileManager.default.copyItem(atPath: source + "/wa.db", toPath: folder + "/wa.db")
      try FileManager.default.createSymbolicLink(
        atPath: inside + "/wa.db", withDestinationPath: folder + "/wa.db")
      #expect(try lines(inside).contains("+491511: Is the kettle on? 🫖"))
      try FileManager.default.removeItem(atPath: inside + "/wa.db")
      try FileManager.default.copyItem(atPath: source + "/wa.db", toPath: inside + "/wa.db")
      #expect(try lines(inside).contains("Ann: Is the kettle on? 🫖"))
    }
  }

  @Test func `what lies beside the messages goes with them, and is no history of its own`() throws {
    let found = try ImportPicture([Fixture.path("whatsapp-android"), Fixture.path("whatsapp-ios")])
    let ignored = found.skipped.filter { $0.scope == .ignored }.map(\.reason)
    #expect(ignored.count { $0 == "it goes with WhatsApp's database" } == 3)
    #expect(!found.messages.contains { $0.body.contains("reads like a log") })
  }

  @Test func `both tables of a telephone that changes from one to the other are not read twice`() throws {
    let sql = """
      CREATE TABLE chat (_id INTEGER PRIMARY KEY, jid_row_id INTEGER, subject TEXT);
      CREATE TABLE jid (_id INTEGER PRIMARY KEY, raw_string TEXT);
      CREATE TABLE message (_id INTEGER PRIMARY KEY, chat_row_id, from_me, key_id, timestamp, message_type, text_data);
      INSERT INTO message VALUES (3, 1, 0, 'K', 1709200801000, 0, 'half of it');
      """
    try ForeignDatabase.changed(Self.older, sql) { path in
      #expect(try lines(path).count == 13)
      try ForeignDatabase(path).run("UPDATE message SET _id = 14")
      #expect(try lines(path) == ["-: half of it"])
    }
  }

  @Test func `many reactions of one message, and many members of one notice, are read in one go`() throws {
    let sql = """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 30100)
        INSERT INTO message_add_on SELECT i, 1, 0, 1, 3 FROM n;
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 30100)
        INSERT INTO message_add_on_reaction SELECT i, '👍' || i FROM n;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
        INSERT INTO message_system_chat_participant SELECT 22, 2 FROM n;
      """
    try ForeignDatabase.changed(Self.newer, sql) { path in
      let found = try ImportPicture([path]).messages
      #expect(found.first { $0.body.hasPrefix("Is the kettle") }?.details?.reactions.count == 10_000)
      #expect(found.contains { $0.body.hasPrefix("added ") && $0.body.utf8.count < 1_000 })
    }
  }
}
