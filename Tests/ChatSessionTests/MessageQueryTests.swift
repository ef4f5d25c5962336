import Foundation
import HistoryQueries
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

/// What queries find, from how they are typed to the ids.
struct MessageQueryTests {
  private static let now = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 15, hour: 12))

  /// Returns the texts of what a query finds, oldest first.
  private func found(_ query: String, in fixture: StoreFixture) throws -> [String] {
    try ids(query, in: fixture).compactMap { try fixture.store.text(of: $0) }
  }

  private func ids(_ query: String, in fixture: StoreFixture) throws -> [Message.ID] {
    let store = fixture.store
    var compiler = QueryCompiler(store, now: Self.now, clock: WallClock(zone: .gmt))
    let predicate = try compiler.predicate(MessageQuery(query))
    let selection = Selection.everything.narrowed(to: predicate)
    let pages = try store.page(PageRequest(selection, anchor: .oldest, fetchLimit: 1_000)).messages.map(\.id)
    var hits: [Message.ID] = []
    try store.search(for: predicate) { page in
      hits += page.map(\.id)
      return true
    }
    #expect(hits.reversed() == pages, "a page and a search answer the same: \(query)")
    #expect(try store.hitCount(predicate) == pages.count, "\(query)")
    return pages
  }

  @Test(arguments: [
    ("apples", 50), ("apples from:bob", 0), ("from:bob", 50), ("from:bob from:alice", 100), ("from:bo*", 50),
    ("from:?ob", 50), ("-from:bob", 50), ("from:alice -apples", 0), ("in:general", 100), ("in:random", 0),
    ("from:BOB", 50), ("in:General", 100), ("in:#general in:random", 100), ("in:gen*", 100),
    ("on:2024-05-01", 12), ("on:2024", 100), ("on:2023", 0),
    ("on:may", 100), ("on:\"May 2\"", 24), ("on:May 2 apples", 12), ("since:2024-05-05", 16),
    ("since:2024", 100),
    ("after:2024-05-04", 16), ("after:2024", 0), ("until:2024-05-02", 12),
    ("before:2024-05-02 from:alice", 6),
    ("since:2024-05-02 until:2024-05-03", 24), ("since:2 weeks ago", 100), ("since:monday", 0),
    ("from:alice OR pears", 100), ("(from:alice since:2024-05-05) OR on:2024-05-01", 20), ("message 1*", 12),
    ("kind:text", 100), ("kind:said", 100), ("-kind:said", 0), ("kind:step", 0), ("apples -kind:step", 50),
    ("kind:join kind:action", 0), ("has:link", 0),
    ("-has:link", 100), ("regex:9$", 0), ("regex:\\b9..of", 10), ("matching:\"pears OR apples\"", 100),
    ("-(from:alice OR from:bob)", 0), ("since:2024-05-05 since:2024-05-01", 16),
    ("on:2024-05-01 on:2024-05-02", 0),
  ])
  func `terms mean what docs/queries.md says`(query: String, count: Int) throws {
    #expect(try ids(query, in: StoreFixture()).count == count)
  }

  @Test(arguments: [
    ("from:\"Ada Lovelace\"", 50), ("from:lovelace", 50), ("person:Lovelace", 50), ("-from:Lovelace", 50),
    ("from:Lovelace from:bob", 100), ("from:*lace", 50), ("from:ada OR from:bob", 100), ("from:alice", 50),
  ])
  func `a person is found by the name that a window shows`(query: String, count: Int) throws {
    let fixture = try StoreFixture()
    _ = try fixture.store.linkAccounts([.name("alice")], to: "Ada Lovelace")
    #expect(try ids(query, in: fixture).count == count)
  }

  @Test func `a part of the names of several people is told to be one`() throws {
    let fixture = try StoreFixture()
    _ = try fixture.store.linkAccounts([.name("alice")], to: "Ada Lovelace")
    _ = try fixture.store.linkAccounts([.name("bob")], to: "Ada Byron")
    let error = #expect(throws: StoreError.self) { try ids("from:ada", in: fixture) }
    #expect(error?.summary == "'ada' is in the names of 2 people")
  }

  @Test(arguments: [
    ("from:alcie", "no sender 'alcie'", "did you mean 'alice'?"),
    ("in:genral", "no conversation 'genral'", "did you"),
    ("from:x*", "no sender matches 'x*'", nil), ("in:x?", "no conversation matches 'x?'", nil),
    ("since:someday", "'someday' is not a time", nil), ("has:wings", "messages have no 'wings'", nil),
    ("kind:txet", "unknown kind 'txet'", nil), ("thread:a", "'a' is not an id", nil),
    ("filter:tea", "no filter is saved as 'tea'", nil),
    ("fron:alice", "no term 'fron:'", "did you mean 'from:'? there are from: on: "),
    ("x:y", "no term 'x:'", "there are "), ("from:", "'from:' needs a value", nil),
    ("\"tea", "a quote is not closed", nil),
    ("()", "cannot search for '()'", "there is nothing to look for"),
  ])
  func `what is not understood says what there is`(query: String, summary: String, cause: String?) throws {
    let fixture = try StoreFixture()
    let error = #expect(throws: StoreError.self) { try ids(query, in: fixture) }
    #expect(error?.summary == summary)
    #expect(error?.cause?.hasPrefix(cause ?? "") ?? (cause == nil), "\(error?.cause ?? "")")
  }

  @Test func `words with signs find themselves`() throws {
    let fixture = try StoreFixture(count: 0)
    let texts = [
      "we use c++ here", "plan c it is", "C++17 too", "abc++ is no language", "c ++", "join #tea now",
      "some tea",
      "#teapot", ".NET and net", "the net", "ask alice@example.org", "alice at example.org", "AS-C# d", "a_b",
      "a b",
    ]
    let general = try #require(try fixture.store.conversation(named: "general")?.id)
    _ = try fixture.store.append(texts.map { NewMessage($0, from: "a") }, to: general)
    let cases: [(String, [String])] = [
      ("c++", ["we use c++ here", "C++17 too"]), ("#tea", ["join #tea now"]),
      ("#tea*", ["join #tea now", "#teapot"]),
      (".net", [".NET and net"]), ("alice@example.org", ["ask alice@example.org"]), ("c#", ["AS-C# d"]),
      ("a_b", ["a_b"]), ("-c++ here", []), ("tea -#tea", ["some tea"]), ("\"use c++\"", ["we use c++ here"]),
      ("c++ OR a_b", ["we use c++ here", "C++17 too", "a_b"]),
      (
        "-(c++ OR #tea OR net)",
        Array(texts[1...1] + texts[3...4] + ["some tea"] + ["#teapot"] + texts[10...])
      ),
    ]
    for (query, wanted) in cases { #expect(try found(query, in: fixture) == wanted, "\(query)") }
    var compiler = QueryCompiler(fixture.store, now: Self.now, clock: WallClock(zone: .gmt))
    let predicate = try compiler.predicate(MessageQuery("c++ use"))
    let hit = try #require(try fixture.store.hits(predicate).hits.first)
    #expect(hit.matches == [3..<6, 7..<10], "only what stands there with its signs is marked")
  }

  @Test func `signs and emoji are found as they stand`() throws {
    let fixture = try StoreFixture(count: 0)
    let texts = [
      "tea 💡", "tea", "💡", "so ❤️ it", "so ❤ it", "5 € cup", "what?! tea", "what! tea", "a - b", "OR else",
    ]
    let general = try #require(try fixture.store.conversation(named: "general")?.id)
    _ = try fixture.store.append(texts.map { NewMessage($0, from: "a") }, to: general)
    let cases: [(String, [String])] = [
      ("💡", ["tea 💡", "💡"]), ("tea 💡", ["tea 💡"]), ("from:a tea -💡", ["tea", "what?! tea", "what! tea"]),
      ("❤️", ["so ❤️ it", "so ❤ it"]), ("❤", ["so ❤️ it", "so ❤ it"]), ("€", ["5 € cup"]),
      ("?!", ["what?! tea"]),
      ("tea ?!", ["what?! tea"]), ("a - b", ["a - b"]), ("a -", ["a - b"]), ("OR", ["OR else"]),
      ("💡 OR €", ["tea 💡", "💡", "5 € cup"]), ("\"tea 💡\"", ["tea 💡"]), ("\"?! tea\"", ["what?! tea"]),
    ]
    for (query, wanted) in cases { #expect(try found(query, in: fixture) == wanted, "\(query)") }
    var compiler = QueryCompiler(fixture.store, now: Self.now, clock: WallClock(zone: .gmt))
    let predicate = try compiler.predicate(MessageQuery("from:a 💡"))
    #expect(try fixture.store.hits(predicate).hits.last?.matches == [4..<8])
  }

  @Test func `a name is found by whole words of it if it is one alone`() throws {
    let fixture = try StoreFixture(count: 0)
    let general = try #require(try fixture.store.conversation(named: "general")?.id)
    for name in ["Heather Turner (admin, she/her)", "Heather Smith", "Bob", "bobby", "Müller*"] {
      _ = try fixture.store.append([NewMessage("by \(name)", from: name)], to: general)
    }
    let cases = [
      ("from:\"heather turner\"", ["by Heather Turner (admin, she/her)"]),
      ("from:smith", ["by Heather Smith"]),
      ("from:bob", ["by Bob"]), ("from:MÜLLER*", ["by Müller*"]), ("from:*bob*", ["by Bob", "by bobby"]),
    ]
    for (query, wanted) in cases { #expect(try found(query, in: fixture) == wanted, "\(query)") }
    let several = #expect(throws: StoreError.self) { try ids("from:heather", in: fixture) }
    #expect(several?.kind == .invalidRequest && several?.summary == "'heather' is in the names of 2 senders")
    #expect(several?.cause == "'Heather Smith' and 'Heather Turner (admin, she/her)'")
    let part = #expect(throws: StoreError.self) { try ids("from:heath", in: fixture) }
    #expect(part?.cause == "did you mean 'Heather Smith' or 'Heather Turner (admin, she/her)'?")
  }

  @Test func `nothing typed reaches SQL or the search index as theirs`() throws {
    let fixture = try StoreFixture(count: 3)
    for query in [
      "from:\"' OR 1=1 --\"", "in:\"x'; DROP TABLE message\"", "a NEAR(b c)", "words:apples^2",
      "{scope} : c1",
      "\"c1\" OR apples", "regex:\"'\"", "c++\" OR \"*", "#'; --", "matching:\"{words} : x\"", "a\0b",
      "from:*'",
    ] {
      do { _ = try ids(query, in: fixture) } catch let error as StoreError {
        #expect([.invalidRequest, .notFound].contains(error.kind), "\(query): \(error)")
      }
    }
    #expect(try ids("c1", in: fixture).isEmpty, "the column of conversations is out of reach")
    #expect(try ids("from:alice", in: fixture).count == 2)
  }

  @Test(arguments: UInt64(0)..<(isLong ? 12 : 5))
  func `answers are those of a naive model`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let history = try QueryHistory(&dice)
    for _ in 0..<40 {
      let query = QueryModel(&dice, depth: 3)
      let wanted = history.messages.filter(query.holds).map(\.text)
      #expect(try found(query.text, in: history.fixture) == wanted, "\(query.text)")
    }
  }
}

/// A history made at random, and the same as values.
private struct QueryHistory {
  struct Line {
    var sender: String
    var conversation: String
    var day: Int
    var text: String
    var words: [String]
  }

  let fixture: StoreFixture
  let messages: [Line]

  static let senders = ["alice", "bob", "bobby"]
  static let conversations = ["general", "random"]
  static let words = ["tea", "teapot", "c++", "c", "#tea", "green", "https://a.example/tea"]

  init(_ dice: inout SeededGenerator) throws {
    fixture = try StoreFixture(count: 0)
    var lines: [Line] = []
    for index in 0..<60 {
      let words = (0..<Int.random(in: 1...4, using: &dice)).map { _ in
        Self.words.randomElement(using: &dice) ?? "tea"
      }
      lines.append(
        Line(
          sender: Self.senders.randomElement(using: &dice) ?? "",
          conversation: Self.conversations.randomElement(using: &dice) ?? "",
          day: 1 + index / 6, text: "\(words.joined(separator: " ")) n\(index)", words: words + ["n\(index)"])
      )
    }
    messages = lines
    for (index, line) in lines.enumerated() {
      guard let id = try fixture.store.conversation(named: line.conversation)?.id else { continue }
      let time = Timestamp(utc: CivilTime(year: 2024, month: 4, day: line.day, hour: index % 6))
      _ = try fixture.store.append([NewMessage(line.text, from: line.sender, at: time)], to: id)
    }
  }
}

/// A query made at random, with its meaning in plain Swift.
private struct QueryModel {
  let text: String
  let holds: (QueryHistory.Line) -> Bool
  /// What a term is about of which several side by side are alternatives.
  private var key: String? { ["from", "in"].first { text.hasPrefix($0 + ":") } }

  init(_ dice: inout SeededGenerator, depth: Int) {
    switch depth == 0 ? 9 : Int.random(in: 0...9, using: &dice) {
    case 0, 1:
      let parts = (0..<Int.random(in: 2...3, using: &dice)).map { _ in QueryModel(&dice, depth: depth - 1) }
      text = "(\(parts.map(\.text).joined(separator: " OR ")))"
      holds = { line in parts.contains { $0.holds(line) } }
    case 2, 3, 4:
      let parts = (0..<Int.random(in: 2...3, using: &dice)).map { _ in QueryModel(&dice, depth: depth - 1) }
      text = "(\(parts.map { "(\($0.text))" }.joined(separator: " ")))"
      // Senders side by side are any of them, conversations too.
      let alike = Dictionary(grouping: parts.filter { $0.key != nil }) { $0.key }
      holds = { line in
        parts.allSatisfy { $0.key != nil || $0.holds(line) }
          && alike.values.allSatisfy { terms in terms.contains { $0.holds(line) } }
      }
    case 5:
      let inner = QueryModel(&dice, depth: depth - 1)
      text = "-(\(inner.text))"
      holds = { !inner.holds($0) }
    default: (text, holds) = Self.leaf(&dice)
    }
  }

  private static func leaf(_ dice: inout SeededGenerator) -> (String, (QueryHistory.Line) -> Bool) {
    let day = Int.random(in: 1...10, using: &dice)
    let date = "2024-04-\(day < 10 ? "0" : "")\(day)"
    switch Int.random(in: 0...11, using: &dice) {
    case 0: return ("from:bob", { $0.sender == "bob" })
    case 1: return ("from:bob*", { $0.sender.hasPrefix("bob") })
    case 2: return ("in:general", { $0.conversation == "general" })
    case 3: return ("on:\(date)", { $0.day == day })
    case 4: return ("since:\(date)", { $0.day >= day })
    case 5: return ("until:\(date)", { $0.day < day })
    case 6: return ("after:\"apr \(day)\"", { $0.day > day })
    case 7: return ("c++", { $0.words.contains("c++") })
    case 8: return ("#tea", { $0.words.contains("#tea") })
    case 9: return ("has:link", { $0.text.contains("https://") })
    case 10: return ("te*", { line in line.words.contains { $0.contains("tea") } })
    default: return ("green", { $0.words.contains("green") })
    }
  }
}
