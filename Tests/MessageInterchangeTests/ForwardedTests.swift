import Foundation
import MessageInterchange
import MessageModel
import Testing

/// By whom the words of a message were written, where its sender only passed them on.
@Suite struct ForwardedTests {
  private func messages(_ text: String, _ name: String) throws -> [ImportPicture.Line] {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      return try ImportPicture([folder]).messages
    }
  }

  private func time(_ text: String) -> Timestamp {
    Timestamp(
      millisecondsSince1970: Int64((try? Date(text, strategy: .iso8601))?.timeIntervalSince1970 ?? 0) * 1_000)
  }

  @Test func `Telegram names the author and the chat's id`() throws {
    let messages = try messages(
      #"""
      {"name":"Tea","type":"private_group","id":5,"messages":[
      {"id":1,"type":"message","date":"2024-05-01T10:00:00","date_unixtime":"1714557600","from":"Ann","from_id":"user1",
       "forwarded_from":"Kettle News","forwarded_from_id":"channel7","text":"new leaves"},
      {"id":2,"type":"message","date":"2024-05-01T10:01:00","date_unixtime":"1714557660","from":"Ann","from_id":"user1",
       "text":"my own"}]}
      """#, "result.json")
    #expect(
      messages.map { $0.details?.forward } == [
        Message.Forward(author: "Kettle News", authorID: "channel7"), nil,
      ])
    #expect(messages.map(\.sender) == ["Ann", "Ann"] && messages[0].body == "new leaves")
  }

  @Test func `Telegram's pages name author and time, once for several in a row`() throws {
    func forward(_ id: Int, _ name: String, _ text: String) -> String {
      """
      <div class="message default clearfix\(name.isEmpty ? " joined" : "")" id="message\(id)"><div class="body">
      <div class="pull_right date details" title="01.02.2026 08:02:00 UTC+00:00">08:02</div>
      \(name.isEmpty ? "" : "<div class=\"from_name\">Bo</div>")
      <div class="forwarded body">\(name)<div class="text">\(text)</div></div></div></div>

      """
    }
    let name = """
      <div class="from_name">Kettle News <span class="date details" title="31.01.2026 17:00:00 UTC+00:00">31.01.2026</span></div>
      """
    let messages = try messages(
      """
      <html><body><div class="page_wrap"><div class="page_header"><div class="content"><div class="text bold">Tea</div></div></div>
      <div class="page_body chat_page"><div class="history">
      \(forward(3, name, "new leaves"))\(forward(4, "", "and old ones"))
      <div class="message default clearfix" id="message5"><div class="body"><div class="pull_right date details"
       title="01.02.2026 08:03:00 UTC+00:00">08:03</div><div class="from_name">Bo</div><div class="text">my own</div></div></div>
      </div></div></div></body></html>
      """, "messages.html")
    let origin = Message.Forward(author: "Kettle News", time: time("2026-01-31T17:00:00Z"))
    #expect(messages.map { $0.details?.forward } == [origin, origin, nil])
    #expect(messages.map(\.sender) == ["Bo", "Bo", "Bo"])
    #expect(messages.map(\.body) == ["new leaves", "and old ones", "my own"])
  }

  @Test func `Discord's forwarded words and files are the message's, quoted where its sender wrote words`()
    throws
  {
    func message(_ id: Int, _ content: String, _ forwarded: String) -> String {
      #"""
      {"id":"\#(id)","type":"Default","timestamp":"2026-03-01T09:0\#(id):00+00:00","content":"\#(content)",
       "author":{"id":"12","name":"bo"},"attachments":[],"embeds":[],"reactions":[],
       "reference":{"type":"Forward","messageId":"555","channelId":"444"},
       "forwardedMessage":{"timestamp":"2026-02-20T08:00:00+00:00","content":"\#(forwarded)","embeds":[],
       "attachments":[{"id":"7","url":"files/a.pdf","fileName":"a.pdf","fileSizeBytes":9}]}}
      """#
    }
    let messages = try messages(
      #"""
      {"guild":{"id":"1","name":"Orchard"},"channel":{"id":"2","type":"GuildTextChat","name":"pears"},
      "messages":[\#(message(1, "", "the press\\nis closed")),\#(message(2, "look:", "the press\\nis closed")),
      \#(message(3, "mine", ""))],"messageCount":3}
      """#, "pears.json")
    let written = time("2026-02-20T08:00:00Z")
    #expect(
      messages.map(\.body) == [
        "the press\nis closed", "look:\n\n» forwarded\n> the press\n> is closed", "mine\n\n» forwarded",
      ])
    #expect(messages.map { $0.details?.forward?.time } == [written, written, written])
    #expect(messages.map { $0.details?.forward?.isQuoted } == [false, true, true])
    #expect(
      messages.allSatisfy { $0.details?.attachments.map(\.name) == ["a.pdf"] && $0.details?.replyTo == nil })
  }

  @Test func `a message that is shared in Slack keeps author, channel and time`() throws {
    let messages = try messages(
      #"""
      [{"type":"message","user":"U1","text":"","ts":"1770000000.000100","attachments":[{"is_share":true,"author_name":"Bo",
        "author_id":"U9","channel_name":"press","ts":"1769990000.000100","text":"the auger is stuck","fallback":"bo: the auger"}]},
       {"type":"message","user":"U1","text":"see this","ts":"1770000030.000100","attachments":[{"is_msg_unfurl":true,
        "author_name":"Bo","text":"the auger is stuck","fallback":"bo: the auger"}]}]
      """#, "tea/2026-02-02.json")
    let origin = messages[0].details?.forward
    #expect(
      origin?.author == "Bo" && origin?.authorID == "U9" && origin?.chat == "press" && origin?.time != nil)
    #expect(messages.map(\.body) == ["the auger is stuck", "see this\n\n» Bo\n> the auger is stuck"])
    #expect(messages.map { $0.details?.forward?.isQuoted } == [false, true])
  }

  @Test func `Slack's blocks, tables, fields and cards are text`() throws {
    let messages = try messages(
      #"""
      [{"type":"message","bot_id":"B1","username":"alerts","text":"","ts":"1770000001.000100","blocks":[
        {"type":"header","text":{"type":"plain_text","text":"Deploy finished"}},{"type":"divider"},
        {"type":"section","text":{"type":"mrkdwn","text":"of <https://example.org|tea>"},
         "fields":[{"type":"mrkdwn","text":"Version 12"},{"type":"mrkdwn","text":"By Ann"}]},
        {"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"for "},
         {"type":"user","user_id":"U7"},{"type":"emoji","name":"tea"}]},
         {"type":"rich_text_list","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":"cups"}]}]},
         {"type":"rich_text_quote","elements":[{"type":"text","text":"said\nso"}]}]}]},
       {"type":"message","bot_id":"B1","text":"","ts":"1770000002.000100","attachments":[{"fallback":"[no preview]","blocks":[
        {"type":"table","rows":[[{"type":"raw_text","text":"Crop"},{"type":"raw_text","text":"Tons"}],
         [{"type":"raw_text","text":"Barley"},{"type":"raw_text","text":"14"}]]}]}]},
       {"type":"message","user":"U1","text":"mind this","ts":"1770000003.000100","attachments":[{"title":"High load",
        "fields":[{"title":"Host","value":"barn-2"}],"fallback":"High load"},
        {"title":"A page","title_link":"https://example.org","from_url":"https://example.org","text":"a preview"}]}]
      """#, "tea/2026-02-02.json")
    #expect(
      messages.map(\.body) == [
        "Deploy finished\nof tea (https://example.org)\nVersion 12\nBy Ann\nfor @U7:tea:\n- cups\n> said\n> so",
        "Crop | Tons\nBarley | 14", "mind this\nHigh load\nHost: barn-2",
      ])
  }

  @Test func `WhatsApp says that a message was forwarded, and how often, and writes down what was spoken`()
    throws
  {
    let messages = try ImportPicture([Fixture.path("whatsapp-android/2024")]).messages
    let forwarded = messages.filter { $0.details?.forward != nil }
    #expect(forwarded.map(\.body) == ["the mill is closed on Monday", "and so is the bakery"])
    #expect(forwarded.map { $0.details?.forward } == [Message.Forward(), Message.Forward(isFrequent: true)])
    #expect(messages.contains { $0.body == "bring two cups" && $0.details?.attachments.count == 1 })
  }

  @Test func `JSON Lines keep it`() throws {
    let origins = [
      Message.Forward(), Message.Forward(isFrequent: true),
      Message.Forward(
        author: "Ann \"A\"", authorID: "1", chat: "tea", time: time("2024-05-01T10:00:00Z"), isQuoted: true),
    ]
    var format = JSONLinesExport()
    var bytes: [UInt8] = []
    for (number, origin) in origins.enumerated() {
      var record = ExportRecord(id: Message.ID(rawValue: Int64(number) << 32), conversation: "c", text: "x")
      record.forward = origin
      format.write(record, to: &bytes)
    }
    let read = try messages(String(decoding: bytes, as: UTF8.self), "a.jsonl")
    #expect(read.map { $0.details?.forward } == origins)
    var again: [UInt8] = []
    for line in read { format.write(line.record, to: &again) }
    #expect(again == bytes)
  }

  @Test func `a mailbox has it as a mail within the mail, and gives it again`() throws {
    let origins = [
      nil, Message.Forward(), Message.Forward(author: "Kettle \"News\"", isFrequent: true),
      Message.Forward(
        author: "Ann", authorID: "ann@host.example", chat: "Täglich <tea>", time: time("2024-05-01T10:00:00Z")
      ),
    ]
    var format = MailboxExport()
    var bytes: [UInt8] = []
    for (number, origin) in origins.enumerated() {
      var record = ExportRecord(
        id: Message.ID(time: time("2024-05-01T11:0\(number):00Z")), conversation: "c", sender: "Bo",
        text: "new leaves\nFrom here \(number)\n")
      record.forward = origin
      format.write(record, to: &bytes)
    }
    let mailbox = String(decoding: bytes, as: UTF8.self)
    #expect(mailbox.contains("\nSubject: Fwd: c\n") && mailbox.contains("\nFrom: Ann <ann@host.example>\n"))
    let read = try messages(mailbox, "a.mbox")
    #expect(read.map { $0.details?.forward } == origins)
    #expect(read.map(\.body) == (0..<4).map { "new leaves\nFrom here \($0)\n" })
    #expect(read.allSatisfy { $0.sender == "Bo" && $0.conversation == "c" && $0.details?.senderID == nil })
  }

  @Test func `a mail that quotes another in its text stays so in a mailbox`() throws {
    let text = "look\n\n---------- Forwarded message ---------\nFrom: Ann <ann@host.example>\n\nnew leaves"
    var record = ExportRecord(
      id: Message.ID(time: time("2024-05-01T11:00:00Z")), conversation: "c", sender: "Bo", text: text)
    record.forward = Message.Forward(author: "Ann", authorID: "ann@host.example", isQuoted: true)
    var (format, bytes) = (MailboxExport(), [UInt8]())
    format.write(record, to: &bytes)
    let read = try messages(String(decoding: bytes, as: UTF8.self), "a.mbox")
    #expect(read.map { $0.details?.forward } == [record.forward] && read.map(\.body) == [text])
  }

  @Test func `exports for people show it above the text`() throws {
    var record = ExportRecord(
      id: Message.ID(rawValue: 7_022_866_009_247_744), conversation: "c", sender: "Ann", text: "new leaves")
    record.forward = Message.Forward(author: "<Kettle>", chat: "News", isFrequent: true)
    func written(_ format: some ExportFormat) -> String {
      var (format, bytes) = (format, [UInt8]())
      format.write(record, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    let line = "» <Kettle> in News, forwarded many times"
    #expect(written(TextExport(timeZone: .gmt)).contains("Ann  \(line)\n                     new leaves\n"))
    #expect(
      written(MarkdownExport(timeZone: .gmt)).contains(
        "» \\<Kettle\\> in News, forwarded many times  \nnew leaves"))
    #expect(written(HTMLExport(timeZone: .gmt)).contains("» &lt;Kettle&gt; in News, forwarded many times"))
    #expect(written(TableExport(.csv)).contains("new leaves") && written(TableExport(.csv)).contains(line))
    record.forward?.isQuoted = true
    #expect(!written(TextExport(timeZone: .gmt)).contains("»"))
  }
}
