import Foundation
import HistoryModel
import HistoryQueries
import MessageModel
import MessageStorage
import ShellTesting
import Testing

/// Answers to questions about a store.
@Suite struct QueryTests {
  /// A store of 40 conversations, with 60 messages that name tea over two years, and what `scrollback` would do with it.
  private struct Library {
    let fixture: ShellFixture
    let store: SynchronousMessageStore
    var queries: QuestionAnswerer { QuestionAnswerer(store) }

    init() throws {
      fixture = try ShellFixture(named: "a library of 40 conversations", prepare: Self.fill)
      store = try SynchronousMessageStore(path: fixture.store)
    }

    private static func fill(_ fixture: ShellFixture) throws {
      var lines = ""
      for index in 0..<240 {
        let time = CivilTime(daysSince1970: 19_000 + index * 3)
        let text = index.isMultiple(of: 4) ? "tea \(index)" : "no \(index)"
        let sender = ["ann", "ben", "cy", "dan", "eve"][index * index % 5]
        var bytes: [UInt8] = []
        try AnswerEncoder.write(Timestamp(utc: time), to: &bytes)
        lines += """
          {"conversation":"c\(index % 40)","time":\(String(decoding: bytes.dropLast(), as: UTF8.self)),"sender":"\(sender)","text":"\(text)","source":{"platform":"p","id":"x\(index)"}}

          """
      }
      try fixture.add(lines)
      for index in 0..<5 {
        try fixture.add(
          #"{"conversation":"c\#(index)","time":"2025-01-0\#(index + 1)T00:00:00Z","text":"later"}"#)
      }
      for name in ["b", "a", "c"] { try fixture.run(["filters", "save", name, "--matching", "tea \(name)"]) }
    }

    /// All elements of a list, by questions of `limit` at most, each as the answer before says.
    func all<Question: HistoryQuestion, Element>(
      _ limit: Int, _ question: (Question.Answer?) -> Question,
      _ part: (Question.Answer) -> (elements: [Element], hasMore: Bool)
    ) throws -> [Element] {
      var (all, last, hasMore): ([Element], Question.Answer?, Bool) = ([], nil, true)
      while hasMore {
        // Through JSON and back, as another program has it.
        let json = String(
          decoding: try AnswerEncoder.bytes(of: AnyHistoryQuestion(question(last))), as: UTF8.self)
        let bytes = try AnswerEncoder.bytes(of: queries.answer(AnyHistoryQuestion(json: json)))
        let read = try JSONDecoder().decode(AnyHistoryAnswer.self, from: Data(bytes))
        let answer = try #require(read.answer as? Question.Answer)
        let (elements, more) = part(answer)
        #expect(elements.count <= limit)
        #expect(!more || elements.count == limit)
        all += elements
        (last, hasMore) = (answer, more)
      }
      return all
    }
  }

  @Test(arguments: [1, 7, 1_000])
  func `lists are gone through by their keys to the end, nothing missing and nothing twice`(limit: Int) throws
  {
    let library = try Library()
    let queries = library.queries
    let conversations = try library.all(limit) { last in
      ConversationsQuestion(after: last?.next, limit: limit)
    } _: { answer in
      (answer.conversations, answer.next != nil)
    }
    #expect(try conversations == queries.conversations().conversations && conversations.count == 40)
    let senders = try library.all(limit) { last in
      SendersQuestion(after: last?.next, limit: limit)
    } _: { answer in
      (answer.senders, answer.next != nil)
    }
    #expect(try senders == queries.senders().senders && senders.count == 3)
    for span in HistorySection.Span.allCases {
      let days = try library.all(limit) { last in
        DaysQuestion(by: span, from: last?.next, limit: limit)
      } _: { answer in
        (answer.days, answer.next != nil)
      }
      #expect(try days == queries.days(by: span, zone: .gmt).days)
      #expect(days.reduce(0) { $0 + $1.messages } == 245 && days.count == (span == .day ? 245 : 25))
    }
    let filters = try library.all(limit) { last in
      FiltersQuestion(after: last?.next, limit: limit)
    } _: { answer in
      (answer.filters, answer.next != nil)
    }
    #expect(filters.map(\.name) == ["a", "b", "c"])
    let imports = try library.all(limit) { last in
      ImportsQuestion(after: last?.next, limit: limit)
    } _: { answer in
      (answer.imports, answer.next != nil)
    }
    #expect(try imports == queries.imports().imports && imports.count >= 6)
  }

