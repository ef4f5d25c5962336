import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing
import WordForms

@testable import MessageStorage

/// Exchanges that answer a question, the best first.
@Suite struct RankedExchangeTests {
  private func store(_ lines: [(room: String, sender: String, minutes: Int, text: String)]) throws
    -> TemporaryStore
  {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for line in lines { batch.add(line.text, from: line.sender, at: minute(line.minutes), in: line.room) }
    try temporary.store.load([batch])
    return temporary
  }

  private func boiler() throws -> TemporaryStore {
    var lines: [(String, String, Int, String)] = []
    for index in 0..<60 { lines.append(("a", "bob", index * 10, "what we said about nothing \(index)")) }
    lines += [
      ("a", "bob", 2_000, "the boiler is cold again"), ("a", "eve", 2_001, "since when?"),
      ("a", "ann", 2_002, "I know two plumbers, call on Tuesday"), ("a", "bob", 2_003, "thanks"),
      ("b", "eve", 3_000, "a boiler is a kettle"), ("b", "eve", 4_000, "plumbers are expensive"),
    ]
    return try store(lines)
  }

  @Test func `words may be missing and inflected, and lines next to each other answer together`() throws {
    let temporary = try boiler()
    let store = temporary.store
    let answer = try store.exchanges(
      answering: "What did we say about the boilers, who was the plumber of Venice?")
    #expect(answer.language == .english && answer.isWhole)
    let first = try #require(answer.exchanges.first)
    #expect(first.messages.map(\.text).contains("the boiler is cold again"))
    #expect(first.messages.map(\.text).contains("I know two plumbers, call on Tuesday"))
    #expect(first.messages.count >= 3)
    #expect(first.messages == first.messages.sorted { $0.id < $1.id })
    #expect(!first.best.snippet.matches.isEmpty)
    #expect(answer.exchanges.map(\.score) == answer.exchanges.map(\.score).sorted(by: >))
    #expect(Set(answer.exchanges.map(\.id)).count == answer.exchanges.count)
  }

  @Test func `what was said in the month that a question names comes first`() throws {
    let day = 24 * 60
    var lines: [(String, String, Int, String)] = (0..<40).map {
      ("a", "bob", $0 * 10 * day, "nothing new \($0)")
    }
    // The later one has more of the words.
    lines += [
      ("a", "ann", 31 * day + 5, "the release is postponed"),
      ("a", "ann", 220 * day + 5, "the release was decided, the release is out"),
    ]
    let temporary = try store(lines)
    let months = "January February March April May June July August September October November December"
    let time = minute(31 * day).utc
    let month = months.split(separator: " ")[time.month - 1]
    func first(_ question: String) throws -> String? {
      try temporary.store.exchanges(answering: question).exchanges.first?.best.message.text
    }
    #expect(try first("what was decided about the release") == "the release was decided, the release is out")
    #expect(try first("what about the release in \(month) \(time.year)") == "the release is postponed")
    #expect(try first("what about the release in \(month)?") == "the release is postponed")
  }

  @Test(
    arguments: [
      ("what happened in March 2021?", .english, 2021, 3), ("what did they march for", .english, nil, nil),
      ("May I ask what was said", .english, nil, nil), ("what was it on 7 May", .english, nil, 5),
      ("the trip in may", .english, nil, 5), ("march 2020", .english, 2020, 3),
      ("was war im März los", .german, nil, 3), ("was war 2019", .german, 2019, nil),
      ("qu'a-t-on dit en août 2022", .french, 2022, 8), ("что было в мае 2020", .russian, 2020, 5),
      ("it cost 20000 and 1200", .english, nil, nil),
    ] as [(String, WordLanguage, Int?, Int?)])
  func `a question names a month and a year`(text: String, language: WordLanguage, year: Int?, month: Int?) {
    let time = QuestionTime(text, language, now: minute(0))
    #expect(time?.year == year && time?.month == month)
  }

