import Foundation
import Testing

@testable import MessageMarkup

/// A text with its marks drawn: `{bold:…}`, `{link>target:…}`, and `[=…]` for what is shown in place of something.
private func drawn(_ text: String, as dialect: MarkupDialect, isCut: Bool = false) -> String {
  let markup = Markup(text, as: dialect, isCut: isCut)
  let bytes = Array(text.utf8)
  var drawing = ""
  markup.walk(byteCount: bytes.count) { step in
    switch step {
    case .begin(let span): drawing += "{\(span.style.rawValue)" + (span.target.map { ">\($0)" } ?? "") + ":"
    case .text(let range): drawing += String(decoding: bytes[range], as: UTF8.self)
    case .instead(let other, _): drawing += other.isEmpty ? "" : "[=\(other)]"
    case .end: drawing += "}"
    }
  }
  return drawing
}

@Suite struct MarkupTests {
  @Test(arguments: [
    ("*bold* and _italic_ and ~gone~", "{bold:bold} and {italic:italic} and {strike:gone}"),
    ("*_both_*, _*both*_", "{bold:{italic:both}}, {italic:{bold:both}}"),
    ("2*3*4 snake_case_name a*b*", "2*3*4 snake_case_name a*b*"),
    ("* not bold * and *not bold", "* not bold * and *not bold"),
    ("**two** __two__ ~~two~~", "**two** __two__ ~~two~~"),
    ("*a *b* c", "*a {bold:b} c"),
    ("(*in*) \"_these_\", *so*.", "({bold:in}) \"{italic:these}\", {bold:so}."),
    ("*not\nover* lines", "*not\nover* lines"),
    ("`a *b* c` *d*", "{code:a *b* c} {bold:d}"),
    ("say ```x = *1*\ny``` now", "say {block:x = *1*\ny} now"),
    ("```\nx\n```\nthen", "{block:x\n}then"),
    ("```\nx\n```", "{block:x}"),
    ("```open", "```open"),
    (">quoted *b*\n> too\nnot", "{quote:quoted {bold:b}\ntoo\n}not"),
    ("a\n>>> b\nc *d*", "a\n{quote:b\nc {bold:d}}"),
    ("• one\n• two", "{item:• one\n}{item:• two}"),
    ("1. one", "{item:1. one}"),
    (
      "<https://a.org/b|the page> <https://c.org>",
      "{link>https://a.org/b:the page} {link>https://c.org:https://c.org}"
    ),
    ("<https://evil.org|bank.com> here", "{link>https://evil.org:https://evil.org} here"),
    ("<script>alert(1)</script> *<b>*", "<script>alert(1)</script> {bold:<b>}"),
    (":tada: 12:30:45 x:100:y :nothing-such:", "[=🎉] 12:30:45 x:100:y :nothing-such:"),
    (":wave::skin-tone-3:!", "[=👋🏼]!"),
    ("hi @ann.b, #general #12 a@b.org", "hi {mention:@ann.b}, {mention:#general} #12 a@b.org"),
    ("_https://a.org/x_y_", "{italic:{link:https://a.org/x_y}}"),
  ])
  func `Slack's marks are found`(text: String, drawing: String) {
    #expect(drawn(text, as: .slack) == drawing)
  }

  @Test(arguments: [
    (
      "**bold** *it* __under__ _it_ ~~gone~~ ||secret||",
      "{bold:bold} {italic:it} {underline:under} {italic:it} {strike:gone} {spoiler:secret}"
    ),
    ("***both*** ****", "{italic:{bold:both}} ****"),
    ("**a *b***", "{bold:a {italic:b}}"),
    ("a**b**c snake_case", "a{bold:b}c snake_case"),
    ("~one~ \\*typed\\*", "~one~ *typed*"),
    ("```swift\nlet x = 1\n```\nthen", "{block>swift:let x = 1\n}then"),
    ("```no language``` x", "{block:no language} x"),
    ("> quoted\n>not", "{quote:quoted\n}>not"),
    ("- one\n* two", "{item:[=• ]one\n}{item:[=• ]two}"),
    ("# Title\ntext", "{heading:Title\n}text"),
    ("[the page](https://a.org/b_(c)) x", "{link>https://a.org/b_(c):the page} x"),
    ("[bank.com](https://evil.org)", "[{link>https://bank.com:bank.com}]({link:https://evil.org})"),
    ("[run](javascript:alert(1))", "[run](javascript:alert(1))"),
    ("<:pepe:12345> <@1234>", "[=:pepe:] <@1234>"),
    ("**over\ntwo lines**", "{bold:over\ntwo lines}"),
    ("**never\n\nover paragraphs**", "**never\n\nover paragraphs**"),
  ])
  func `Discord's marks are found`(text: String, drawing: String) {
    #expect(drawn(text, as: .discord) == drawing)
  }

