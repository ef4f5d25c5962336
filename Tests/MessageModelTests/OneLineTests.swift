import MessageModel
import Testing

@Suite struct OneLineTests {
  @Test func `the first line is the first in which anything is seen`() {
    #expect("\n \t\r\n  why does it whistle? \u{2028}and boil".firstLine == "why does it whistle? ")
    #expect("tea".firstLine == "tea")
    #expect(" \u{3000}\u{85}\n".firstLine == nil && "".firstLine == nil)
  }

  @Test func `a text in one line has one space between its words, and ends behind so many characters`() {
    #expect("  why\tdoes \n it\u{A0}whistle? ".inOneLine(limit: 20) == "why does it whistle?")
    #expect("why does it whistle?".inOneLine(limit: 8) == "why does…")
    #expect("żółw 🇵🇱🇵🇱🇵🇱".inOneLine(limit: 6) == "żółw 🇵🇱…")
    #expect("żółw 🇵🇱🇵🇱".inOneLine(limit: 7) == "żółw 🇵🇱🇵🇱")
    #expect("\n\t ".inOneLine(limit: 8) == nil)
  }

  @Test func `both agree with splitting a text into characters`() {
    let signs: [Character] = ["a", "é", "🇵🇱", " ", "\t", "\n", "\r\n", "\u{2029}", "\u{3000}"]
    var texts: [[Character]] = [[]]
    for length in 0..<4 {
      texts += texts.filter { $0.count == length }.flatMap { text in signs.map { text + [$0] } }
    }
    for text in texts.map({ String($0) }) {
      let line = text.split(whereSeparator: \.isNewline).first { $0.contains { !$0.isWhitespace } }
      let words = line?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.firstLine?.inOneLine(limit: 2) == words.map { $0.count > 2 ? "\($0.prefix(2))…" : $0 })
    }
  }
}
