import Foundation
import MessageInterchange
import MessageModel
import TestSupport
import Testing

/// What people's folders hold besides good files: nothing of it keeps the rest from being read.
@Suite struct BadInputTests {

  @Test(arguments: [
    ("telegram", "telegram/result.json", "chat.txt"), ("csv", "tables/messages.csv", "table.json"),
    ("whatsapp", "whatsapp/es.txt", "chat.zip"),
    ("irc-weechat", "irc/weechat/irc.libera.#tea.weechatlog", "a.csv"),
    ("imessage", "imessage/chat.db", "messages.txt"), ("mbox", "mail/harbour.mbox", "mail.html"),
    ("slack", "slack/export.zip", "slack.tar"), ("jsonl", "jsonl/canonical.jsonl", "backup.mbox"),
  ])
  func `a name that says something else does not mislead`(format: String, file: String, name: String) throws {
    let whole = try Data(contentsOf: URL(filePath: Fixture.path(file)))
    try Fixture.withFolder { folder in
      try Fixture.write(whole, to: "\(folder)/\(name)")
      let picture = try ImportPicture([folder])
      #expect(Set(picture.files.map(\.format)) == [format])
      #expect(picture.messages.count == (try ImportPicture([Fixture.path(file)]).messages.count))
    }
  }

  @Test func `of a folder of everything each file is read by its own format, or named`() throws {
    try Fixture.withFolder { folder in
      for name in [
        "telegram/result.json", "tables/messages.csv", "whatsapp/es.txt", "mail/harbour.mbox",
        "slack/export.zip",
      ] {
        let bytes = try Data(contentsOf: URL(filePath: Fixture.path(name)))
        try Fixture.write(bytes, to: "\(folder)/\(name)")
      }
      try Fixture.write([0xFF, 0xD8, 0xFF, 0xE0, 0, 16], to: folder + "/cup.jpg")
      try Fixture.write([], to: folder + "/empty")
      try Fixture.write((0..<9_999).map { UInt8(truncatingIfNeeded: $0 &* 131) }, to: folder + "/noise.bin")
      try Fixture.write(Array("{\"a\":".utf8), to: folder + "/cut.json")
      let picture = try ImportPicture([folder])
      #expect(Set(picture.files.map(\.format)) == ["telegram", "csv", "whatsapp", "mbox", "slack"])
      let named = picture.skipped.filter { $0.scope == .file }.map {
        $0.path.replacing(folder + "/", with: "")
      }
      #expect(named == ["cut.json", "noise.bin"])
      #expect(picture.progress.skippedFileCount == 2)
    }
  }

