import Foundation
import MessageInterchange
import MessageModel
import Testing

/// What is not read is named for what it is, with the way out.
@Suite struct RefusedFileTests {
  private func picture(_ files: [String: some Collection<UInt8>]) throws -> ImportPicture {
    try Fixture.withFolder { folder in
      for (name, bytes) in files { try Fixture.write(bytes, to: "\(folder)/\(name)") }
      return try ImportPicture([folder])
    }
  }

  private func picture(_ name: String, _ text: String) throws -> ImportPicture {
    try picture([name: Array(text.utf8)])
  }

  @Test(arguments: [
    (
      "MyActivity.html", "<html><body><div class=\"outer-cell mdl-cell\">tea</div></body></html>",
      "it is Google's list of activities as HTML (takeout.google.com makes JSON of My Activity where that is chosen, of which Gemini Apps are read)"
    )
  ])
  func `a file that is not read says what it is`(name: String, text: String, reason: String) throws {
    let found = try picture(name, text)
    #expect(found.messages.isEmpty && found.skipped.map(\.reason) == [reason])
  }

  @Test func `a database in an archive is to be unpacked`() throws {
    let database = Data("SQLite format 3\0".utf8) + Data(repeating: 0, count: 500)
    for name in ["chat.db", "state.vscdb", "ChatStorage.sqlite", "tea.bin"] {
      let archive = StoredArchive(of: database, named: name)
      let found = try picture(["export.zip": archive.bytes])
      #expect(found.files.isEmpty)
      #expect(
        found.skipped.map(\.reason) == [
          "it is a database, which cannot be read inside an archive or pipe (unpack it, together with the files beside it that end in -wal and -shm)"
        ])
    }
  }

  @Test func `a storage of Cursor with questions alone is reported, and loses nothing`() throws {
    try Fixture.withFolder { folder in
      let database = try ForeignDatabase("\(folder)/state.vscdb")
      database.run("CREATE TABLE ItemTable(key TEXT PRIMARY KEY, value BLOB)")
      database.run(#"INSERT INTO ItemTable VALUES ('aiService.prompts', '[{"text":"make tea"}]')"#)
      let found = try ImportPicture([folder])
      #expect(found.messages.isEmpty && found.skipped.map(\.scope) == [.ignored])
      #expect(found.skipped.first?.reason.hasPrefix("it has questions and no chat") == true)
    }
  }

  @Test func `a row that was cut is reported, and comes whole with the whole file`() throws {
    let start = "time,sender,text\n2026-05-01T10:00:00Z,Ann,tea\n"
    let cut = try picture("tea.csv", start + #"2026-05-01T10:01:00Z,Bob,"with mi"#)
    #expect(cut.messages.map(\.body) == ["tea"])
    #expect(cut.skipped.map(\.line) == [3])
    #expect(cut.skipped.map(\.reason) == ["the file ends within a cell of it, and may have been cut"])
    let whole = try picture("tea.csv", start + #"2026-05-01T10:01:00Z,Bob,"with milk""#)
    #expect(whole.messages.map(\.body) == ["tea", "with milk"] && whole.skipped.isEmpty)
  }

  // MARK: Telegram and Messenger

  private func page(_ messages: String) throws -> ImportPicture {
    try picture(
      "messages.html",
      #"<html><div class="page_wrap"><div class="page_header"><div class="text bold">Tea</div></div><div class="history">"#
        + messages + "</div></div></html>")
  }

  private func message(_ id: Int, _ name: String?, _ text: String, replyTo reply: Int? = nil) -> String {
    let author = name.map { #"<div class="from_name">\#($0)</div>"# } ?? ""
    let answered =
      reply.map {
        ##"<div class="reply_to details">In reply to <a href="#go_to_message\##($0)">this message</a></div>"##
      } ?? ""
    return
      #"<div class="message default clearfix" id="message\#(id)"><div class="body"><div class="pull_right date details" title="10.05.2018 10:00:00 UTC+00:00">10:00</div>\#(author)\#(answered)<div class="text">\#(text)</div></div></div>"#
      + "\n"
  }

  @Test func `what a group of Telegram was before keeps its replies and its events`() throws {
    let day =
      #"<div class="message service" id="message-1"><div class="body details">10 May 2018</div></div>"#
    let event =
      #"<div class="message service" id="message-999999741"><div class="body details">Ann created the group</div></div>"#
    let found = try page(
      day + event + message(-999_999_740, "Ann", "tea?")
        + message(-999_999_739, "Bob", "yes", replyTo: -999_999_740))
    #expect(found.messages.map(\.body) == ["Ann created the group", "tea?", "yes"])
    #expect(found.messages.last?.details?.replyTo == .external("Tea/-999999740"))
    #expect(found.messages.dropFirst().first?.details?.source?.id == "Tea/-999999740")
  }

  @Test func `a message whose name somebody removed from the page is not by the one before`() throws {
    let joined = message(3, nil, "milk").replacing("default clearfix", with: "default clearfix joined")
    let found = try page(message(1, "Ann", "tea?") + joined + message(2, nil, "yes"))
    #expect(found.messages.map(\.sender) == ["Ann", "Ann", nil])
  }

  @Test(arguments: [
    ("1970-01-01T05:00:00", false), ("1969-12-31T19:00:00", false), ("2017-05-01T11:00:00", true),
  ])
  func `a message that was edited at the beginning of 1970 was not`(edited: String, isEdited: Bool) throws {
    let found = try picture(
      "result.json",
      #"{"name":"Tea","type":"private_group","id":101,"messages":[{"id":1,"type":"message","date":"2017-05-01T10:00:00","edited":"\#(edited)","from":"Ann","from_id":11,"text":"tea?"}]}"#
    )
    #expect(found.messages.map { $0.details?.isEdited } == [isEdited])
  }

  @Test func `a chat of Messenger that was cut is called by its title once that comes`() throws {
    let messages = (0..<8).map {
      #"{"sender_name":"Ann","timestamp_ms":\#(1_714_557_600_000 - $0),"content":"cup"}"#
    }
    let start =
      #"{"participants":[{"name":"Ann"},{"name":"Bob"}],"messages":[\#(messages.joined(separator: ","))"#
    let cut = try picture("inbox/tea_1/message_1.json", start)
    #expect(cut.batches.first?.entries.newestTitles.isEmpty == true)
    let whole = try picture(
      "inbox/tea_1/message_1.json", start + #"],"title":"Tea","thread_path":"inbox/tea_1"}"#)
    #expect(whole.batches.first?.entries.newestTitles == [0: "Tea"])
    #expect(whole.batches.first?.entries.identities == cut.batches.first?.entries.identities)
  }
}
