import Foundation
import MessageModel
import Testing

@testable import MessageInterchange

/// Exports of apps, beyond what the golden files of their fixtures show.
@Suite struct AppExportTests {
  private func times(_ picture: ImportPicture) -> [String] {
    picture.messages.map { "\($0.time.utc.hour):\($0.time.utc.minute)" }
  }

  @Test
  func `pages of Telegram tell the winter's offset in summer, too, and are read by the clock of their zone`()
    throws
  {
    let path = Fixture.path("telegram-html/messages2.html")
    // 02:59 in summer and 02:00 in winter, 12:00 in India, and 12:00:01 without a zone.
    #expect(times(try ImportPicture([path], .berlin)) == ["0:59", "1:0", "6:30", "11:0"])
    #expect(times(try ImportPicture([path], .utc)) == ["1:59", "1:0", "6:30", "12:0"])
  }

  @Test func `pages of Telegram are not read where the same export lies beside them in JSON`() throws {
    try Fixture.withFolder { folder in
      let page = try Data(contentsOf: URL(filePath: Fixture.path("telegram-html/messages.html")))
      let json = try Data(contentsOf: URL(filePath: Fixture.path("telegram/result.json")))
      for (name, data) in [
        ("one/messages.html", page), ("one/result.json", json), ("all/chats/chat_001/messages.html", page),
        ("all/result.json", json), ("other/messages.html", page),
      ] {
        try Fixture.write(data, to: "\(folder)/\(name)")
      }
      let found = try ImportPicture([folder])
      #expect(found.files.map(\.format) == ["telegram", "telegram", "telegram-html"])
      #expect(found.skipped.count { $0.reason.hasPrefix("it goes with the result.json beside it") } == 2)
    }
  }