  @Test(arguments: [
    "telegram", "slack", "discord", "discord-html", "messenger", "google-chat", "matrix", "zulip", "hangouts",
    "adium", "sms", "line", "json",
  ])
  func `a file that is not of the format that was named is named, and the others are read`(format: String)
    throws
  {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("# Tea\n\nA page about tea.\n".utf8), to: folder + "/README.md")
      let alone = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
      let reason = "it is not in \(format) format"
      #expect(alone.skipped.map(\.description) == ["\(folder)/README.md: \(reason)"])
      #expect(alone.progress.fileCount == 0 && alone.progress.skippedFileCount == 1)
      let chat = try Data(contentsOf: URL(filePath: Fixture.path("telegram/result.json")))
      try Fixture.write(chat, to: folder + "/result.json")
      let both = try ImportPicture([folder], ImportOptions(format: "telegram", timeZone: .gmt))
      #expect(
        both.messages.count == (try ImportPicture([Fixture.path("telegram/result.json")])).messages.count)
      #expect(both.skipped.filter { $0.scope == .file }.count == 1)
    }
  }

  @Test(arguments: [
    "discord-html/tea.html", "telegram-html/messages.html", "matrix-html/2024/messages.html",
    "messenger-html/messages/inbox/ann_123/message_1.html",
  ])
  func `each message of a page that was cut is in the whole one, by the same author`(page: String) throws {
    let whole = Set(try ImportPicture([Fixture.path(page)]).messages.map(\.text))
    let bytes = try Array(Data(contentsOf: URL(filePath: Fixture.path(page))))
    try Fixture.withFolder { folder in
      for count in stride(from: bytes.count / 2, to: bytes.count, by: max(1, bytes.count / 60)) {
        try Fixture.write(Array(bytes.prefix(count)), to: "\(folder)/\(page)")
        let found = try ImportPicture(["\(folder)/\(page)"]).messages.map(\.text)
        #expect(whole.isSuperset(of: found), "\(count) of \(bytes.count) bytes")
      }
    }
  }

  @Test(arguments: [
    ("slack", "[]"), ("zulip-archive", "[ ]\n"), ("matrix", #"{"messages":[]}"#), ("json", #"{"items":[]}"#),
    ("telegram", #"{"name":"Ann","type":"personal_chat","id":1,"messages":[]}"#),
    ("discord", #"{"guild":{"id":"0"},"channel":{"id":"1","name":"tea"},"messages":[],"messageCount":0}"#),
    ("messenger", #"{"participants":[{"name":"Ann"}],"messages":[],"title":"Ann"}"#),
    ("hangouts", #"{"conversations":[]}"#), ("google-chat", #"{"messages":[]}"#),
    ("sms", "<?xml version='1.0'?>\n<smses count=\"0\">\n</smses>\n"),
    ("line", "[LINE] Chat history with Ann\nSaved on: 2024/05/01 10:00\n"), ("csv", "time,sender,text\n"),
    ("tsv", "time\tsender\n"), ("irc-irssi", "--- Log opened Thu Feb 29 10:00:00 2024\n"),
    ("jsonl", "\n\n"),
  ])
  func `an export that holds no message is of its format nevertheless`(format: String, text: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: folder + "/export")
      let picture = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
      #expect(picture.skipped.isEmpty && picture.messages.isEmpty)
      #expect(picture.progress.fileCount == 1)
    }
  }

  @Test(arguments: [
    (
      "mattermost", #"{"type":"version","version":1}"# + "\n" + #"{"type":"team","team":{"name":"t"}}"# + "\n"
    ),
    ("adium", #"<?xml version="1.0"?><chat xmlns="http://purl.org/net/ulf/ns/0.4-02" account="a"></chat>"#),
    ("discord-csv", "AuthorID,Author,Date,Content,Attachments,Reactions\n"),
    (
      "discord-html",
      #"<html><body><style>.chatlog__message{}</style><div class="info__channel-message-count">0 messages</div></body></html>"#
    ),
    (
      "discord-html",
      "<html><body><style>.chatlog__message{}</style><div class=postamble__entry>Exported 0 message(s)</div></body></html>"
    ),
    ("slackdump", #"{"t":5,"ts":1,"id":"C1","ci":{"id":"C1","name":"tea"}}"# + "\n"),
  ])
  func `an empty export is told by its own shape, without a name for it`(format: String, text: String) throws
  {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: folder + "/export")
      let picture = try ImportPicture([folder])
      #expect(picture.files.map(\.format) == [format])
      #expect(picture.skipped.isEmpty && picture.messages.isEmpty)
    }
  }

  @Test(arguments: [
    (
      "discord-html",
      "<html><body><style>.chatlog__message{}</style><p class=chatlog__row>hello</p></body></html>"
    ),
    (
      "line",
      "[LINE] Chat history with Ann\nSaved on: 2024/05/01 10:00\nat ten Ann said hello\nand Ben said hi\n"
    ),
    ("sms", "<?xml version='1.0'?><smses count=\"1\"><letter address=\"1\" body=\"x\"/></smses>"),
    (
      "adium",
      #"<?xml version="1.0"?><chat xmlns="http://purl.org/net/ulf/ns/0.4-02"><line>hello</line></chat>"#
    ),
    ("google-chat", #"{"topic_id":1,"message_id":1,"created_date":1,"messages":{"a":"hello"}}"#),
  ])
  func `a file that looks like a format and of which nothing is read is named, whatever the format`(
    format: String, text: String
  ) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: folder + "/export")
      for options in [ImportOptions.utc, ImportOptions(format: format, timeZone: .gmt)] {
        let picture = try ImportPicture([folder], options)
        #expect(picture.files.map(\.format) == [format])
        #expect(picture.messages.isEmpty)
        let title = picture.files.first?.formatTitle ?? ""
        #expect(
          picture.skipped.map(\.reason) == ["it looks like \(title), and no message was found in it"])
        #expect(picture.progress.skippedFileCount == 1 && picture.progress.fileCount == 0)
      }
    }
  }

  @Test func `an empty channel beside full ones is no error`() throws {
    try Fixture.withFolder { folder in
      let day = #"[{"type":"message","user":"U1","text":"hello","ts":"1709164800.000100"}]"#
      try Fixture.write(Array(day.utf8), to: folder + "/tea/2024-02-29.json")
      try Fixture.write(Array("[]".utf8), to: folder + "/quiet/2024-02-29.json")
      let picture = try ImportPicture([folder], ImportOptions(format: "slack", timeZone: .gmt))
      #expect(picture.messages.count == 1)
      #expect(picture.skipped.isEmpty)
    }
  }

  @Test func `a batch ends where its details take much memory, and so do skipped records`() throws {
    try Fixture.withFolder { folder in
      let line =
        #"{"conversation":"c","time":"2024-02-29T10:00:00Z","text":"x","source":{"platform":"p","id":""#
      let lines = (0..<16_000).map { line + "\($0)\"}}\n" }.joined()
      try Fixture.write(Array(lines.utf8), to: folder + "/c.jsonl")
      let counts = try ImportPicture([folder]).batches.map(\.entries.count)
      #expect(counts.reduce(0, +) == 16_000)
      #expect(counts.count >= 2)
    }
  }

  @Test func `of very many records the bad one alone is skipped`() throws {
    let count = isLong ? 1_000_000 : 30_000
    try Fixture.withFolder { folder in
      var bytes: [UInt8] = []
      for number in 1...count {
        let time = number == count / 2 ? "2024-02-30T10:00:00Z" : "2024-02-29T10:00:00Z"
        bytes += Array(
          #"{"conversation":"tea","time":"\#(time)","sender":"ann","text":"\#(number)"}\#n"#.utf8)
      }
      try Fixture.write(bytes, to: folder + "/tea.jsonl")
      let picture = try ImportPicture([folder])
      #expect(picture.progress.messageCount == count - 1)
      #expect(picture.skipped.map(\.line) == [count / 2])
      #expect(picture.skipped.map(\.reason) == ["its time does not exist"])
      #expect(String(decoding: picture.skipped[0].record, as: UTF8.self).contains("\"\(count / 2)\""))
    }
  }

  @Test func `a file that grows while it is read gives whole records, and a second import the rest`() throws {
    try Fixture.withFolder { folder in
      let path = folder + "/tea.2024-02-29.txt"
      func lines(_ numbers: Range<Int>) -> [UInt8] { numbers.flatMap { Array("[10:00] <ann> \($0)\n".utf8) } }
      try Fixture.write(lines(0..<30_000), to: path)
      var reader = try ImportReader([folder], options: .utc)
      var bodies: [String] = []
      var hasGrown = false
      while let event = reader.next() {
        guard case .batch(let batch) = event else { continue }
        bodies += batch.entries.entries.map { batch.entries.string($0.text) ?? "" }
        if hasGrown { continue }
        hasGrown = true
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(lines(30_000..<30_100) + Array("[10:00] <ann> 30100".utf8)))
        try file.close()
      }
      #expect(bodies.count >= 30_000)
      #expect(bodies == (0..<bodies.count).map(String.init))
      let progress = reader.progress
      #expect(progress.doneByteCount <= progress.totalByteCount ?? 0)
      #expect(try ImportPicture([folder]).messages.count == 30_101)
    }
  }

  @Test func `a file that is cut off while it is read gives what it had`() throws {
    try Fixture.withFolder { folder in
      let path = folder + "/tea.2024-02-29.txt"
      let line = Array("[10:00] <ann> again and again\n".utf8)
      try Fixture.write(repeatElement(line, count: 60_000).joined(), to: path)
      var reader = try ImportReader([folder], options: .utc)
      var count = 0
      while let event = reader.next() {
        guard case .batch(let batch) = event else { continue }
        count += batch.entries.count
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: 10)
        try file.close()
      }
      #expect(count > 0 && count < 60_000)
    }
  }

  @Test(arguments: [
    ("a.2024-02-30.txt", "[10:00] <ann> x\n"),
    ("whatsapp.txt", "29/02/2023, 10:00 - Ann: x\n30/02/2024, 10:00 - Ann: y\n"),
    ("t.csv", "time,sender,text\n2023-02-29 10:00,ann,x\n2024-01-01 25:00,ann,y\n"),
    ("irc.libera.#tea.weechatlog", "2024-13-01 10:00:00\tann\tx\n2024-04-31 10:00:00\tann\ty\n"),
    (
      "a.json",
      #"[{"type":"message","user":"U1","text":"x","ts":"yesterday"},{"type":"message","text":"y","ts":""}]"#
    ),
  ])
  func `days and times that do not exist are skipped, each with its reason`(name: String, text: String) throws
  {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.isEmpty)
      #expect(!picture.skipped.isEmpty)
      #expect(picture.skipped.allSatisfy { $0.scope != .ignored && !$0.reason.isEmpty })
    }
  }

  @Test func `zeros and halves of characters in a text are no end of it, whatever the format`() throws {
    let texts = [
      (
        "a.jsonl",
        #"{"conversation":"c","time":"2024-02-29T10:00:00Z","sender":"ann","text":"a\u0000b \ud83d c"}"#
      ),
      ("b.csv", "time,sender,text\n2024-02-29 10:00,ann,a\u{0}b \u{FFFD} c\n"),
      ("c.2024-02-29.txt", "[10:00] <ann> a\u{0}b \u{FFFD} c\n"),
      ("d.json", #"[{"type":"message","user":"ann","text":"a\u0000b \udc00 c","ts":"1709200800.1"}]"#),
    ]
    try Fixture.withFolder { folder in
      for (name, text) in texts { try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)") }
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == repeatElement("a\u{0}b \u{FFFD} c", count: 4).map { $0 })
    }
  }

  @Test func `links and devices in an archive are passed over`() throws {
    let picture = try ImportPicture([Fixture.path("archives/links.tar")])
    #expect(picture.messages.map(\.body) == ["the only file"])
    #expect(picture.files.count == 1)
  }

  @Test func `a record over 64 MB is skipped and the next one read`() throws {
    try Fixture.withFolder { folder in
      let start = #"{"conversation":"c","time":"2024-02-29T10:00:00Z","sender":"ann","text":""#
      var bytes = Array((start + "before\"}\n" + start).utf8)
      bytes += [UInt8](repeating: 0x61, count: 65 << 20)
      bytes += Array(("\"}\n" + start + "after\"}\n").utf8)
      try Fixture.write(bytes, to: folder + "/c.jsonl")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == ["before", "after"])
      #expect(picture.skipped.map(\.description) == [folder + "/c.jsonl:2: the line is longer than 64 MB"])
    }
  }
}