  @Test(arguments: [PageStart(.newest), PageStart(.oldest)], [MessageDetail.line, .whole])
  func `hits are gone through in both directions, with what is around them`(
    start: PageStart, detail: MessageDetail
  ) throws {
    let library = try Library()
    let hits = try library.all(7) { last in
      HitsQuestion(words: "tea", at: last?.next ?? start, limit: 7, context: 1, detail: detail)
    } _: { list in
      (start == PageStart(.newest) ? list.hits : list.hits.reversed(), list.next != nil)
    }
    let newestFirst = start == PageStart(.newest) ? hits : hits.reversed()
    let texts = (0..<60).reversed().map { index in "tea \(index * 4)" }
    #expect(newestFirst.compactMap(\.message.text) == texts)
    for hit in hits {
      #expect(hit.found.matches?.map { [$0.start, $0.end] } == [[0, 3]])
      #expect((hit.message.source == nil) == (detail == .line))
      let around = (hit.found.before ?? []) + (hit.found.after ?? [])
      #expect(around.allSatisfy { $0.conversation == hit.message.conversation } && !around.isEmpty)
    }
  }

  @Test func `who has moved down a list of senders meanwhile is neither lost nor told twice`() throws {
    let library = try Library()
    let first = try library.queries.senders(limit: 1)
    let conversation = try #require(try library.store.conversation(named: "c0"))
    // Somebody new comes before the place, somebody behind it stays.
    try library.store.append((0..<300).map { NewMessage("\($0)", from: "zoe") }, to: conversation.id)
    let rest = try library.queries.senders(after: first.next)
    #expect(Set((first.senders + rest.senders).map(\.name)) == ["ann", "ben", "eve"])
  }

  @Test func `a message is found by its id and by that of its platform`() throws {
    let library = try Library()
    let queries = library.queries
    let found = try queries.answer(MessageQuestion(platform: "p", platformID: "x8"))
    #expect(found.text == "tea 8" && found.source?.id == "x8")
    #expect(try queries.answer(MessageQuestion(id: found.id)) == found)
    let unknown = Message.ID(rawValue: 1)
    let answer = try queries.messages([unknown, found.id, unknown, found.id])
    #expect(answer.messages == [found, found] && answer.missing == [unknown, unknown] && answer.rest == nil)
    for question in [MessageQuestion(id: unknown), MessageQuestion(platform: "p", platformID: "y")] {
      #expect(throws: StoreError.self) { try queries.answer(question) }
    }
  }

  @Test func `a conversation is found by name and id, and tells what is unread`() throws {
    let library = try Library()
    let all = try library.queries.page(
      PageRequest(Selection(library.store.conversation(named: "c3")?.id ?? .init(rawValue: 0))))
    let third = all.messages[2]
    let id = try #require(try library.store.conversation(named: "c3")).id
    #expect(try library.queries.conversation(.named("c3")).unread == 0)
    try library.store.markRead(id, upTo: third.id)
    let answer = try library.queries.conversation(.id(id))
    #expect(answer.name == "c3" && answer.messages == 7 && answer.unread == 4 && answer.readUpTo == third.id)
    #expect(try library.queries.conversation(.named("c3")) == answer)
    let list = try library.queries.answer(ConversationsQuestion(after: "c29", limit: 1, unread: true))
    #expect(list.conversations == [answer] && answer.newer == nil)
  }