  @Test func `what happened before a page of Telegram tells a day is of the first that it tells`() throws {
    try Fixture.withFolder { folder in
      let start =
        "<html><div class=\"page_wrap\"><div class=\"page_header\"><div class=\"text bold\">x</div></div>"
        + "<div class=\"history\">"
      func event(_ id: Int, _ text: String) -> String {
        "<div class=\"message service\" id=\"message\(id)\"><div class=\"body details\">\(text)</div></div>\n"
      }
      let joined = start + event(1, "Ann joined") + event(2, "Bo joined")
      try Fixture.write(
        Data((joined + event(-1, "29 February 2024") + event(3, "Cy joined")).utf8),
        to: "\(folder)/a/messages.html")
      try Fixture.write(Data(joined.utf8), to: "\(folder)/b/messages.html")
      let found = try ImportPicture([folder])
      #expect(
        found.messages.map(\.text)
          == ["Ann", "Bo", "Cy"].map { "2024-2-29 0:0:0 day x system - |\($0) joined|" })
      #expect(found.skipped.map(\.reason) == Array(repeating: "no day for its time", count: 2))
    }
  }

  @Test func `a page of Telegram that never closes anything ends`() throws {
    try Fixture.withFolder { folder in
      let start =
        "<html><div class=\"page_wrap\"><div class=\"page_header\"><div class=\"text bold\">x</div>"
        + "<div class=\"history\">"
      let message =
        "<div class=\"message default clearfix\" id=\"message1\"><div class=\"date details\" "
        + "title=\"29.02.2024 10:00:00\"><div class=\"text\">"
      let parts = String(
        repeating: "<span class=\"reactions\"><span class=\"emoji\"><div class=\"answer\">", count: 20_000)
      try Fixture.write(
        Array((start + message + parts + start + message + "</html>").utf8), to: folder + "/messages.html")
      let found = try ImportPicture([folder])
      #expect(found.messages.count == 2)
    }
  }

  @Test func `Signal's own export and sigtop's know a message by the same id`() throws {
    try Fixture.withFolder { folder in
      let plain = """
        {"version":"1","backupTimeMs":"1"}
        {"recipient":{"id":"1","self":{}}}
        {"recipient":{"id":"2","contact":{"aci":"AAECAwQFBgcICQoLDA0ODw==","profileGivenName":"Ann"}}}
        {"chat":{"id":"1","recipientId":"2"}}
        {"chatItem":{"chatId":"1","authorId":"2","dateSent":"1709164800001","standardMessage":{"text":{"body":"a"}}}}
        {"chatItem":{"chatId":"1","authorId":"1","dateSent":"1709164800002","standardMessage":{"text":{"body":"b"}}}}
        """
      let other =
        #"[{"conversationId":"c","sent_at":1709164800001,"body":"a","type":"incoming","sourceServiceId":"00010203-0405-0607-0809-0a0b0c0d0e0f"},"#
        + #"{"conversationId":"c","sent_at":1709164800002,"body":"b","type":"outgoing"}]"#
      try Fixture.write(Array((plain + "\n").utf8), to: folder + "/main.jsonl")
      try Fixture.write(Array(other.utf8), to: folder + "/Ann.json")
      let found = try ImportPicture([folder])
      #expect(Set(found.files.map(\.format)) == ["signal", "signal-jsonl"])
      let ids = found.messages.map { $0.details?.source?.id ?? "none" }
      #expect(ids.count == 4 && Set(ids).count == 2)
    }
  }

  @Test func `a whole text that stands in a file of its own is read from there, and from nowhere else`()
    throws
  {
    let found = try ImportPicture([Fixture.path("signal-jsonl")])
    #expect(found.messages.contains { $0.body.utf8.count == 3_600 })
    try Fixture.withFolder { folder in
      let source = Fixture.path("signal-jsonl")
      try FileManager.default.createDirectory(atPath: folder + "/inside", withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: source + "/main.jsonl", toPath: folder + "/inside/main.jsonl")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/inside/files", withDestinationPath: source + "/files")
      let linked = try ImportPicture([folder + "/inside"])
      #expect(!linked.messages.contains { $0.body.utf8.count == 3_600 })
      #expect(linked.messages.count == found.messages.count)
    }
  }

  @Test func `an id of Discord's package is that of the message everywhere`() throws {
    let found = try ImportPicture([Fixture.path("discord-package")])
    #expect(found.messages.allSatisfy { $0.sender == "Eve" && $0.details?.senderID == "5" })
    #expect(found.messages.map { $0.time.utc.second } == [2, 1, 3, 4])
    #expect(found.conversations == ["House > tea", "bo#0"])
  }

  @Test(arguments: [
    ("msgstore.db.crypt15", "x"), ("signal-2024-05-01-10-00-00.backup", "x"), ("sql/db.sqlite", "encrypted"),
    ("opencode/storage/message/ses_1/msg_1.json", #"{"id":"msg_1","role":"user"}"#),
    (
      "logs/aim/me/ann/2007-03-25.123128-0400EDT.txt",
      "Conversation with ann at Sun 25 Mar 2007 12:31:28 PM on me (aim)\n"
    ),
    (
      "MyActivity.html",
      #"<html><body><div class="outer-cell mdl-cell mdl-cell--12-col"><p>Gemini Apps</p></div></body></html>"#
    ),
    ("room.json", #"[{"id":"1","text":"x","sent":"2024-05-01T10:00:00Z","fromUser":{"username":"ann"}}]"#),
  ])
  func `what is not read is called by its name, with the way out`(name: String, content: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(content.utf8), to: "\(folder)/\(name)")
      let found = try ImportPicture([folder])
      #expect(found.messages.isEmpty)
      let reason = try #require(found.skipped.first?.reason)
      #expect(UnreadFormat.all.map(\.reason).contains(reason), "\(reason)")
      #expect(found.skipped.map(\.scope) == [.file])
    }
  }

  @Test func `each format that is not read says something else`() {
    #expect(Set(UnreadFormat.all.map(\.reason)).count == UnreadFormat.all.count)
  }

  @Test func `the logs of a database go with it`() throws {
    try Fixture.withFolder { folder in
      try FileManager.default.copyItem(
        atPath: Fixture.path("imessage/chat.db"), toPath: folder + "/chat.db")
      try Fixture.write([], to: folder + "/chat.db-wal")
      try Fixture.write(Array("index".utf8), to: folder + "/chat.db-shm")
      let found = try ImportPicture([folder])
      #expect(found.skipped.filter { $0.scope == .file }.isEmpty)
      #expect(found.skipped.contains { $0.reason == "it goes with chat.db" })
    }
  }

  @Test(arguments: [
    #"{"userId":"8:me","conversations":[{"id":"8:a","MessageList":[{"id":"1","originalarrivaltime":"2024-01-01T00:00:00Z","messagetype":"RichText","content":"<quote><quote><quote"}]}]}"#,
    #"{"userId":"8:me","conversations":[{"id":"8:a","MessageList":[{"id":"1","originalarrivaltime":"2024-01-01T00:00:00Z","messagetype":"RichText","content":"</quote><quote messageid=\"9"}]}]}"#,
    #"{"userId":"8:me","conversations":[{"id":"8:a","MessageList":[{"id":"1","originalarrivaltime":"2024-01-01T00:00:00Z","messagetype":"Event/Call","content":"<duration>1e999</duration><duration>nan</duration>"}]}]}"#,
    #"{"userId":"8:me","conversations":[{"id":"8:a","MessageList":[{"id":"1","originalarrivaltime":"2024-01-01T00:00:00Z","messagetype":"RichText/UriObject","content":"<URIObject><FileSize v=\"-9223372036854775808\">"}]}]}"#,
    #"{"userId":"8:me","conversations":[{"id":"8:a","MessageList":[{"id":"1","originalarrivaltime":"2024-01-01T00:00:00Z","messagetype":"RichText","content":"<e_m ts_ms=\"9223372036854775807\"","properties":{"emotions":"[[[["}}]}]}"#,
  ])
  func `what Skype's messages may hold traps nothing`(text: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: folder + "/messages.json")
      let found = try ImportPicture([folder])
      #expect(found.files.map(\.format) == ["skype"] && found.messages.count == 1)
    }
  }
}