  @Test(arguments: [
    ("__bold__ ||typed||", "{bold:bold} ||typed||"),
    ("````\n```\n````\nx", "{block:```\n}x"),
    ("say ``a ` b`` now", "say {code:a ` b} now"),
    ("```py\nopen", "{block>py:open}"),
    ("###### deep", "{heading:deep}"),
    ("**bold** [**name**](http://a.org)", "{bold:bold} {link>http://a.org:{bold:name}}"),
  ])
  func `Markdown's marks are found`(text: String, drawing: String) {
    #expect(drawn(text, as: .markdown) == drawing)
  }

  @Test(arguments: [
    ("*bold* ```mono``` `code`", "{bold:bold} {code:mono} {code:code}"),
    ("- one\n> quoted", "{item:[=• ]one\n}{quote:quoted}"),
    (":tada: @4915112345678", ":tada: {mention:@4915112345678}"),
  ])
  func `WhatsApp's marks are found`(text: String, drawing: String) {
    #expect(drawn(text, as: .whatsApp) == drawing)
  }

  @Test(arguments: [
    (
      "\u{2}bold\u{1D}both\u{2}it\u{F} \u{3}4,12red\u{3} \u{1}",
      "{bold:bold}{bold:{italic:both}}{italic:it} red \u{1}"
    ),
    ("\u{2}see https://a.org/b\u{2} now", "{bold:see {link:https://a.org/b}} now"),
    ("*typed* `typed`", "*typed* `typed`"),
  ])
  func `Codes of IRC are found`(text: String, drawing: String) {
    #expect(drawn(text, as: .irc) == drawing)
  }

  @Test(arguments: [
    (
      "see example.org, www.a.xyz and t.me/x.",
      "see {link>https://example.org:example.org}, {link>https://www.a.xyz:www.a.xyz} and {link>https://t.me/x:t.me/x}."
    ),
    (
      "main.rs notes.md a.py e.g. i.e. end.So done.it",
      "main.rs notes.md a.py e.g. i.e. end.So {link>https://done.it:done.it}"
    ),
    ("größe.de überall.com x_y.com ann@example.org", "größe.de überall.com x_y.com ann@example.org"),
    (
      "(https://a.org/x_(y)). <https://b.org> http://",
      "({link:https://a.org/x_(y)}). <{link:https://b.org}> http://"
    ),
    (
      "HTTP://A.ORG/ mailto:a@b.org javascript:x.com/",
      "{link:HTTP://A.ORG/} {link:mailto:a@b.org} javascript:{link>https://x.com/:x.com/}"
    ),
    ("https://a.org/…", "{link:https://a.org/}…"),
    ("localhost:8080 a.org:8080/x 1.2.3", "localhost:8080 {link>https://a.org:8080/x:a.org:8080/x} 1.2.3"),
    ("*typed* _typed_", "*typed* _typed_"),
  ])
  func `Addresses are links without marks, too`(text: String, drawing: String) {
    #expect(drawn(text, as: .plain) == drawing)
  }

  @Test(arguments: [
    ("As a table:\n```python\nx = *1*\n```\nthen", "As a table:\n{block>python:x = *1*\n}then"),
    ("run `make -j2`, (`x`) or `y`.", "run {code:make -j2}, ({code:x}) or {code:y}."),
    ("```never ended\nx", "```never ended\nx"),
    ("say ```x``` and ``y``", "say ```x``` and ``y``"),
    ("`quoted' and `so', ``both''", "`quoted' and `so', ``both''"),
    ("a`b`c ` d ` `over\nlines`", "a`b`c ` d ` `over\nlines`"),
    ("*typed* > - # https://a.org @ann :tada:", "*typed* > - # {link:https://a.org} @ann :tada:"),
    (
      "<https://a.org/b|the page>, <https://a.org> <b|c> x < y | z > w",
      "{link>https://a.org/b:the page}, <{link:https://a.org}> <b|c> x < y | z > w"
    ),
    ("<https://evil.org|bank.com>", "{link>https://evil.org:https://evil.org}"),
  ])
  func `Where no platform is known, code and links with names are found if their signs can mean nothing else`(
    text: String, drawing: String
  ) {
    #expect(drawn(text, as: .unknown) == drawing)
    #expect(MarkupDialect(platform: nil) == .unknown && MarkupDialect(platform: "csv") == .unknown)
  }

  @Test func `What a tool says is shown as it is`() {
    #expect(drawn("```\n`x`\n```", as: .plain) == "```\n`x`\n```")
  }

