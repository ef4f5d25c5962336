import MessageModel
import Synchronization
import Testing

@testable import MessageStorage

@Suite struct SearchHitTests {
  private func store(_ texts: [String]) throws -> (TemporaryStore, [Message.ID]) {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    return (temporary, try temporary.store.append(texts.map { NewMessage($0) }, to: room))
  }

  /// A text with its matches in brackets.
  private func marked(_ text: String, _ matches: [Range<Int>]) -> String {
    var bytes = Array(text.utf8)
    for match in matches.reversed() {
      bytes.insert(0x5D, at: match.upperBound)
      bytes.insert(0x5B, at: match.lowerBound)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("cafe", "Le Café, un CAFE\u{301}.", "Le [Café], un [CAFE\u{301}]."),
    ("red*", "reddish red", "[reddish] [red]"),
    ("\"a b\"", "a b a c", "[a b] a c"),
    ("世界", "hello世界, 世 界!", "hello[世界], [世 界]!"),
    ("hello 世", "hello世界", "[hello][世]界"),
    ("ชาว", "สวัสดีชาวโลก", "สวัสดี[ชาว]โลก"),
    ("don't", "I don't", "I [don't]"),
    ("x -y", "x z", "[x] z"),
    ("😀 x", "😀x", "😀[x]"),
  ])
  func `hits say where they match, in bytes`(query: String, text: String, expected: String) throws {
    let (temporary, _) = try store([text])
    let hit = try #require(try temporary.store.hits(.matching(query)).hits.first)
    #expect(marked(hit.message.text, hit.matches) == expected)
    #expect(marked(hit.snippet.text, hit.snippet.matches) == expected)
  }

  @Test(arguments: ["word ", "世"])
  func `a text of two megabytes full of hits is marked all the same`(word: String) throws {
    let count = 2_000_000 / word.utf8.count
    let (temporary, ids) = try store([String(repeating: word, count: count)])
    let hit = try #require(try temporary.store.hit(ids[0], of: .matching(word)))
    // The time of FTS5's own highlight() grows with the square of this.
    #expect(hit.snippet.matches.count > 20 && hit.matches.count > 100)
  }

  @Test func `regular expressions and substrings say where they match`() throws {
    let (temporary, _) = try store(["ab12 über34", "1.5 \\E (x)"])
    let digits = try temporary.store.hits(.regex("[0-9]+")).hits
    #expect(
      digits.map { marked($0.message.text, $0.matches) } == ["[1].[5] \\E (x)", "ab[12] über[34]"])
    let umlaut = try temporary.store.hits(.substring("ÜBER")).hits
    #expect(umlaut.map { marked($0.message.text, $0.matches) } == ["ab12 [über]34"])
    let signs = try temporary.store.hits(.substring("\\E (X)")).hits
    #expect(signs.map { marked($0.message.text, $0.matches) } == ["1.5 [\\E (x)]"])
    #expect(try temporary.store.hits(.regex("x*")).hits.count == 2)
  }

  @Test func `a snippet shows the first match of a long text between ellipses`() throws {
    let text =
      String(repeating: "filler ", count: 1_000) + "needle\nnext " + String(repeating: "more ", count: 900)
    let (temporary, _) = try store([text])
    let hit = try #require(try temporary.store.hits(.matching("needle")).hits.first)
    #expect(hit.message.isTextCut && hit.matches.isEmpty)
    let snippet = marked(hit.snippet.text, hit.snippet.matches)
    #expect(snippet.hasPrefix("…filler ") && snippet.contains(" [needle] next more"))
    #expect(snippet.hasSuffix("…"))
    #expect(hit.snippet.text.utf8.count < 260)
  }

  @Test func `hits go on newest first from any anchor`() throws {
    let (temporary, ids) = try store((0..<50).map { $0 % 5 == 0 ? "fizz \($0)" : "\($0)" })
    func texts(_ anchor: PageAnchor) throws -> [String] {
      try temporary.store.hits(.matching("fizz"), anchor: anchor, limit: 3).hits.map(\.message.text)
    }
    #expect(try texts(.newest) == ["fizz 45", "fizz 40", "fizz 35"])
    #expect(try texts(.before(ids[40])) == ["fizz 35", "fizz 30", "fizz 25"])
    #expect(try texts(.after(ids[20])) == ["fizz 35", "fizz 30", "fizz 25"])
    #expect(try texts(.oldest) == ["fizz 10", "fizz 5", "fizz 0"])
    #expect(try texts(.around(ids[20])) == ["fizz 25", "fizz 20", "fizz 15"])
  }

  @Test func `the next and the previous hit are found from where the reader is`() throws {
    let (temporary, ids) = try store((0..<50).map { $0 % 5 == 0 ? "fizz \($0)" : "\($0)" })
    for predicate in [MessagePredicate.matching("fizz"), .regex("f.zz"), .substring("IZZ")] {
      #expect(try temporary.store.nextHits(predicate, after: ids[11]) == [ids[15]])
      #expect(try temporary.store.previousHits(predicate, before: ids[10]) == [ids[5]])
      #expect(try temporary.store.nextHits(predicate, after: ids[45]) == [])
      #expect(try temporary.store.previousHits(predicate, before: ids[0]) == [])
      #expect(try temporary.store.hitCount(predicate) == 10)
    }
  }

  @Test func `a search that is cancelled says so and can be made again`() throws {
    let (temporary, _) = try store((0..<20_000).map { "word \($0)" })
    let atOnce = #expect(throws: StoreError.self) {
      try temporary.store.hitCount(.regex("nothing"), isCancelled: { true })
    }
    #expect(atOnce?.kind == .cancelled)
    let asked = Atomic(0)
    let amidst = #expect(throws: StoreError.self) {
      try temporary.store.hitCount(
        .regex("nothing"), isCancelled: { asked.add(1, ordering: .relaxed).newValue > 1 })
    }
    #expect(amidst?.kind == .cancelled)
    #expect(try temporary.store.hitCount(.regex("word")) == 20_000)
  }

  @Test func `an expression that is wrong is refused with a reason`() throws {
    let (temporary, _) = try store(["a"])
    let wrong = #expect(throws: StoreError.self) { try temporary.store.hits(.regex("a(")) }
    #expect(wrong?.kind == .invalidRequest)
    #expect(wrong?.cause == "missing closing parenthesis, at byte 3")
  }
}