  @Test func `my own messages are not unread, and the answer says how many messages came with the others`()
    throws
  {
    let library = try Library()
    let store = library.store
    let id = try #require(try store.conversation(named: "c3")).id
    try store.setMe([SenderKey(name: "me")])
    try store.markRead(id, upTo: .highest)
    let own = try store.append([NewMessage("mine", from: "me")], to: id)[0]
    try store.append([NewMessage("one", from: "ann"), NewMessage("mine, too", from: "me")], to: id)
    let answer = try library.queries.conversation(.id(id))
    #expect(answer.unread == 1 && answer.newer == 2 && answer.readUpTo == own)
    let list = try library.queries.answer(ConversationsQuestion(after: "c29", limit: 1, unread: true))
    #expect(list.conversations == [answer])
  }

  @Test func `a page tells what the store tells, by numbers from 1 and names`() throws {
    let library = try Library()
    let page = try library.queries.page(PageRequest(.everything, anchor: .ordinal(99), fetchLimit: 4))
    #expect(page.firstNumber == 98 && page.total == 245 && page.exact == true && page.found == .exact)
    #expect(page.messages.map(\.conversation) == ["c17", "c18", "c19", "c20"])
    #expect(page.foundID == page.messages[2].id && page.hasOlder && page.hasNewer)
    var filter = HistoryFilter()
    (filter.senders, filter.matching) = (["ann"], "tea")
    let question = PageQuestion(
      conversations: [.named("c0"), .named("c5")], filter: filter, at: PageStart(.oldest), limit: 2)
    let filtered = try library.queries.answer(question)
    #expect(filtered.messages.allSatisfy { $0.sender == "ann" && $0.text?.hasPrefix("tea") == true })
    #expect(filtered.messages.count == 2 && filtered.firstNumber == 1 && filtered.hasOlder == false)
  }

  @Test func `no limit makes an answer unbounded, and none is negative`() throws {
    let fixture = try ShellFixture(count: 1_500)
    let store = try SynchronousMessageStore(path: fixture.store)
    let queries = QuestionAnswerer(store)
    let page = try queries.answer(PageQuestion(limit: .max, older: .max))
    #expect(page.messages.count == QuestionAnswerer.maxLimit)
    let hits = try queries.answer(HitsQuestion(words: "message", limit: 30, context: .max))
    #expect(hits.hits.last?.found.before?.count == QuestionAnswerer.maxContext)
    let negative: [any HistoryQuestion] = [
      PageQuestion(limit: -1), PageQuestion(offset: -1), PageQuestion(limit: -1, detail: .whole),
      PageQuestion(offset: -1, detail: .whole), HitsQuestion(words: "a", limit: .min),
      HitsQuestion(words: "a", context: -1),
      ConversationsQuestion(limit: -1), SendersQuestion(limit: -1), DaysQuestion(limit: -1),
      FiltersQuestion(limit: -1), ImportsQuestion(limit: -1),
      MessagesQuestion(ids: Array(repeating: .lowest, count: 1_001)),
      HitsQuestion(), HitsQuestion(words: ""), HitsQuestion(regex: "("),
      MessageQuestion(platform: "a", platformID: ""),
    ]
    for question in negative {
      do throws(StoreError) {
        _ = try queries.answer(AnyHistoryQuestion(question))
        Issue.record("\(question) was answered")
      } catch {
        #expect([.invalidRequest, .notFound].contains(error.kind), "\(error)")
      }
    }
    // What lies outside is moved to the edge.
    for place in [
      PageStart(.ordinal(.min)), PageStart(.ordinal(.max)), PageStart(.percent(-1e300)),
      PageStart(.time(Timestamp.supported.upperBound)),
    ] {
      #expect(throws: Never.self) { try queries.answer(PageQuestion(at: place, limit: 1, offset: .max)) }
    }
    #expect(try queries.answer(PageQuestion(limit: 0)) != page)
  }

