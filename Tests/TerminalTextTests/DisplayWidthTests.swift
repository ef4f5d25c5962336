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
}
