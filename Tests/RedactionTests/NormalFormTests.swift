import Foundation
import Testing

@testable import Redaction

/// Names and secrets however they are written.
@Suite struct NormalFormTests {
  private static let name = "Zoë Quintwall"

  private static func base64(_ text: String, times: Int = 1) -> String {
    (0..<times).reduce(text) { text, _ in Data(text.utf8).base64EncodedString() }
  }

  private static func redactor(_ rules: String = "name Zoë Quintwall") throws -> Redactor {
    try Redactor(RedactionRules(rules)) { pattern in
      { text in
        text.ranges(of: pattern).map { range in
          let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
          return start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound)
        }
      }
    }
  }

  private static let spellings = [
    "Zo\u{200B}ë Quint\u{AD}wall", "Ｚｏë　Ｑｕｉｎｔｗａｌｌ", "Zoe\u{308} Quintwall", "Zoe\u{200B}\u{308} Quintwall",
    "Z**o**ë Quintwall",
    "Z_o_ë Quint`w`all", "Z<b>o</b>&euml; Quintwall", "Zo&#235; Quint&#x77;all", "Zo&amp;amp;euml; Quintwall",
    "Zo%C3%AB%20Quintwall",
    "Zo%25C3%25AB+Quintwall", "Zo=C3=AB Quin=\ntwall", "Zo\u{1B}[1më Quint\u{1B}[0mwall",
    "Zo\\u00eb Quintwall", "Zo\\\\u00eb Quintwall",
    "Zoë\nQuintwall", "Zo\u{3}04ë Quintwall", "ZOË QUINTWALL", "Zo%EB Quintwall", base64(name),
    base64(name, times: 4),
    base64("q=Zo%C3%AB%20Quintwall", times: 2),
  ]

  @Test(arguments: spellings) func `a name is found however it is written, and nothing else is replaced`(
    _ spelling: String
  ) throws {
    #expect(try Self.redactor().text("a, \(spelling), b") == "a, person 1, b")
  }

  @Test(arguments: spellings) func `what finding finds in a text the look at what is written finds, too`(
    _ spelling: String
  ) throws {
    for written in [
      spelling, String(decoding: try JSONEncoder().encode(["text": "a\n\(spelling)\nb"]), as: UTF8.self),
    ] {
      var check = LeakCheck(try Self.redactor())
      #expect(throws: LeakCheck.Leak.self) {
        for byte in written.utf8 { try check.take([byte]) }
        try check.finish()
      }
      #expect(throws: LeakCheck.Leak.self) { try check.look(at: written) }
    }
  }

  @Test func `a name is found at each place of a long text, in a check that holds a part of it`() throws {
    let (size, margin) = (8 << 10, 1 << 10)
    for offset in [size - 2 * margin, size - margin, size].flatMap({ [$0 - 20, $0 - 8, $0 + 4] }) {
      var check = LeakCheck(try Self.redactor(), windowSize: size)
      let text =
        String(repeating: "tea ", count: offset / 4) + "Zo%C3%AB%20Quintwall"
        + String(repeating: " tea", count: size / 4)
      #expect(throws: LeakCheck.Leak.self, "\(offset)") {
        try check.take(Array(text.utf8))
        try check.finish()
      }
    }
  }

  @Test func `what is encoded deeper than is looked into is left out`() throws {
    #expect(
      try Self.redactor().text("a \(Self.base64("tea at noon", times: 5)) b")
        == "a [left out: encoded too deeply] b")
    let long = Self.base64(String(repeating: "tea at noon ", count: 100_000))
    #expect(try Self.redactor().text("a \(long) b") == "a [left out: encoded too deeply] b")
    #expect(
      try Self.redactor().text("a \(Self.base64("tea at noon", times: 4)) b").contains("left out") == false)
  }

  @Test func `whole characters are cut, and what has no name stays as it is`() throws {
    #expect(
      try Self.redactor("name Ann").text("Ann\u{301}! Ａｎｎ👍🏽 nna\u{308}") == "person 1! person 1👍🏽 nna\u{308}")
    for text in [
      #"C:\new\zebra 100% & more = 5 \ ok"#, "Zoëlle's tea", "日本語 “quoted” … ½ ﬁ",
      "https://example.org/AbCdEf0123456789/x?y=%20",
      #"\\\\\\\\\\\\\\\\ _/\_ ***"#, "\u{1F468}\u{200D}\u{1F469} \u{1B}[31mred\u{1B}[0m",
    ] {
      #expect(try Self.redactor().text(text) == text)
    }
  }

  @Test
  func `a word with marks of its own is found as it is written, and so are words that look like escapes`()
    throws
  {
    #expect(
      try Self.redactor("word foo_bar\nword a%20b").text("foo_bar foobar a%20b")
        == "[word 1] [word 1] [word 2]")
  }

  @Test func `an expression is matched in what is encoded`() throws {
    #expect(
      try Self.redactor("regex 555-1234 => phone").text("５５５-1234 \(Self.base64("call 555-1234 now"))")
        .contains("[phone 1] "))
  }

  @Test(arguments: [
    "%25", "&amp;", "<b", "\\", "\u{1B}]", "\u{301}", "=", "Ｚ", "aB", "\\u00eb", "&#", "Zoë\u{301} ", "?= =?",
    "<!--", "\\ud800",
  ])
  func `a long text of nothing but beginnings is gone through`(_ part: String) throws {
    let text = String(repeating: part, count: 200_000 / part.utf8.count)
    #expect(try !Self.redactor().text("a \(text)").isEmpty)
  }
}