  @Test
  func `an expression that was looked for from one end to the other has an exact total, which may be 0`()
    throws
  {
    let fixture = try ShellFixture(count: 120)
    let queries = QuestionAnswerer(try SynchronousMessageStore(path: fixture.store))
    func totals(_ regex: String, at: PageStart? = nil, limit: Int = 200) throws -> (Int?, Bool?) {
      let question = HitsQuestion(regex: regex, at: at, limit: limit, counts: true)
      let hits = try queries.answer(question)
      return (hits.total, hits.exact)
    }
    #expect(try totals("nowhere at all") == (0, true))
    #expect(try totals("nowhere at all", at: PageStart(.oldest)) == (0, true))
    #expect(try totals("message .") == (120, true))
    // Others may lie behind what was read, and before where it began.
    #expect(try totals("message .", limit: 5) == (nil, nil))
    #expect(try totals("nowhere", at: PageStart(.ordinal(60))) == (nil, nil))
  }

  @Test func `the total of several conditions is exact, wherever a search ends`() throws {
    let fixture = try ShellFixture(count: 0)
    let store = try SynchronousMessageStore(path: fixture.store)
    let conversation = try store.makeConversation(named: "c").id
    // More than are counted where each is to be looked at.
    try store.append(
      (0..<2_500).map { NewMessage("tea \($0)", from: $0.isMultiple(of: 900) ? "ben" : "ann") },
      to: conversation)
    func total(_ words: String, at: PageStart? = nil, limit: Int = 50) throws -> (Int?, Bool?) {
      let question = HitsQuestion(words: words, at: at, limit: limit, counts: true)
      let hits = try QuestionAnswerer(store).answer(question)
      return (hits.total, hits.exact)
    }
    #expect(try total("tea from:ben has:picture") == (0, true))
    #expect(try total("tea from:ben -kind:tool") == (3, true))
    #expect(try total("tea from:ben -kind:tool", at: PageStart(.oldest)) == (3, true))
    #expect(try total("tea from:ben -kind:tool", limit: 2) == (3, true))
  }

  @Test func `what is said beside links and files has no signs that mark it`() throws {
    let fixture = try ShellFixture(
      holding:
        #"{"conversation":"c","time":"2025-01-01T00:00:00Z","text":"**see** [the plan](https://example.org/plan)\n<https://example.org/b>","source":{"platform":"discord","id":"1"}}"#
    )
    let queries = QuestionAnswerer(try SynchronousMessageStore(path: fixture.store))
    let links = try queries.shared(.links).shared
    #expect(links.map(\.url) == ["https://example.org/plan", "https://example.org/b"])
    #expect(links.map(\.text) == ["see the plan", nil])
  }

  @Test func `answers of whole texts end behind some megabytes and say what is left`() throws {
    let fixture = try ShellFixture(count: 0)
    let text = "tea " + String(repeating: "milk", count: (1 << 19) - 1)
    let store = try SynchronousMessageStore(path: fixture.store)
    let conversation = try store.makeConversation(named: "c")
    for _ in 0..<5 { try store.append([NewMessage(text, from: "ann")], to: conversation.id) }
    let queries = QuestionAnswerer(store)
    let lines = try queries.page(PageRequest(.everything))
    #expect(lines.messages.allSatisfy { $0.textBytes == 2 << 20 && ($0.text?.utf8.count ?? 0) <= 4_096 })
    let ids = lines.messages.map(\.id)
    let answer = try queries.messages(ids + ids)
    #expect(answer.messages.map(\.id) == Array(ids[..<2]) && answer.rest == Array((ids + ids).dropFirst(2)))
    #expect(answer.messages.allSatisfy { $0.text?.utf8.count == 2 << 20 && $0.textBytes == nil })
    let page = try queries.page(PageRequest(.everything, anchor: .oldest), detail: .whole)
    #expect(page.messages.map(\.id) == Array(ids[..<2]) && page.hasNewer && !page.hasOlder && page.total == 5)
    for (anchor, order) in [(PageAnchor.newest, ids.reversed().map { $0 }), (.oldest, ids)] {
      var (place, found): (PageAnchor?, [Message.ID]) = (anchor, [])
      while let from = place {
        let hits = try queries.hits(.matching("tea"), anchor: from, limit: 4, detail: .whole)
        let some = hits.hits.map(\.message.id)
        #expect((1...2).contains(some.count))
        found += anchor == .newest ? some : some.reversed()
        place = hits.next?.anchor
      }
      #expect(found == order)
    }
  }

