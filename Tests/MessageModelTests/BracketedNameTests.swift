import MessageModel
import Testing

@Suite struct BracketedNameTests {
  @Test func `a word of a platform stands in brackets, in one line`() {
    #expect(BracketedName.of("poll") == "[poll]")
    #expect(BracketedName.of("game: Snail\nRace [2]") == "[game: Snail␊Race (2)]")
    #expect(BracketedName.of(String(repeating: "x", count: 500)).count == 102)
  }

  @Test(arguments: [
    "", "poll", "a]b", "[[", "]", "\n\r\u{1B}[31m", "]\u{301}", String(repeating: "👨‍👩‍👧‍👦", count: 200),
    "x" + String(repeating: "\u{301}", count: 5_000), "\u{2028}\u{202E}",
  ])
  func `whatever the word, it is recognised as such a name`(word: String) {
    #expect(BracketedName.isAll(of: BracketedName.of(word)))
    #expect(BracketedName.of(word).utf8.count <= 512)
  }

  @Test(arguments: [
    "hello", "[", "]", "[a] and [b]", "[a\nb]", "see [a]", "[a] there",
    "[\(String(repeating: "x", count: 600))]",
  ])
  func `other texts are no such names`(text: String) {
    #expect(!BracketedName.isAll(of: text))
  }

  @Test func `an empty text says as little`() {
    #expect(BracketedName.isAll(of: ""))
  }
}
