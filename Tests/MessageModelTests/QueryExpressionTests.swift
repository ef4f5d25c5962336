import MessageModel
import Testing

struct QueryExpressionTests {
  /// Times are what begins with a digit, and the words `ago` behind them.
  private static let vocabulary = QueryVocabulary(hasTerms: true) { words in
    (words.lastIndex(of: "ago") ?? 0) + 1
  }

  private func read(_ text: String) throws -> String? {
    try QueryExpression.reading(text, Self.vocabulary)?.text
  }

  @Test(arguments: [
    ("tea", "tea"), ("tea  cup", "tea cup"), ("\"cup of tea\"", "\"cup of tea\""), ("te*", "te*"),
    ("\"cup of te\"*", "\"cup of te\"*"), ("a OR b c", "a OR b c"), ("a | b", "a OR b"),
    ("(a OR b) c", "(a OR b) c"),
    ("a & b AND c", "a b c"), ("-a NOT b", "-a -b"), ("NOT NOT a", "a"), ("NOT -a", "a"),
    ("-(a b)", "-(a b)"),
    ("--a", "\"--a\""), ("a-b", "a-b"), ("\"OR\"", "\"OR\""), ("\"-a\"", "\"-a\""),
    ("\"a*\" \"b\"*", "a* b*"), ("a**", "a*"), ("\"a b***\"*", "\"a b\"*"), ("c++**", "c++"),
    ("from:alice", "from:alice"), ("FROM:alice", "from:alice"), ("-from:alice tea", "-from:alice tea"),
    ("from:\"bob b\"", "from:\"bob b\""), ("from:ali*", "from:ali*"),
    ("(from:a OR in:b) c", "(from:a OR in:b) c"),
    ("regex:(a|b)+ c", "regex:\"(a|b)+\" c"), ("(regex:(a|b)+)", "regex:\"(a|b)+\""),
    ("since:3 weeks ago tea", "since:\"3 weeks ago\" tea"), ("since:3 weeks", "since:3 weeks"),
    ("(since:3 weeks ago) tea", "since:\"3 weeks ago\" tea"),
    ("since:\"3 weeks\" ago", "since:\"3 weeks\" ago"),
    ("\"form:alice\"", "\"form:alice\""), ("https://example.org/a", "\"https://example.org/a\""),
    ("std::vector 12:30", "\"std::vector\" \"12:30\""), ("note: tea", "\"note:\" tea"),
    (":smile:", "\":smile:\""), ("OR", "\"OR\""), ("NOT", "\"NOT\""), ("( | )", "\"|\""), ("!!!", "!!!"),
    ("tea 💡", "tea 💡"), ("-💡", "-💡"), ("\"? !\"", "\"? !\""), ("-", "\"-\""), ("tea - cup", "tea \"-\" cup"),
    ("tea -", "tea"), ("tea *", "tea"),
    ("a,b:c", "\"a,b:c\""), (") a ( (", "a"), ("OR a OR", "a"), ("c++ #tea .NET", "c++ #tea .NET"),
    ("in:a from:b", "in:a from:b"),
  ])
  func `a query is read, and read again from how it can be typed`(typed: String, text: String) throws {
    #expect(try read(typed) == text)
    #expect(try read(text) == text)
  }

  @Test(arguments: ["", " ", "()", "*", "\"\"", "\0", "(((", "\" \""])
  func `where nothing is asked for there is no query`(typed: String) throws {
    #expect(try read(typed) == nil)
  }

  @Test(arguments: [
    ("form:alice", QueryMistake.noTerm("form", word: "form:alice")),
    ("tea -form:alice", .noTerm("form", word: "form:alice")),
    ("(größe:3", .noTerm("größe", word: "größe:3")),
    ("from:", .noValue(.from)), ("from: alice", .noValue(.from)), ("since:\" \"", .noValue(.since)),
    ("from:\"a", .openQuote), ("say \"hi", .openQuote),
  ])
  func `what is not understood is said`(typed: String, mistake: QueryMistake) {
    #expect(throws: mistake) { try read(typed) }
  }

  @Test(arguments: ["form:alice", "from:", "say \"hi", "a:\"b", "from:a since:3 weeks ago"])
  func `without terms a colon is a sign and nothing is a mistake`(typed: String) throws {
    let query = try #require(try QueryExpression.reading(typed, .words))
    #expect(query.terms.isEmpty)
    #expect(try QueryExpression.reading(query.text, .words)?.text == query.text)
  }

  @Test func `nothing is too long or too deep to be read`() throws {
    for sign in ["(", "-", "NOT ", "(a OR ", "matching:", "from:(", "a:b:"] {
      _ = try? read(String(repeating: sign, count: 20_000) + "a")
    }
  }

  @Test(arguments: ["c++", "#tea", ".NET", "a@b.c", "C#", "/etc/passwd", "a_b", "...", "tea💡", "€", "tea ?!"])
  func `words with signs of their own are looked for as they stand`(word: String) {
    #expect(ExactText.isWanted(word))
  }

  @Test(arguments: ["don't", "half-done", "hello!", "3.5", "why?", "e.g.", "\"tea\""])
  func `other signs make no difference`(word: String) {
    #expect(!ExactText.isWanted(word))
  }
}
