import TestSupport
import Testing

@testable import TerminalText

struct LineWrapperTests {
  private func wrapped(_ line: String, _ columns: Int) -> [String] {
    LineWrapper.rows(of: line, columns: columns).map { String(line[$0]) }
  }

  @Test func `lines break between words`() {
    #expect(wrapped("the quick brown fox", 10) == ["the quick", "brown fox"])
  }

  @Test func `a word that just fits stays`() {
    #expect(wrapped("0123456789 0123456789", 10) == ["0123456789", "0123456789"])
  }

  @Test func `a word longer than a row is broken`() {
    #expect(wrapped("a 0123456789abc", 5) == ["a", "01234", "56789", "abc"])
  }

  @Test func `ideographs break anywhere but before the end of a clause`() {
    #expect(wrapped("日本語。日本", 6) == ["日本", "語。日", "本"])
  }

  @Test func `emoji are not torn apart`() {
    #expect(wrapped("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 5) == ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"])
  }

  @Test func `spaces at a break are left out and indentation stays`() {
    #expect(wrapped("  indented     text   ", 10) == ["  indented", "text"])
  }

  @Test func `an empty line is a row`() {
    #expect(wrapped("", 5) == [""])
  }

  @Test(arguments: UInt64(0)..<(isLong ? 200 : 50))
  func `no row is too wide and none loses ink`(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let parts = ["a", "bc", " ", "  ", "日", "。", "👨‍👩‍👧‍👦", "e\u{301}", "word", "\u{301}", "❤️"]
    let line = (0..<next(60)).map { _ in parts[next(parts.count)] }.joined()
    let columns = 2 + next(20)
    let rows = wrapped(line, columns)
    #expect(rows.allSatisfy { DisplayWidth.columns(of: $0) <= columns }, "\(line)")
    #expect(rows.joined().filter { $0 != " " } == line.filter { $0 != " " })
  }
}