  @Test(arguments: [
    ("[]", "it is of another type"), ("{}", "no 'question' is there"),
    (#"{"question":"pages"}"#, "there are conversations, conversation, page"),
    (#"{"question":7}"#, "'question': "),
    (#"{"question":"page","limit":"7"}"#, "'limit': it is of another type"),
    (#"{"question":"page","limit":1e30}"#, ""),
    (#"{"question":"page","at":"now"}"#, "the words are newest, oldest and unread"),
    (#"{"question":"page","at":{"before":"1","after":"1"}}"#, "it needs exactly one of the keys before"),
    (##"{"question":"page","at":{"around":"#1"}}"##, "'#1' is not the id of a message"),
    (#"{"question":"page","at":{"time":"2024-13-01"}}"#, "'2024-13-01' is not a time"),
    (#"{"question":"page","filter":{"kinds":["txt"]}}"#, "'txt' is not a kind of message"),
    (#"{"question":"page","conversations":[[]]}"#, "'conversations.0': "),
    (#"{"question":"messages"}"#, "no 'ids' is there"),
  ])
  func `a question that is not understood is told where`(json: String, cause: String) {
    let error = #expect(throws: StoreError.self) { try AnyHistoryQuestion(json: json) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.cause?.contains(cause) == true || cause.isEmpty, "\(String(describing: error))")
  }

  @Test func `a question may be long, but not without end, and as deep as it likes`() {
    let long = #"{"question":"conversations","after":""# + String(repeating: "a", count: 2 << 20) + "\"}"
    #expect(throws: StoreError.self) { try AnyHistoryQuestion(json: long) }
    let deep = #"{"question":"page","conversations":"# + String(repeating: "[", count: 1 << 19)
    #expect(throws: StoreError.self) { try AnyHistoryQuestion(json: deep) }
  }

  @Test func `newest messages and beginnings of threads are listed without the signs that mark them`() throws
  {
    let fixture = try ShellFixture(
      holding: #"""
        {"id":"7022857420800000","conversation":"plans","time":"2024-05-01T00:00:00Z","sender":"ann","text":"*Lunch* at `noon`?","source":{"platform":"slack","id":"1"}}
        {"id":"7022857666560000","conversation":"plans","time":"2024-05-01T00:01:00Z","sender":"ben","text":"_sure_ :+1:","thread":"7022857420800000","source":{"platform":"slack","id":"2"}}
        {"conversation":"sums","time":"2024-05-01T00:02:00Z","sender":"cy","text":"2 *3* 4"}

        """#)
    let store = try SynchronousMessageStore(path: fixture.store)
    defer { store.close() }
    let queries = QuestionAnswerer(store)
    let listed = try queries.conversations(wantsNewest: true).conversations
    #expect(listed.map(\.lastText) == ["sure 👍", "2 *3* 4"])
    let threads = try queries.threads().threads
    #expect(threads.map(\.text) == ["Lunch at noon?"])
    #expect(try queries.threads(begunBy: threads.map(\.id)).threads == threads)
    // Deleted contents are not an empty line.
    try store.redact(try store.page(PageRequest(.everything)).messages.map(\.id), by: "dee")
    let deleted = try queries.threads().threads
    #expect(deleted.map(\.text) == ["deleted by dee"])
    #expect(try queries.threads(begunBy: deleted.map(\.id)).threads.map(\.text) == ["deleted by dee"])
    #expect(
      try queries.conversations(wantsNewest: true).conversations.map(\.lastText)
        == ["deleted by dee", "deleted by dee"])
  }
}
