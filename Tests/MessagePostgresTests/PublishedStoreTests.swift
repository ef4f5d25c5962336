import ArchiveTesting
import Foundation
import HistoryModel
import HistoryPublishing
import HistoryQueries
import HistoryServer
import MessageModel
import MessageSourceTesting
import MessageStorage
import ShellTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A store over an archive: what commands, questions and the page in the browser read it by.
@Suite(.enabled(if: PostgresServer.isThere, "needs a PostgreSQL server: apt-get install postgresql"))
struct PublishedStoreTests {
  /// A store with three conversations of some hundred messages over two years, its archive, and a store over that.
  private func published(count: Int = 300) throws -> (fixture: ArchiveFixture, over: SynchronousMessageStore)
  {
    let fixture = try ArchiveFixture()
    var generator = SeededGenerator(seed: 42)
    var drafts: [NewMessage] = []
    for name in ["general", "Öl", "zoo"] {
      let conversation = try fixture.store.makeConversation(named: name)
      drafts = (0..<count).map { number in
        let words = ["amber", "birch cedar", "Öl ist teuer", "see https://example.org/\(number)"]
        return NewMessage(
          words.randomElement(using: &generator)! + " \(number)",
          from: ["Ann", "Bob", "Cleo", nil].randomElement(using: &generator)!,
          kind: [.text, .text, .action, .notice].randomElement(using: &generator)!,
          at: Timestamp(millisecondsSince1970: 1_600_000_000_000 + Int64(number) * 200_000_000))
      }
      let ids = try fixture.store.append(drafts, to: conversation.id)
      try Self.reply(to: ids, in: conversation.id, of: fixture.store)
    }
    _ = try fixture.store.append(
      [NewMessage(String(repeating: "a long text about amber ", count: 1_000), from: "Ann")],
      to: try #require(try fixture.store.conversation(named: "zoo")).id)
    try fixture.publish()
    let address = fixture.server.text(fixture.database)
    return (fixture, try SynchronousMessageStore.opened(at: address, options: .readOnly))
  }

  /// Appends replies to messages, to replies, and in threads.
  private static func reply(
    to ids: [Message.ID], in conversation: Conversation.ID, of store: SynchronousMessageStore
  ) throws {
    let first = try store.append(
      [0, ids.count / 2, 0].map { NewMessage("a reply", from: "Dan", replyTo: .message(ids[$0])) },
      to: conversation)
    let second = try store.append(
      [NewMessage("to a reply", from: "Ann", replyTo: .message(first[1]))]
        + [NewMessage("in a thread", from: "Bob", thread: .message(ids[ids.count - 1]))], to: conversation)
    _ = try store.append(
      [NewMessage("to both", from: "Cleo", replyTo: .message(second[0]))], to: conversation)
  }

  @Test func `a store over an archive answers requests as the naive model does`() async throws {
    let (fixture, over) = try published()
    defer { over.close() }
    try await checkMessageSource(
      AwaitedSource(over), holding: fixture.messages, seeds: 0..<5, length: 60,
      patience: .seconds(86_400))
  }

  @Test(arguments: [
    #"{"question":"conversations","newest":true}"#,
    #"{"question":"conversations","limit":1,"after":"general"}"#,
    #"{"question":"conversations","order":"messages","named":"o"}"#,
    #"{"question":"conversation","conversation":"zoo","newest":true}"#,
    #"{"question":"page","limit":7,"at":{"percent":40},"marks":true}"#,
    #"{"question":"page","conversations":["Öl"],"filter":{"senders":["Ann"]},"detail":"whole","limit":5}"#,
    #"{"question":"page","filter":{"matching":"amber from:bob"},"limit":9}"#,
    #"{"question":"hits","words":"amber","counts":true,"limit":4,"context":2}"#,
    #"{"question":"hits","words":"teuer from:Cleo","detail":"whole","limit":3}"#,
    #"{"question":"hits","regex":"^birch .*7$","limit":5}"#,
    #"{"question":"hits","words":"about","limit":5}"#,
    #"{"question":"senders"}"#, #"{"question":"senders","conversations":["zoo"],"limit":2}"#,
    #"{"question":"days","by":"month"}"#, #"{"question":"days","conversation":"zoo","limit":9}"#,
    #"{"question":"days","by":"month","timeZone":"Pacific/Apia","limit":5}"#,
    #"{"question":"groups","by":"year"}"#,
    #"{"question":"groups","by":"month","filter":{"senders":["Bob"]}}"#,
    #"{"question":"groups","by":"weekday","conversations":["Öl"]}"#, #"{"question":"groups","by":"kind"}"#,
    #"{"question":"groups","by":"sender"}"#, #"{"question":"groups","by":"conversation"}"#,
    #"{"question":"groups","by":"hour"}"#, #"{"question":"groups","by":"hour","conversations":["zoo"]}"#,
    #"{"question":"groups","by":"sender","filter":{"matching":"amber"}}"#,
    #"{"question":"groups","by":"conversation","filter":{"matching":"amber"}}"#,
    #"{"question":"groups","by":"kind","filter":{"senders":["Ann"]}}"#,
    #"{"question":"threads"}"#, #"{"question":"threads","limit":2}"#,
    #"{"question":"threads","conversations":["Öl","zoo"],"before":"7022857543691537"}"#,
    #"{"question":"shared","sort":"links","limit":6}"#, #"{"question":"statistics","conversations":["zoo"]}"#,
    #"{"question":"people"}"#, #"{"question":"filters"}"#,
  ])
  func `a question is answered of an archive as of its store`(question: String) throws {
    let (fixture, over) = try published()
    defer { over.close() }
    func answer(_ store: SynchronousMessageStore) throws -> String {
      let answer = try QuestionAnswerer(store).answer(AnyHistoryQuestion(json: question))
      let text = String(decoding: try AnswerEncoder.bytes(of: answer), as: UTF8.self)
      // Versions count what has happened, which is not the same there; and nobody knows what was read of an archive.
      return text.replacing(#/"version":\{[^}]*\}|"unread":\d+,?/#, with: "")
    }
    let answers = (try answer(over), try answer(fixture.store))
    #expect(answers.0 == answers.1)
  }

  @Test
  func `what answers a question best is ranked by an archive, and its first answer is that of the store`()
    throws
  {
    let (fixture, over) = try published(count: 40)
    defer { over.close() }
    for question in ["what were the long texts about", "which text was long, Ann?"] {
      let (ranked, expected) = (
        try over.exchanges(answering: question), try fixture.store.exchanges(answering: question)
      )
      #expect(ranked.exchanges.first?.id == expected.exchanges.first?.id, "\(question)")
      #expect(ranked.exchanges.first?.messages.map(\.id) == expected.exchanges.first?.messages.map(\.id))
      #expect(ranked.exchanges.first?.best.message.text.hasPrefix("a long text") == true)
      #expect(ranked.isWhole && ranked.language == .english)
    }
    let named = try over.exchanges(answering: "what did Cleo say about birches", limit: 5).exchanges
    #expect(named.count == 5)
    #expect(named.first?.messages.contains { $0.sender?.name == "Cleo" } == true)
    #expect(try over.exchanges(answering: "zeppelins").exchanges.isEmpty)
  }

  @Test(arguments: [
    #"{"question":"sessions"}"#, #"{"question":"usage"}"#, #"{"question":"statistics"}"#,
    #"{"question":"message","platform":"slack","platformID":"1"}"#,
  ])
  func `a question that an archive has no answer to is refused, not answered from nothing`(question: String)
    throws
  {
    let (_, over) = try published(count: 3)
    defer { over.close() }
    let error = #expect(throws: StoreError.self) {
      try QuestionAnswerer(over).answer(AnyHistoryQuestion(json: question))
    }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.cause == "a published archive does not answer that")
    #expect(error?.remedy != nil)
  }

