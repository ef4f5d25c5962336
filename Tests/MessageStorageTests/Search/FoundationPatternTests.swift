import MessageModel
import Testing

@testable import MessageStorage

/// Regular expressions by Foundation, which libraries have where PCRE2 is not built in, find what PCRE2 finds.
@Suite struct FoundationPatternTests {
  private static let patterns = [
    "a", "ab*", "^b", "c$", "\\bcafé\\b", "(?i)É", "[à-ü]+", "\\w+", "\\d{2,}", "(a|b)(?=c)", "(?<!a)b", "x?",
    "\\Qa.b\\E", "(?s).+", "🙂", "(\\w)\\1", "(?i)\\QA.b\\E\\\\E\\Q\\E",
  ]
  private static let texts = [
    "", "a", "abc", "abbbc café CAFÉ", "noël été", "12 3 456", "a.b", "x\ny\nc", "🙂🙂 ok 🙂", "aab bcc a.b\\E",
    String(repeating: "ab ", count: 500),
  ]

  @Test(arguments: patterns) func `it finds the same places as the one that is built in`(pattern: String)
    throws
  {
    let ours = try FoundationPattern(pattern)
    let builtIn = try TextPattern(pattern)
    for text in Self.texts {
      #expect(ours.ranges(in: text) == builtIn.ranges(in: text), "\(pattern) in \(text.prefix(40))")
      let bytes = Array(text.utf8)
      let (one, other) = try bytes.withUnsafeBytes { (try ours.matches($0), try builtIn.matches($0)) }
      #expect(one == other, "\(pattern) in \(text.prefix(40))")
    }
    #expect(ours.ranges(in: "aaaa", limit: 2) == builtIn.ranges(in: "aaaa", limit: 2))
  }

  @Test(arguments: ["(", "[a", "a{2,1}", "*"]) func `a wrong expression is refused`(pattern: String) throws {
    let error = try #require(throws: StoreError.self) { try FoundationPattern(pattern) }
    #expect(error.kind == .invalidRequest && error.summary.contains(pattern))
  }

  @Test func `who replaces what an expression finds is told that it was not found out`() throws {
    let text = String(repeating: "a", count: 40) + "b"
    #expect(try ExpressionFinder("(a+)+$").ranges(in: text) == nil)
    #expect(try ExpressionFinder("é|b").ranges(in: "abcé") == [1..<2, 3..<5])
    let many = String(repeating: "ab", count: 2_000)
    #expect(try ExpressionFinder("b").ranges(in: many)?.count == 2_000)
  }

  @Test(arguments: [("(a+)+$", "a", 40), ("(x+x+)+y", "x", 60), ("(.|\\n)*z", "ab\n", 2_000_000)])
  func `a text that would take for ever is given up`(pattern: String, piece: String, count: Int) throws {
    let expression = try FoundationPattern(pattern)
    let bytes = Array((String(repeating: piece, count: count) + "b").utf8)
    #expect(throws: TooCostly.self) { try bytes.withUnsafeBytes { try expression.matches($0) } }
  }

  @Test func `bytes that are no UTF-8 harm nothing`() throws {
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x62]
    let found = try bytes.withUnsafeBytes { bytes in
      try ["a", "b", "ab", "\u{FFFD}"].map { try FoundationPattern($0).matches(bytes) }
    }
    #expect(found == [true, true, false, true])
  }
}
