import MessageModel
import Testing

struct TypedQueryTests {
  /// Times are what begins with a digit, and the words `ago` behind them.
  private static let vocabulary = QueryVocabulary(hasTerms: true) { words in
    (words.lastIndex(of: "ago") ?? 0) + 1
  }

  private func typed(_ text: String) -> TypedQuery {
    TypedQuery(text, Self.vocabulary, fewestLetters: 3)
  }

  @Test(arguments: [
    ("tea", "tea*"), ("tea cup", "tea cup*"), ("tea OR cup", "tea OR cup*"), ("(tea OR cup", "(tea OR cup*"),
    ("half-done", "half-done*"), ("#channel", "#channel*"), ("from:alice tea", "from:alice tea*"),
    ("since:3 weeks ago tea", "since:3 weeks ago tea*"), ("on:\"mar 15\" 2024", "on:\"mar 15\" 2024*"),
    ("\"cup of\" tea", "\"cup of\" tea*"), ("OR tea", "OR tea*"), ("小林さん", "小林さん*"),
  ])
  func `a free word at the end is a beginning`(text: String, meant: String) {
    #expect(typed(text).entered == meant)
    #expect(typed(text).shown == meant)
  }

  @Test(arguments: [
    "tea ", "tea*", "\"tea\"", "\"cup of tea\"", "c++", "tea💡", "tea?", "from:alice", "-from:alice", "-tea",
    "cup NOT tea",
    "cup -(green tea", "tea since:3 weeks ago", "since:2024-05", "tea AND", "tea OR", "NOT", "regex:te+a",
    "kind:said",
    "from:\"bob b\"", "is:starred)", "form:alice", "",
  ])
  func `what is no free word is what it says`(text: String) {
    #expect(typed(text).entered == text)
    #expect(typed(text).shown == text)
  }

  @Test(arguments: [
    ("te", ""), ("tea cu", "tea "), ("tea OR cu", "tea OR "), ("tea -g", "tea -"),
    ("since:3 202", "since:3 "), ("tea since:3 weeks ago 15", "tea since:3 weeks ago "),
  ])
  func `what is too short, or may become a part of a time, is not shown yet`(text: String, shown: String) {
    #expect(typed(text).shown == shown)
    #expect(typed(text).entered == text)
  }

  @Test(arguments: [
    ("tea from:al", "tea "), ("tea from:", "tea "), ("tea since:3 weeks", "tea "), ("tea form:al", "tea "),
    ("tea from:\"al", "tea "), ("tea from:al cup", "tea from:al "), ("form:al tea", ""), ("tea", ""),
  ])
  func `before the part being typed stands what is shown as long as that makes no sense`(
    text: String, before: String
  ) {
    #expect(typed(text).before == before)
  }

  @Test func `a quote is closed where it is shown, and not where it is entered`() {
    #expect(typed("\"cup of te").shown == "\"cup of te\"")
    #expect(typed("\"cup of te").entered == "\"cup of te")
  }
}