  @Test func `words are refused where no search index was published`() throws {
    let fixture = try ArchiveFixture()
    let conversation = try fixture.store.makeConversation(named: "general")
    _ = try fixture.store.append([NewMessage("amber"), NewMessage("birch")], to: conversation.id)
    try fixture.publish { $0.hasWords = false }
    let over = try SynchronousMessageStore.opened(
      at: fixture.server.text(fixture.database), options: .readOnly)
    defer { over.close() }
    let amber = Selection(.all, where: .matching("amber"))
    for read: () throws -> Void in [
      { _ = try over.hits(.matching("amber"), limit: 9) },
      { _ = try over.groups(of: amber, by: .kind, zone: .gmt) },
    ] {
      let error = #expect(throws: StoreError.self) { try read() }
      #expect(error?.cause == "the store was published with --no-search-index")
    }
    #expect(try over.hits(.regex("amber"), limit: 9).hits.count == 1)
  }

  @Test func `nothing is written to a store over an archive, and the way out is to publish`() throws {
    let (_, over) = try published(count: 3)
    defer { over.close() }
    let conversation = try #require(try over.conversations().first)
    let error = #expect(throws: StoreError.self) {
      try over.append([NewMessage("text")], to: conversation.id)
    }
    #expect(error?.kind == .readOnly)
    #expect(error?.remedy == .changeAndPublish)
    #expect(throws: StoreError.self) { try over.markRead(conversation.id, upTo: .highest) }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 3))
  func `searching, days and groups of an archive are those of its store`(seed: UInt64) throws {
    let (fixture, over) = try published(count: 120)
    defer { over.close() }
    var generator = SeededGenerator(seed: seed)
    let ids = try fixture.messages.map(\.id)
    let conversations = try fixture.store.conversations()
    for _ in 0..<60 {
      let id = try #require(ids.randomElement(using: &generator))
      let predicate: MessagePredicate =
        [.matching("amber"), .matching("bir*"), .regex("7"), .kind([.action]), .has(.link)]
        .randomElement(using: &generator)!
      let selection: Selection =
        Bool.random(using: &generator)
        ? .everything : Selection(conversations.randomElement(using: &generator)!.id)
      let limit = Int.random(in: 1...5, using: &generator)
      #expect(
        try over.nextHits(predicate, in: selection, after: id, limit: limit)
          == fixture.store.nextHits(predicate, in: selection, after: id, limit: limit))
      #expect(
        try over.previousHits(predicate, in: selection, before: id, limit: limit)
          == fixture.store.previousHits(predicate, in: selection, before: id, limit: limit))
      #expect(
        try over.hitCount(predicate, in: selection) == fixture.store.hitCount(predicate, in: selection))
      #expect(
        try over.hitCount(predicate, in: selection, olderThan: id)
          == fixture.store.hitCount(predicate, in: selection, olderThan: id))
      #expect(try over.hit(id, of: predicate) == fixture.store.hit(id, of: predicate))
      let span: HistorySection.Span = Bool.random(using: &generator) ? .day : .month
      let zone = try #require(TimeZone(identifier: "America/St_Johns"))
      let only = Selection(selection.conversations)
      #expect(
        try over.sections(of: only, by: span, zone: zone, from: id, limit: limit)
          == fixture.store.sections(of: only, by: span, zone: zone, from: id, limit: limit))
    }
  }

  @Test func `a window over an archive is read as one over the store, and says that it only reads`()
    throws
  {
    let fixture = try ShellFixture(count: 300, texts: ["Öl und Essig", "tea"])
    let server = try PostgresServer.shared.get()
    let address = server.text(try server.makeDatabase())
    #expect(try fixture.run(["publish", address]).status == 0)
    let script = "/goto 50%\n/older 10\n/search tea\n/goto 2024-05-01\n/newer 3\n/conversations\n/days\n"
    let arguments = ["open", "--view", "general"]
    let local = try fixture.run(arguments, input: script)
    let remote = try fixture.run(arguments + ["--store", address], input: script)
    #expect(remote.output == local.output)
    #expect(remote.errors == local.errors)
    #expect(remote.status == local.status)
    #expect(!remote.output.isEmpty)
    let written = try fixture.run(arguments + ["--store", address], input: "/star\n")
    #expect(written.status != 0)
    let unread = try fixture.run(["open", "--store", address], input: "/older\n")
    #expect(unread.status != 0)
    #expect(unread.errors.contains("open --view"))
    #expect(unread.errors.contains("scrollback publish"))
  }

  @Test func `the page in a browser is served from an archive, and shows what is published meanwhile`()
    async throws
  {
    let fixture = try ShellFixture(count: 40, texts: ["tea"])
    let server = try PostgresServer.shared.get()
    let address = server.text(try server.makeDatabase())
    #expect(try fixture.run(["publish", address]).status == 0)
    let served = try HistoryServer(me: "carol", path: address)
    let local = try HistoryServer(me: "carol", path: fixture.store)
    defer {
      served.stop()
      local.stop()
    }
    func get(_ server: HistoryServer, _ path: String) async throws -> String {
      let url = try #require(URL(string: server.url + path))
      let text = String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
      return text.replacing(#/"version":\{[^}]*\}|"unread":\d+,?/#, with: "")
    }
    for path in [
      "", "api/conversations?newest=true&order=newest", "api/page?conversations=general&limit=9",
      "api/hits?words=tea&counts=true", "api/groups?by=month", "api/days?by=day", "api/senders",
    ] {
      let (here, there) = (try await get(served, path), try await get(local, path))
      #expect(here == there, "\(path)")
      #expect(!here.contains(#""answer":"error""#), "\(here)")
    }
    #expect(try await get(served, "api/statistics").contains("published archive"))
    #expect(try fixture.run(["append", "-c", "general", "--from", "eve", "something new"]).status == 0)
    #expect(try fixture.run(["publish", address]).status == 0)
    #expect(try await get(served, "api/page?conversations=general&limit=1").contains("something new"))
    let marking = try fixture.run(["serve", "--mark-read", "--store", address])
    #expect(marking.status != 0)
    #expect(marking.errors.contains("only read"))
  }
}