  @Test func `without common words the language is the one in which the store has other forms`() throws {
    let temporary = try store([
      ("a", "ann", 0, "die Heizungen sind kalt"), ("a", "bob", 1, "sie haben sie repariert"),
      ("a", "ann", 2, "printers and tickets"),
    ])
    func language(_ question: String) throws -> WordLanguage {
      try temporary.store.exchanges(answering: question).language
    }
    let german = WordLanguage.known.contains(.german) ? WordLanguage.german : .english
    #expect(try language("Heizung reparieren") == german)
    #expect(try language("printer ticket") == .english)
    #expect(try language("nowhere") == .english)
    #expect(try temporary.store.exchanges(answering: "printer", language: .german).language == .german)
  }

  @Test func `words that stand together in the question and in a message count more`() throws {
    var lines: [(String, String, Int, String)] = (0..<40).map { ("a", "bob", $0 * 600, "nothing new \($0)") }
    lines += [
      ("a", "ann", 5, "a red wine cellar for ninety"), ("a", "ann", 12_005, "a wine for the ninety red ones"),
    ]
    let temporary = try store(lines)
    let answer = try temporary.store.exchanges(answering: "where is the red wine")
    #expect(
      answer.exchanges.map(\.best.message.text).prefix(2) == [
        "a red wine cellar for ninety", "a wine for the ninety red ones",
      ])
  }

  @Test func `what a selection leaves out is no candidate, and still stands around one`() throws {
    let temporary = try boiler()
    let store = temporary.store
    let ann = try #require(try store.messages().compactMap(\.sender).first { $0.name == "ann" })
    let answer = try store.exchanges(
      answering: "boiler plumber", in: Selection(.all, where: .sender([ann.id])))
    #expect(answer.exchanges.count == 1)
    #expect(answer.exchanges.first?.messages.contains { $0.sender?.name == "bob" } == true)
    let room = try #require(try store.conversation(named: "b"))
    let inRoom = try store.exchanges(answering: "boiler plumber", in: Selection(room.id))
    #expect(inRoom.exchanges.count == 2)
    #expect(inRoom.exchanges.allSatisfy { $0.best.message.conversation == room.id })
  }

  @Test func `what a hit answers and what began its thread belong to its exchange`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let start = minute(0)
    func append(_ text: String, _ minutes: Int, _ change: (inout NewMessage) -> Void = { _ in }) throws
      -> Message.ID
    {
      var message = NewMessage(text, from: "ann", at: start.adding(minutes: minutes))
      change(&message)
      return try #require(try store.append([message], to: room).first)
    }
    let question = try append("who mends a zither?", 0)
    for index in 1..<40 { _ = try append("filler \(index)", index * 600) }
    let answer = try append("my uncle in Bremen", 40 * 600) { $0.replyTo = .message(question) }
    let ranked = try store.exchanges(answering: "uncle Bremen")
    #expect(ranked.exchanges.first?.messages.map(\.id) == [question, answer].sorted())
    let both = try store.exchanges(answering: "uncle zither")
    #expect(both.exchanges.first?.messages.map(\.id).contains(question) == true)
    #expect(both.exchanges.first?.messages.map(\.id).contains(answer) == true)
  }

  @Test func `the same question gives the same order, and equals come newest first`() throws {
    let lines = (0..<50).map { ("a", "ann", $0 * 1_000, "a lighthouse") }
    let temporary = try store(lines)
    let store = temporary.store
    let ids = try store.exchanges(answering: "lighthouses", limit: 100).exchanges.map(\.id)
    #expect(ids.count == 50 && ids == ids.sorted(by: >))
    #expect(try store.exchanges(answering: "lighthouses", limit: 100).exchanges.map(\.id) == ids)
    #expect(
      try store.exchanges(answering: "lighthouses", limit: 7).exchanges.map(\.id) == Array(ids.prefix(7)))
  }

  @Test(arguments: UInt64(0)..<(isLong ? 12 : 5))
  func `no question looks at more rows than its budget, and rare words are found however many the others`(
    seed: UInt64
  ) throws {
    var dice = Dice(seed: seed)
    var lines: [(String, String, Int, String)] = []
    let count = 6_000 + dice.below(4_000)
    let place = dice.below(count)
    for index in 0..<count {
      let rare = index == place ? " quinces" : ""
      lines.append(("a", "ann", index, "apples and pears\(index % 2 == 0 ? " plums" : "")\(rare)"))
    }
    let temporary = try store(lines)
    let store = temporary.store
    var ranking = RankingWeights.usual
    ranking.rowBudget = 2_500 + dice.below(9_000)
    let answer = try store.exchanges(
      answering: "apples pears plums quince", in: .everything, limit: 3, ranking: ranking)
    #expect(answer.candidateCount <= ranking.rowBudget)
    #expect(!answer.isWhole)
    #expect(answer.exchanges.first?.messages.contains { $0.text.hasSuffix("quinces") } == true)
    let ann = try #require(try store.messages(pageSize: 1_000).first?.sender)
    let tested = try store.exchanges(
      answering: "apples pears", in: Selection(.all, where: .not(.sender([ann.id]))), limit: 3,
      ranking: ranking)
    #expect(tested.exchanges.isEmpty && tested.candidateCount <= ranking.rowBudget)
  }

  @Test
  func `what the rarer words of a question find everywhere is found, however little is left for the others`()
    throws
  {
    let lines = (0..<12_000).map { index in
      let fruit = index == 0 ? "plums and quinces" : ["plums", "pears", "quinces", "pears"][index % 4]
      return ("a", "ann", index * 60, "here are \(fruit)")
    }
    let temporary = try store(lines)
    var ranking = RankingWeights.usual
    ranking.rowBudget = 12_500
    let answer = try temporary.store.exchanges(
      answering: "pears, plums, quinces", in: .everything, limit: 1, ranking: ranking)
    #expect(answer.candidateCount <= ranking.rowBudget && !answer.isWhole)
    #expect(answer.exchanges.first?.best.message.text == "here are plums and quinces")
  }

  @Test(arguments: UInt64(0)..<(isLong ? 30 : 8))
  func `each message with a form of a word is a candidate, and no other`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let words = ["Boiler", "boilers", "plumber", "plumbing", "rain", "rained", "gold", "世界", "naïve"]
    let lines = (0..<80).map { index in
      let text = (0..<(1 + dice.below(4))).map { _ in words[dice.below(words.count)] }.joined(separator: " ")
      return (["a", "b"][dice.below(2)], "ann", index * 100_000, text)
    }
    let temporary = try store(lines)
    let store = temporary.store
    let wanted = ["boilers", "raining", "世界", "naive"].filter { _ in dice.below(2) == 0 }
    guard !wanted.isEmpty else { return }
    var ranking = RankingWeights.usual
    ranking.seedCount = 1_000
    let answer = try store.exchanges(
      answering: wanted.joined(separator: " "), in: .everything, limit: 1_000, ranking: ranking)
    let forms = [
      "boilers": ["Boiler", "boilers"], "raining": ["rain", "rained"], "世界": ["世界"], "naive": ["naïve"],
    ]
    let all = wanted.flatMap { forms[$0] ?? [] }
    let expected = try store.messages().filter { message in
      message.text.split(separator: " ").contains { all.contains(String($0)) }
    }
    #expect(Set(answer.exchanges.map(\.id)) == Set(expected.map(\.id)))
  }

  @Test func `runs of signs without spaces are found in pairs`() throws {
    let temporary = try store([
      ("a", "ann", 0, "锅炉坏了"), ("a", "bob", 900, "明天见"), ("a", "ann", 1_800, "我们讨论了锅炉和水管工"),
    ])
    let store = temporary.store
    let answer = try store.exchanges(answering: "我们什么时候讨论锅炉")
    #expect(answer.exchanges.first?.best.message.text == "我们讨论了锅炉和水管工")
  }

  @Test func `the words of who wrote count as said`() throws {
    var lines: [(String, String, Int, String)] = (0..<30).map { ("a", "eve", $0 * 1_000, "filler \($0)") }
    lines += [("a", "bob", 40_000, "the ferry is late"), ("a", "ann", 50_000, "the ferry is late")]
    let temporary = try store(lines)
    let store = temporary.store
    #expect(try store.exchanges(answering: "Ann ferry").exchanges.first?.best.message.sender?.name == "ann")
    #expect(try store.exchanges(answering: "Bob ferry").exchanges.first?.best.message.sender?.name == "bob")
  }

  @Test
  func `what a named sender wrote is found, though no text has the name, the newest first among equals`()
    throws
  {
    var lines: [(String, String, Int, String)] = (0..<30).map { ("a", "eve", $0 * 1_000, "filler \($0)") }
    for index in 0..<5 { lines.append(("a", "Tokenekie", 40_000 + index * 1_000, "remark \(index)")) }
    lines += [("a", "Tokenekie", 35_000, "the router is slow"), ("a", "eve", 60_000, "a router for sale")]
    let temporary = try store(lines)
    let alone = try temporary.store.exchanges(answering: "tokenekie").exchanges.map(\.best.message.text)
    #expect(alone == ["remark 4", "remark 3", "remark 2", "remark 1", "remark 0", "the router is slow"])
    let router = try temporary.store.exchanges(answering: "What did Tokenekie say about the router?")
    #expect(router.exchanges.first?.best.message.text == "the router is slow")
  }

  @Test func `a sender is found by a part of the name, by another name and by the name of the person`() throws
  {
    let temporary = try store([
      ("a", "HeatherTurner42", 0, "one"), ("a", "bob_smith", 1_000, "two"), ("a", "robert", 2_000, "three"),
      ("a", "eve", 3_000, "four"),
    ])
    let store = temporary.store
    try store.setAlias("robert", of: "bob_smith")
    try store.linkAccounts([SenderAccount(name: "eve", external: nil)], to: "Evelyn Night")
    func found(_ question: String) throws -> [String] {
      try store.exchanges(answering: question).exchanges.map(\.best.message.text).sorted()
    }
    #expect(try found("turner") == ["one"])
    #expect(try found("HeatherTurner") == ["one"])
    #expect(try found("smith") == ["three", "two"])
    #expect(try found("Robert") == ["three", "two"])
    #expect(try found("evelyn") == ["four"])
    #expect(try found("stranger").isEmpty)
  }

  @Test func `joins of a named sender are no candidates`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("the ferry is late", from: "ann", at: minute(0), in: "a")
    for index in 1..<200 {
      batch.add("joined", from: "ann", at: minute(index * 1_000), in: "a", kind: .join)
    }
    try temporary.store.load([batch])
    let answer = try temporary.store.exchanges(answering: "ann", limit: 100)
    #expect(answer.exchanges.map(\.best.message.text) == ["the ferry is late"])
  }

  @Test func `what a prolific sender wrote long ago is found by the other words`() throws {
    var lines: [(String, String, Int, String)] = [("a", "ann", 0, "the quay is mended")]
    for index in 1..<6_000 {
      lines.append(("a", index % 2 == 0 ? "ann" : "bob", index * 2, "the quay \(index)"))
    }
    lines.append(("a", "bob", 13_000, "is it mended"))
    let temporary = try store(lines)
    let answer = try temporary.store.exchanges(answering: "what did Ann say is mended")
    #expect(answer.exchanges.first?.best.message.text == "the quay is mended")
  }

  @Test func `a word as it was asked counts more than its other forms`() throws {
    var lines: [(String, String, Int, String)] = (0..<40).map { ("a", "eve", $0 * 1_000, "filler \($0)") }
    lines.append(("a", "bob", 50_000, "we painted the boat"))
    for index in 0..<10 { lines.append(("a", "bob", 60_000 + index * 1_000, "the paints are here \(index)")) }
    let temporary = try store(lines)
    let answer = try temporary.store.exchanges(answering: "painted")
    #expect(answer.exchanges.first?.best.message.text == "we painted the boat")
    #expect(answer.exchanges.count == 10, "the others are found, too")
  }

  @Test
  func `a word that the store does not have is looked for as its nearest words, and the answer says so`()
    throws
  {
    let temporary = try store([
      ("a", "ann", 0, "the ticket is lost"), ("a", "ann", 2_000, "two tickets"),
      ("a", "bob", 4_000, "a thicket"),
      ("a", "bob", 6_000, "the electrician came"), ("a", "bob", 8_000, "nothing else"),
    ])
    let store = temporary.store
    let swapped = try store.exchanges(answering: "tikcet")
    #expect(Set(swapped.exchanges.map(\.best.message.text)) == ["the ticket is lost", "two tickets"])
    #expect(swapped.respelt["tikcet"]?.first == "ticket")
    #expect(!swapped.exchanges.contains { $0.best.snippet.matches.isEmpty })
    let two = try store.exchanges(answering: "elektrican")
    #expect(two.respelt == ["elektrican": ["electrician"]])
    #expect(two.exchanges.map(\.best.message.text) == ["the electrician came"])
    #expect(try store.exchanges(answering: "lost ticket").respelt.isEmpty)
    for far in ["tic", "ticxxt", "zeppelin", "12345"] {
      let answer = try store.exchanges(answering: far)
      #expect(answer.respelt.isEmpty && answer.exchanges.isEmpty, "\(far)")
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 30 : 6))
  func `the nearest words are those of a search through all words`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    func word() -> String { String((0..<(4 + dice.below(5))).map { _ in Array("abcé")[dice.below(4)] }) }
    let words = Set((0..<300).map { _ in FoldedLetters.folded(word()) })
    let temporary = try store([("a", "ann", 0, words.sorted().joined(separator: " "))])
    for _ in 0..<20 {
      let wanted = FoldedLetters.folded(word())
      func near(_ most: Int) -> Set<String> {
        words.filter { WordDistance.between(Array($0), Array(wanted)) <= most }
      }
      let expected = near(1).isEmpty && wanted.count >= 7 ? near(2) : near(1)
      let found = try temporary.store.reading("cannot look") { try NearestWords(to: wanted, in: $0).words() }
      #expect(Set(found).isSubset(of: expected) && found.count == min(4, expected.count))
    }
  }

  @Test(
    arguments: [
      ("what broke last spring", .english, "2025-03-01", "2025-06-01"),
      ("what was said in spring 2019", .english, "2019-03-01", "2019-06-01"),
      ("was war im Winter 2019", .german, "2019-12-01", "2020-03-01"),
      ("was war letzten Sommer", .german, "2025-06-01", "2025-09-01"),
      ("le printemps dernier", .french, "2025-03-01", "2025-06-01"),
      ("¿qué pasó el otoño pasado?", .spanish, "2025-09-01", "2025-12-01"),
      ("vad hände i våras", .swedish, nil, nil),
      ("что было прошлой зимой", .russian, "2024-12-01", "2025-03-01"),
      ("who wrote at Christmas 2019", .english, "2019-12-22", "2019-12-27"),
      ("what was it at easter 2021", .english, "2021-04-02", "2021-04-06"),
      ("what broke last month", .english, "2025-12-01", "2026-01-01"),
      ("was war letzte Woche", .german, "2026-01-05", "2026-01-12"),
      ("what happened yesterday", .english, "2026-01-14", "2026-01-15"),
      ("what broke two weeks ago", .english, "2025-12-29", "2026-01-05"),
      ("was war vor zwei Wochen", .german, "2025-12-29", "2026-01-05"),
      ("¿qué pasó hace 2 semanas?", .spanish, "2025-12-29", "2026-01-05"),
      ("the fall broke the vase", .english, nil, nil), ("winter tyres", .english, nil, nil),
      ("he was away all summer", .french, nil, nil),
    ] as [(String, WordLanguage, String?, String?)])
  func `a question names a span of time`(text: String, language: WordLanguage, first: String?, next: String?)
  {
    func day(_ moment: Int64) -> String {
      let time = Timestamp(millisecondsSince1970: moment).utc
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(time.year)-\(two(time.month))-\(two(time.day))"
    }
    let now = Timestamp(utc: CivilTime(year: 2026, month: 1, day: 15, hour: 12))
    let span = QuestionTime(text, language, now: now)?.span
    #expect(span.map { day($0.lowerBound) } == first && span.map { day($0.upperBound) } == next)
  }

  @Test func `a question names what is before and after a time`() {
    let now = Timestamp(utc: CivilTime(year: 2026, month: 1, day: 15))
    func closeness(_ question: String, _ year: Int, _ month: Int, _ language: WordLanguage = .english)
      -> Double?
    {
      QuestionTime(question, language, now: now)?.closeness(
        of: Timestamp(utc: CivilTime(year: year, month: month, day: 10)))
    }
    #expect(closeness("what did we say before Christmas 2019?", 2019, 11) == 1)
    #expect(closeness("what did we say before Christmas 2019?", 2020, 11) == 0)
    #expect(closeness("what was decided after March 2020", 2020, 3) == 0)
    #expect(closeness("what was decided after March 2020", 2022, 3) == 1)
    #expect(closeness("was war vor dem Sommer 2020", 2020, 2, .german) == 1)
    #expect(closeness("was war vor dem Sommer 2020", 2020, 8, .german) == 0)
    #expect(
      closeness("what was it in the winter", 2020, 1) == 1
        && closeness("what was it in the winter", 2020, 7) == 0)
    #expect(closeness("after the party in 2019", 2019, 5) == 1)
  }

  @Test func `common words of the question decide among messages that are otherwise equal`() throws {
    let temporary = try store([
      ("a", "bob", 0, "the boat is here today"), ("a", "bob", 1_000, "my old boat leaks again"),
      ("a", "bob", 2_000, "the weather is here to stay"),
    ])
    let answer = try temporary.store.exchanges(answering: "where is the boat")
    let found = answer.exchanges.map(\.best.message.text)
    #expect(found == ["the boat is here today", "my old boat leaks again"], "they bring no candidates")
  }

  @Test(arguments: [("when is the ferry late", true), ("why is the ferry late", false)])
  func `a message with a date answers a question that asks for a time`(question: String, asksWhen: Bool)
    throws
  {
    let temporary = try store([
      ("a", "bob", 0, "the ferry is late again next friday"),
      ("a", "bob", 2_000, "the ferry is late again for everybody"),
    ])
    let first = try temporary.store.exchanges(answering: question).exchanges.first
    #expect(first?.best.message.text.hasSuffix("friday") == asksWhen)
  }

  @Test(
    arguments: [
      ("it was 2019 I think", .english, true), ("on the 7th, I think", .english, true),
      ("in August, I think", .english, true), ("at 3pm", .english, true),
      ("it cost 2500 and 42", .english, false),
      ("am Dienstag oder so", .german, true), ("jeudi ou vendredi", .french, true),
      ("not yet", .english, false),
    ] as [(String, WordLanguage, Bool)])
  func `a date is a year, a day, a month or a time of the day`(
    text: String, language: WordLanguage, isOne: Bool
  ) {
    let finder = QuestionWordFinder([], dates: TimePhrase.dates(in: language))
    #expect(finder.counts(in: text).hasDate == isOne)
  }

  @Test func `another hit of the same minutes is an answer of its own, which repeats only what is beside it`()
    throws
  {
    var lines = (0..<9).map { ("a", "bob", $0, "filler \($0)") }
    (lines[0].3, lines[4].3) = ("a zither for sale", "a zither for sale")
    let temporary = try store(lines)
    let found = try temporary.store.exchanges(answering: "zither").exchanges
    let ids = try temporary.store.messages().map(\.id)
    #expect(found.map(\.id) == [ids[4], ids[0]])
    #expect(found.map { $0.messages.map(\.id) } == [Array(ids[0...6]), Array(ids[0...2])])
  }

  @Test func `a question of nothing is refused, and one that is called off ends`() throws {
    let temporary = try boiler()
    let store = temporary.store
    #expect(throws: StoreError.self) { _ = try store.exchanges(answering: "?!") }
    #expect(throws: StoreError.self) {
      _ = try store.exchanges(answering: "boiler", isCancelled: { true })
    }
    #expect(try store.exchanges(answering: "zeppelin").exchanges.isEmpty)
    #expect(!(try store.exchanges(answering: "about what").exchanges.isEmpty), "common words alone are meant")
    for hostile in [
      "\"OR (NEAR) -*^:", "a' ; DROP TABLE message", String(repeating: "boiler x\u{0} ", count: 3_000),
    ] {
      #expect(throws: Never.self) { _ = try store.exchanges(answering: hostile) }
    }
  }
}

extension Timestamp {
  fileprivate func adding(minutes: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: millisecondsSince1970 + Int64(minutes) * 60_000)
  }
}
