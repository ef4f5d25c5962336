import TerminalText
import Testing

struct DisplayWidthTests {
  @Test(arguments: [
    ("plain", 5), ("naïve", 5), ("e\u{301}", 1), ("日本語", 6), ("ｱ", 1), ("Ａ", 2), ("한글", 4), ("한", 2),
    ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", 2),
    ("…", 1), ("\u{301}", 0), ("", 0), ("ที่", 1), ("ับ", 1), ("العربية", 7), ("🫩", 2), ("\u{AD}", 1),
  ])
  func `a text takes the columns that terminals give it`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(of: text) == columns)
  }

  @Test func `two columns are the most that an emoji of many parts takes`() {
    #expect(DisplayWidth.columns(of: "👩🏽‍❤️‍💋‍👨🏿" as Character) == 2)
  }

  @Test func `a text is as wide as its clusters together, and doubtful where one of them is`() {
    func isTold(_ text: String) -> Bool {
      DisplayWidth.isDoubtful(text) == text.contains { DisplayWidth.isDoubtful($0) }
        && DisplayWidth.columns(of: text) == text.reduce(0) { $0 + DisplayWidth.columns(of: $1) }
    }
    let joining = [
      "a", "é", "б", "の", "한", "ᄀ", "ᅡ", "ﾞ", "क", "ा", "ำ", "\u{301}", "\u{200D}", "\u{FE0F}", "👍", "🏽", "🇩",
    ]
    var wrong: [String] = []
    for scalar in (UInt32(0x20)..<0x20000).lazy.compactMap(Unicode.Scalar.init) {
      let text = String(Character(scalar))
      if !isTold(text) { wrong.append(text) }
      guard scalar.value < 0x3400 || scalar.value % 61 == 0 else { continue }
      wrong += joining.flatMap { [text + $0, $0 + text] }.filter { !isTold($0) }
    }
    #expect(
      wrong.isEmpty, "\(wrong.prefix(10).map { $0.unicodeScalars.map { String($0.value, radix: 16) } })")
    #expect(DisplayWidth.isDoubtful("tea 👍🏽") && !DisplayWidth.isDoubtful("── Größe 日本語 ──"))
  }
}
