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