  @Test func `No marks of any sort are looked for where nobody knows the platform`() {
    #expect(Markup("*a* https://a.org", as: .none).spans.isEmpty)
  }

  @Test func `A block that a cut text lost the end of goes on to there`() {
    #expect(drawn("a\n```\nx *y*", as: .slack, isCut: true) == "a\n{block:x *y*}")
  }

  @Test(arguments: [
    "*_", "*_~`", "[", "[](", "[a](https://a.", "<https://a", "```", "`", "**a ", "> ", "- ", ":+1:", "@a",
    "a.b.c.",
    "*a _b ", "a* b_ ", "https://a.org/((((", "||*__~~", "www.", "\u{2}a", "[*a](", "```a```",
  ])
  func `A text that repeats a sign is looked through once`(part: String) {
    for dialect in MarkupDialect.allCases {
      let (short, long) = (time(of: part, 1 << 9, dialect), time(of: part, 1 << 13, dialect))
      // Sixteen times the text: what is quadratic takes 256 times the work.
      #expect(long < short * 64 + .milliseconds(100), "\(dialect) \(part): \(short), \(long)")
    }
  }

  /// The time that a processor worked for this thread, however many others it works for.
  private func time(of part: String, _ byteCount: Int, _ dialect: MarkupDialect) -> Duration {
    let text = String(repeating: part, count: byteCount / part.utf8.count)
    let start = processorTime
    #expect(Markup(text, as: dialect).spans.count <= SpanList.most)
    return processorTime - start
  }

  private var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test func `Many nested signs are looked through`() {
    let text = String(repeating: "*_", count: 1 << 15)
    #expect(Markup(text, as: .slack).spans.count <= SpanList.most)
    #expect(Markup(text, as: .markdown).spans.count <= SpanList.most)
  }

  @Test(arguments: UInt64(0)..<400)
  func `Spans of any text are in order, nested or apart, and at the ends of characters`(seed: UInt64) {
    var random = Seeded(seed)
    let parts = [
      "*", "**", "_", "__", "~", "~~", "|", "||", "`", "```", "\n", " ", "a", "ß", "👍🏽", "[", "](",
      "https://a.org", ")",
      "<", ">", "> ", ">>> ", "- ", "# ", "1. ", ":tada:", "@ann", "#b", "\\", "a.org", "\u{2}", "\u{3}4",
      "…", "•  ",
    ]
    var text = ""
    for _ in 0..<(1 + random.next() % 40) { text += parts[Int(random.next() % UInt64(parts.count))] }
    for dialect in MarkupDialect.allCases { check(text, dialect) }
  }

  private func check(_ text: String, _ dialect: MarkupDialect) {
    let bytes = Array(text.utf8)
    let spans = Markup(text, as: dialect).spans
    var open: [Range<Int>] = []
    var last = 0
    for span in spans {
      #expect(
        span.range.lowerBound >= last && span.range.upperBound <= bytes.count,
        "\(dialect) \(text.debugDescription)")
      #expect(
        span.head >= 0 && span.tail >= 0 && span.head + span.tail <= span.range.count,
        "\(text.debugDescription)")
      last = span.range.lowerBound
      while let outer = open.last, outer.upperBound <= span.range.lowerBound { open.removeLast() }
      if let outer = open.last {
        #expect(
          span.range.upperBound <= outer.upperBound, "\(dialect) \(text.debugDescription) \(span) in \(outer)"
        )
      }
      open.append(span.range)
      #expect(open.count <= 20)
      for place in [
        span.range.lowerBound, span.content.lowerBound, span.content.upperBound, span.range.upperBound,
      ] {
        #expect(place == bytes.count || bytes[place] & 0xC0 != 0x80, "\(text.debugDescription)")
      }
    }
    let markup = Markup(text, as: dialect)
    if spans.allSatisfy({ $0.style != .emoji && $0.style != .sign }) {
      // Nothing is shown that does not stand there, and in its order.
      var rest = bytes[...]
      for byte in markup.shown(text).utf8 {
        guard let found = rest.firstIndex(of: byte) else {
          Issue.record("\(text.debugDescription)")
          return
        }
        rest = rest[(found + 1)...]
      }
    }
  }

  private struct Seeded {
    var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
}

@Suite struct EmojiTableTests {
  @Test(arguments: [
    ":+1:": "👍", ":wave::skin-tone-6:": "👋🏿", "👍": "👍", ":nothing-such:": ":nothing-such:", ":": ":",
    "+1": "+1",
    ":+1: ": ":+1: ", "": "",
  ])
  func `A reaction is shown as the emoji that it names`(reaction: String, shown: String) {
    #expect(EmojiTable.shown(reaction) == shown)
  }
}
