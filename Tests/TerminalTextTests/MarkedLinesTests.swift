import Foundation
import MessageMarkup
import MessageModel
import TestSupport
import Testing

@testable import TerminalText

@Suite struct MarkedLinesTests {
  private func rows(
    _ text: String, as dialect: MarkupDialect, hits: [String] = [], columns: Int = 60,
    showsMarkup: Bool = true,
    reactions: [Message.Reaction] = []
  ) -> [Row] {
    var settings = LayoutSettings(columns: columns, zone: .gmt, hits: hits)
    settings.showsMarkup = showsMarkup
    var renderer = MessageRenderer(settings)
    let message = Message(
      id: Message.ID(time: Timestamp(millisecondsSince1970: 0)), conversation: Conversation.ID(rawValue: 1),
      text: text, reactions: reactions)
    return renderer.rows(of: message, under: ShownNames(dialect: dialect))
  }

  private func texts(_ rows: [Row]) -> [String] {
    rows.map {
      $0.plainText.trimmingCharacters(in: .whitespaces).replacing("00:00", with: "").trimmingCharacters(
        in: .whitespaces)
    }
  }

  @Test func `signs are left out, and what is between them has its looks`() {
    let row = rows("a *bold* and `code` _it_ ~gone~", as: .slack)[0]
    #expect(texts([row]) == ["a bold and code it gone"])
    #expect(row.spans.first { $0.text == "bold" }?.style.isBold == true)
    #expect(row.spans.first { $0.text == "code" }?.style.color == .code)
    #expect(row.spans.first { $0.text == "it" }?.style.isItalic == true)
    #expect(row.spans.first { $0.text == "gone" }?.style.isStruck == true)
  }

  @Test func `code has comments, strings and keywords apart, and a diff has its colours`() {
    let spans = rows(
      "```swift\nlet a = \"tea\" // pot\nurl(https://a.org, it's)\n```\n\n```diff\n+new\n-old\n```",
      as: .markdown
    ).flatMap(\.spans)
    func style(_ text: String) -> Style? { spans.first { $0.text == text }?.style }
    #expect(style("let") == Style(color: .code, isBold: true) && style("\"tea\"") == Style(color: .place))
    #expect(style("// pot") == .dim && style("url(https://a.org, it's)") == Style(color: .code))
    #expect(style("+new") == Style(color: .added) && style("-old") == Style(color: .removed))
  }

  @Test func `quotes without an end make no strings, and are looked at once`() {
    let line = String(repeating: "\\\"", count: 100_000)
    let parts = CodeStyles.parts(of: Array("say \"\(line)\nlet 'a'".utf8)[...], language: nil)
    #expect(parts.count == 4 && parts[1].style.isBold && parts[3].style == Style(color: .place))
  }

  @Test func `a diff has its colours without a fence, and a list beside a fenced one has none`() {
    func colors(_ text: String) -> [Style.Color?] {
      rows(text, as: .markdown).map { $0.spans.last?.style.color }
    }
    #expect(colors("@@ -1 +1 @@\n-old\n+new") == [.place, .removed, .added])
    #expect(colors("+ tea\n```diff\n@@ -1 +1 @@\n-old\n```") == [.standard, .place, .removed])
  }

  @Test func `lines within fences have styles where a text is shown as it was typed`() {
    let lines = ["see", "```", "let a", "```", "```diff", "-b", "```", "``` open", "c"]
    #expect(
      CodeStyles.styles(ofFenced: lines) == [2: Style(color: .code), 5: Style(color: .removed)])
  }

  @Test func `as it was typed where that is wanted, and where nobody knows the platform`() {
    #expect(texts(rows("*bold* :+1:", as: .slack, showsMarkup: false)) == ["*bold* :+1:"])
    #expect(texts(rows("*bold* :+1:", as: .none)) == ["*bold* :+1:"])
  }

  @Test func `quotes, lists and blocks keep their lines`() {
    let text = "> quoted\n- one\n```\nlet x = 1\n```\nend"
    #expect(texts(rows(text, as: .discord)) == ["│ quoted", "• one", "let x = 1", "end"])
  }

  @Test(arguments: [
    ("say ```x = 1\ny``` now", ["say", "x = 1", "y", "now"]),
    ("one ```line``` only", ["one", "line", "only"]),
    ("1. do ```make\nmake install```\n2. done", ["1. do", "make", "make install", "2. done"]),
    ("a ```b```\n\nc", ["a", "b", "", "c"]), ("```b```", ["b"]), ("> q ```b``` r", ["│ q", "b", "r"]),
  ])
  func `a block that opens within a line has lines of its own`(text: String, lines: [String]) {
    #expect(texts(rows(text, as: .slack)) == lines)
    #expect(texts(rows("one ```line``` only", as: .whatsApp)) == ["one line only"], "that is no block there")
    #expect(texts(rows("say ```x = 1\ny``` now", as: .discord)) == ["say", "x = 1", "y", "now"])
  }

  @Test func `a name of a link is followed by where it leads`() {
    let row = rows("[here](https://a.org/x) b.org", as: .markdown)[0]
    #expect(texts([row]) == ["here (https://a.org/x) b.org"])
    #expect(row.spans.first { $0.text == "here" }?.link == "https://a.org/x")
    #expect(row.spans.first { $0.text == "b.org" }?.link == "https://b.org")
  }

  @Test func `a hit within marks is seen, and one that is a sign shows the text as it was typed`() {
    let found = rows("some *bold* words", as: .slack, hits: ["bold"])[0]
    #expect(found.spans.first { $0.text == "bold" }?.style == .hit)
    #expect(texts(rows(":tada: *bold*", as: .slack, hits: [":tada:"])) == [":tada: *bold*"])
  }

  @Test func `codes of IRC have looks, and nothing in a text controls the terminal`() {
    let row = rows("\u{2}bold\u{2} \u{3}4red", as: .irc)[0]
    #expect(texts([row]) == ["bold red"])
    #expect(row.spans.first { $0.text == "bold" }?.style.isBold == true)
    for dialect in MarkupDialect.allCases {
      for row in rows(
        "*a\u{1B}[31m* [x](https://a.org/\u{7}) \u{2}\u{1B}\u{202E}`\u{8}`\ttab *b*", as: dialect)
      {
        #expect(
          row.spans.allSatisfy { span in
            span.text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
          })
      }
    }
  }

  @Test func `names of reactions are shown as emoji`() {
    let reactions = [Message.Reaction(emoji: ":+1:", senders: ["ann", "bob"])]
    #expect(texts(rows("x", as: .slack, reactions: reactions)).last == "👍 2")
  }

  @Test func `tabs do not move the looks of what follows`() {
    let row = rows("a\t*bold*\tb `c`", as: .slack, columns: 80)[0]
    #expect(row.spans.first { $0.style.isBold && $0.style.color == .standard }?.text == "bold")
    #expect(row.spans.first { $0.style.color == .code }?.text == "c")
  }

  @Test(arguments: UInt64(0)..<(isLong ? 60 : 15))
  func `rows are no wider than the text may be, whatever is marked`(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ count: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(count))
    }
    let parts = [
      "*", "_", "`", "```", "\n", " ", "word", "漢字", "👍🏽", "[a](https://a.org)", ":tada:", "> ", "- ", "\t",
      "\u{2}", "~", "||",
    ]
    let text = (0..<(1 + next(60))).map { _ in parts[next(parts.count)] }.joined()
    for dialect in MarkupDialect.allCases {
      for row in rows(text, as: dialect, columns: 44) {
        #expect(row.columns <= 44, "\(dialect) \(text.debugDescription)")
      }
    }
  }
}
