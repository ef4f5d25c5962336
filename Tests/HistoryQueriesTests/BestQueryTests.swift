import MessageModel
import Testing

@testable import HistoryQueries

@Suite struct BestQueryTests {
  @Test(arguments: [
    ("what did Ann say about the boiler", "what did Ann say about the boiler", nil),
    ("boiler from:ann since:2023", "boiler", "from:ann since:2023"),
    ("who said \"cup of tea\" OR coffee?", "who said cup of tea OR coffee", nil),
    ("What is CS:GO?", "What is CS:GO", nil), ("why: because (and/or) \"", "why: because and or", nil),
    ("who is it from: ann or bob", "who is it from: ann or bob", nil),
    ("is on:off a switch", "is on:off a switch", nil),
    ("boiler on:monday has:wings", "boiler has:wings", "on:monday"),
    ("do NOT disturb", "do NOT disturb", nil),
    ("f(x)[0] {a: b} https://example.org/a?b=c", "f x 0 a: b https: example org a b c", nil),
    ("kettle (from:ann OR from:bob)", "kettle OR", "from:ann from:bob"),
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
