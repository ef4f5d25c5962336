import MessageModel
import Testing

@Suite struct VisibleTextTests {
  @Test func `text that controls nothing is left as it is`() {
    for text in ["", "tea at four", "潮汐 👍🏽 é €", "a\tb"] { #expect(VisibleText.of(text) == text) }
  }

  @Test func `each control character becomes a symbol, wherever it stands`() {
    for code in UInt8(0)..<0x20 where code != 0x09 {
      let shown = VisibleText.of("a\(Character(Unicode.Scalar(code)))b")
      #expect(shown == "a\(Character(Unicode.Scalar(0x2400 + UInt32(code)) ?? "?"))b")
    }
    #expect(VisibleText.of("\u{7F}") == "␡" && VisibleText.of("\t", keepsTabs: false) == "␉")
    #expect(VisibleText.of("\u{9B}31m\u{85}") == "⟨U+009B⟩31m⟨U+0085⟩")
  }

  @Test func `what turns the direction of text, or ends a line of its own, becomes its number`() {
    for code in Array(0x2028...0x202E) + Array(0x2066...0x2069) {
      let scalar = Unicode.Scalar(UInt32(code)) ?? "?"
      #expect(VisibleText.of("\(scalar)") == "⟨U+\(String(code, radix: 16, uppercase: true))⟩")
    }
    // Neighbours of those are text: a no-break space, a dash, a joiner that emoji need.
    #expect(VisibleText.of("\u{A0}\u{2027}\u{202F}\u{200D}") == "\u{A0}\u{2027}\u{202F}\u{200D}")
  }

  @Test func `a part of a text is appended to what is there`() {
    var bytes = Array("> ".utf8)
    VisibleText.append("a\u{1B}b", to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "> a␛b")
  }
}
