import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

@Suite struct SearchQueryTests {
  @Test func `queries reach the index in its own language`() throws {
    let cases = [
      ("red", "\"red\""),
      ("red apple", "(\"red\" AND \"apple\")"),
      ("red AND apple", "(\"red\" AND \"apple\")"),
      ("\"red apple\"", "\"red apple\""),
      ("app*", "\"app\" *"),
      ("\"red app\"*", "\"red app\" *"),
      ("red OR green", "(\"red\" OR \"green\")"),
      ("red | green", "(\"red\" OR \"green\")"),
      ("a b OR c", "((\"a\" AND \"b\") OR \"c\")"),
      ("a (b OR c)", "(\"a\" AND (\"b\" OR \"c\"))"),
      ("red -apple", "((\"red\") NOT (\"apple\"))"),
      ("red NOT apple -pear", "((\"red\") NOT (\"apple\" OR \"pear\"))"),
      ("don't", "\"don't\""),
      ("rot-grün", "\"rot-grün\""),
      ("--regex", "\"--regex\""),
      ("say \"hi", "(\"say\" AND \"hi\")"),
      ("世界", "\" 世  界 \""),
      ("hello世*", "\"hello 世 \" *"),
      ("or not", "(\"or\" AND \"not\")"),
      (") red ( (", "\"red\""),
      ("OR red OR", "\"red\""),
      ("!red *green", "(\"!red\" AND \"*green\")"),
      ("text:red", "\"text:red\""),
    ]
    for (typed, expected) in cases { #expect(try SearchQuery(typed).expression == expected, "\(typed)") }
  }

  @Test(arguments: ["", " ", "\"\"", "-", "*", "🎉", "()", "OR", "!!!", "\0", "\" \" -\"\""])
  func `a query without a letter or digit is refused with a reason`(typed: String) {
    let error = #expect(throws: StoreError.self) { try SearchQuery(typed) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.cause == "there is no letter or digit in it")
  }

  @Test func `a query of too many words is refused`() {
    let words = String(repeating: "a ", count: 1_001)
    #expect(throws: StoreError.self) { try SearchQuery(words) }
  }

  /// Searches, and lets only one error pass: that there is nothing to look for.
  private func search(_ query: String, in store: SynchronousMessageStore) {
    do {
      _ = try store.hits(.matching(query))
      _ = try store.hitCount(.matching(query))
    } catch {
      #expect(error.cause == "there is no letter or digit in it", "\(query)")
    }
  }

  @Test func `nothing that can be typed is an error of syntax`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("a b"), NewMessage("世界 a")], to: room)
    let signs =
      (0..<128).map { String(UnicodeScalar(UInt8($0))) } + ["NEAR", "OR", "AND", "NOT", "世", "é", "\u{301}"]
    var queries = signs.flatMap { ["a\($0)b", "\($0) a", "a \($0)", $0] }
    queries.append(String(repeating: "(", count: 5_000) + "a")
    queries.append(String(repeating: "(a OR ", count: 300) + "b")
    queries.append(String(repeating: "-", count: 5_000) + "a")
    queries.append(String(repeating: "NOT ", count: 5_000) + "a")
    queries.append((0..<900).map { "w\($0)" }.joined(separator: " "))
    queries.append((0..<900).map { "w\($0)" }.joined(separator: " OR "))
    for query in queries { search(query, in: temporary.store) }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 200 : 10))
  func `no sequence of signs is an error of syntax`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore()
    let pieces = [
      "\"", "(", ")", "-", "*", "^", ":", "{", "}", "+", ",", "a", "é", "世", " ", "OR", "NOT", "AND", "NEAR",
      "\0", "'", "\\",
    ]
    for _ in 0..<100 {
      let count = Int.random(in: 1...12, using: &dice)
      let query = (0..<count).map { _ in pieces.randomElement(using: &dice) ?? "" }.joined()
      search(query, in: temporary.store)
      search("x OR \(query)", in: temporary.store)
    }
  }
}
