import MessageModel
import Testing

@testable import HistoryQueries

@Suite struct BestQueryTests {
  @Test(arguments: [
    ("what did Ann say about the boiler", "what did Ann say about the boiler", nil),
    ("boiler from:ann since:2023", "boiler", "from:ann since:2023"),
    ("who said \"cup of tea\" OR coffee?", "who said cup of tea coffee", nil),
    ("a 5\" pipe, was it", "a 5 pipe, was it", nil),
    ("boiler -kettle", "boiler", "-kettle"),
    ("was it at 12:30", "was it at 12:30", nil),
  ])
  func `words are the question and terms narrow it`(text: String, words: String, restriction: String?) throws
  {
    let query = try BestQuery(text)
    func plain(_ text: String) -> String {
      text.split { !$0.isLetter && !$0.isNumber && $0 != ":" }.joined(separator: " ")
    }
    #expect(plain(query.words) == plain(words))
    #expect(query.restriction?.text == restriction)
  }

  @Test(arguments: ["from:ann", "?", "", "-tea"])
  func `without a word there is no question`(text: String) {
    #expect(throws: StoreError.self) { _ = try BestQuery(text) }
  }
}
