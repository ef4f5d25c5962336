import TerminalText
import Testing

struct SafeTextTests {
  @Test(arguments: [
    ("\u{1B}[31mred", "␛[31mred"), ("bell\u{7}", "bell␇"), ("\u{7F}", "␡"), ("\u{9B}2J", "⟨U+009B⟩2J"),
    ("a\u{202E}b", "a⟨U+202E⟩b"), ("a\u{2066}b", "a⟨U+2066⟩b"), ("a\u{2028}b", "a⟨U+2028⟩b"),
    ("back\rhere", "back␍here"), ("\u{FEFF}x", "⟨U+FEFF⟩x"), ("\u{0}", "␀"),
  ])
  func `what could control a terminal is shown as a symbol`(text: String, shown: String) {
    #expect(SafeText.lines(of: text) == [shown])
  }

  @Test(arguments: ["👩🏽‍❤️‍💋‍👨🏿", "e\u{301}", "שלום", "می‌خواهم", "tab\there", "日本語"])
  func `what people write stays as it is`(text: String) {
    #expect(SafeText.lines(of: text) == [text])
  }

  @Test func `line ends of all systems part lines`() {
    #expect(SafeText.lines(of: "a\nb\r\nc\n") == ["a", "b", "c", ""])
  }

  @Test func `a flood of marks is cut short and counted`() {
    let flood = "a" + String(repeating: "\u{301}", count: 1_000) + "b"
    #expect(SafeText.lines(of: flood) == ["a" + String(repeating: "\u{301}", count: 16) + "⟨+984⟩b"])
  }

  @Test func `one line shows where lines ended`() {
    #expect(SafeText.oneLine("a\nb\tc") == "a ⏎ b c")
  }
}
