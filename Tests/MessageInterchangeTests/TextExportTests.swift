import Foundation
import MessageInterchange
import MessageModel
import Testing

@Suite struct TextExportTests {
  @Test func `each kind of message is a line for people that controls no terminal`() throws {
    let messages = try ImportPicture([Fixture.path("jsonl/canonical.jsonl")]).messages
    let text = String(decoding: exported(messages, by: TextExport(timeZone: .gmt)), as: UTF8.self)
    #expect(!text.utf8.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F })
    try expectGolden(text, "jsonl/canonical.text.golden")
  }

  @Test(arguments: [
    ("a.html", true), ("a.SVG", true), ("a.xml", true), ("a.js", true), ("a.xhtml", true), ("a.pdf", true),
    ("a", true), ("a.png.htm", true), ("a.jpg", false), ("a.PNG", false), ("a.mp4", false), ("a.ogg", false),
    ("a.txt", false), ("a b/c.d/e.webp", false), ("x.png/page", true),
  ])
  func `a file that a browser might run is a link that downloads it`(path: String, isDownload: Bool) {
    var record = ExportRecord(id: Message.ID(rawValue: 0), conversation: "c", text: "")
    var file = Message.Attachment(name: path)
    (file.path, file.isStored, record.hasFilesBeside) = (path, true, true)
    record.attachments = [file]
    var bytes: [UInt8] = []
    var export = HTMLExport(timeZone: .gmt)
    export.write(record, to: &bytes)
    let page = String(decoding: bytes, as: UTF8.self)
    #expect(
      page.contains("<a href=\"./\(path.replacing(" ", with: "%20"))\"\(isDownload ? " download" : "")>"))
  }

  @Test(arguments: ["markdown", "html", "mbox"])
  func `each format for reading shows each message and lets nothing of it act`(name: String) throws {
    let messages = try ImportPicture([Fixture.path("jsonl/canonical.jsonl")]).messages
    var export = try ExportFormats.named(name, options: ExportOptions(timeZone: .gmt))
    var bytes: [UInt8] = []
    export.writeHeader(to: &bytes)
    for message in messages { export.write(message.record, to: &bytes) }
    let hostile = ExportRecord(
      id: Message.ID(time: Timestamp(millisecondsSince1970: 0)), conversation: "x\nBcc: y <script>",
      sender: "<b>\nTo: z",
      text:
        "<script>alert(1)</script> \"'& https://example.com/?a=\"onload=\"x\n- *list* 1. #\n1. one\n\n    code\nFrom here\n>From there"
    )
    export.write(hostile, to: &bytes)
    export.writeFooter(to: &bytes)
    try expectGolden(String(decoding: bytes, as: UTF8.self), "jsonl/canonical.\(name).golden")
  }

  @Test func `an exported mailbox gives the same texts again`() throws {
    let messages = try ImportPicture([Fixture.path("jsonl/canonical.jsonl")]).messages
    try Fixture.withFolder { folder in
      try Fixture.write(exported(messages, by: MailboxExport()), to: folder + "/out.mbox")
      let again = try ImportPicture([folder]).messages
      let texts = messages.map { $0.body.isEmpty ? "[message without text]" : $0.body }
      #expect(again.map(\.body) == texts.map { $0.replacing("\r", with: "") })
      #expect(again.map(\.conversation) == messages.map(\.conversation))
    }
  }

  @Test(arguments: [-69_999, -43, 0, 7, 99, 1_000, 2024, 12_024, 69_999])
  func `an exported mailbox gives the same years again`(year: Int) throws {
    let time = Timestamp(utc: CivilTime(year: year, month: 2, day: 28, hour: 10))
    var bytes: [UInt8] = []
    for text in ["one", "two"] {
      var export = MailboxExport()
      let record = ExportRecord(id: Message.ID(time: time), conversation: "c", text: text)
      export.write(record, to: &bytes)
    }
    try Fixture.withFolder { folder in
      try Fixture.write(bytes, to: folder + "/out.mbox")
      let again = try ImportPicture([folder])
      #expect(again.messages.map(\.time) == [time, time])
      #expect(again.skipped.isEmpty)
    }
  }

  @Test func `times are those of the zone asked for, and a day stays that day`() throws {
    let messages = try ImportPicture([Fixture.path("jsonl/canonical.jsonl")]).messages
    let zone = try #require(TimeZone(identifier: "America/New_York"))
    let text = String(
      decoding: exported(Array(messages[2...3]), by: TextExport(timeZone: zone)), as: UTF8.self)
    #expect(text == "2024-05-01 08:34  * alice waves\n2024-05-01  -- the log begins\n")
  }

  @Test func `plain text is shown as it is and control characters as symbols`() {
    #expect(VisibleText.of("plain 潮汐 👍🏽\t") == "plain 潮汐 👍🏽\t")
    #expect(VisibleText.of("a\u{1B}[2J\u{0}\u{7F}\n\r\t", keepsTabs: false) == "a␛[2J␀␡␊␍␉")
    #expect(
      VisibleText.of("\u{9B}\u{202E}\u{2066}\u{2028}\u{A0}\u{200F}")
        == "⟨U+009B⟩⟨U+202E⟩⟨U+2066⟩⟨U+2028⟩\u{A0}\u{200F}")
  }
}
