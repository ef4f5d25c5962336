import GRDB
import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// Many messages appended at once are counted and indexed together, where one alone is by the triggers of the file.
@Suite struct AppendManyTests {
  @Test(arguments: 1...(isLong ? 6 : 2)) func `many at once leave the store as one after the other does`(
    seed: UInt64
  ) throws {
    var dice = SeededGenerator(seed: seed)
    let hasFilter = seed % 2 == 0
    let (one, many) = (try TemporaryStore(clock: minute(500)), try TemporaryStore(clock: minute(500)))
    for store in [one.store, many.store] {
      for name in ["general", "tea"] { try store.makeConversation(named: name) }
      if hasFilter { try store.saveFilter(named: "lamps", words: "regex:lamp", predicate: .regex("lamp")) }
    }
    for _ in 1...6 {
      let room = Conversation.ID(rawValue: Int64.random(in: 1...2, using: &dice))
      let present = try one.store.messages(pageSize: 500)
      let messages = (0..<Int.random(in: 1...400, using: &dice)).map { _ in
        Self.message(answering: present.randomElement(using: &dice)?.id, &dice)
      }
      let ids = try messages.flatMap { try one.store.append([$0], to: room) }
      let version = try many.store.version(of: .everything)
      #expect(try many.store.append(messages, to: room) == ids)
      let changes = try many.store.changes(since: version)
      #expect(!changes.isEverything)
      #expect(Set(changes.inserted) == Set(ids).subtracting(present.map(\.id)))
    }
    for sql in Self.tables { #expect(try Self.rows(sql, one.store) == Self.rows(sql, many.store), "\(sql)") }
    for temporary in [one, many] { #expect(try temporary.store.check().problems == []) }
    if !hasFilter { try many.expectTrueCounts() }
  }

  /// What is the same in both: blocks of the counts are cut elsewhere.
  private static let tables = [
    "SELECT * FROM message ORDER BY id", "SELECT * FROM tally", "SELECT * FROM change",
    "SELECT * FROM payload",
    "SELECT rowid FROM search WHERE search MATCH 'words:lamp'",
    "SELECT rowid FROM search WHERE search MATCH 'c1'",
    "SELECT rowid FROM sign_search WHERE sign_search MATCH 'words:火'", "SELECT * FROM body",
    "SELECT message, platform, external, original FROM source_text ORDER BY message",
    "SELECT * FROM filter_member ORDER BY scope, id",
  ]

  private static func rows(_ sql: String, _ store: SynchronousMessageStore) throws -> [String] {
    try store.reading("") { db in try Row.fetchAll(db, sql: sql).map(\.description) }
  }

  private static func message(
    answering id: Message.ID?, _ dice: inout SeededGenerator
  ) -> NewMessage {
    let texts = [
      "a lamp", "火 in the lamp", "see https://example.org", String(repeating: "long lamp ", count: 600), "",
    ]
    let number = Int.random(in: 0..<1_000, using: &dice)
    return NewMessage(
      texts[number % texts.count], from: ["ann", "bo", nil][number % 3],
      kind: number % 11 == 0 ? .join : .text, at: number % 4 == 0 ? minute(number) : nil,
      replyTo: number % 7 == 0 && number % 5 != 0 ? id.map { .message($0) } : nil,
      source: number % 5 == 0 ? Message.Source(platform: "slack", id: "\(number)") : nil,
      payload: number % 6 == 0 ? [1, 2] : nil, sendingState: number % 9 == 0 ? .waiting : nil)
  }

  @Test func `a message that has waited for one of many is told of as changed`() throws {
    let temporary = try TemporaryStore(clock: minute(500))
    var batch = ImportBatch()
    var details = ImportDetails()
    details.source = Message.Source(platform: "slack", id: "1")
    details.replyTo = .external("12")
    batch.add("an answer", at: minute(0), details: details)
    try temporary.store.load([batch])
    let answer = try #require(try temporary.store.messages().first)
    let version = try temporary.store.version(of: .everything)
    let messages = (10..<40).map {
      NewMessage("m\($0)", source: Message.Source(platform: "slack", id: "\($0)"))
    }
    let ids = try temporary.store.append(messages, to: answer.conversation)
    let changes = try temporary.store.changes(since: version)
    #expect(Set(changes.inserted) == Set(ids))
    #expect(changes.edited == [answer.id])
    #expect(try temporary.store.messages().first?.replyTo == ids[2])
    try temporary.expectTrueCounts()
  }

  @Test func `the kinds whose words are searched are those of the indexes`() {
    #expect(Set(SearchSchema.kinds) == Set(Message.Kind.allCases.filter(\.isSearched)))
  }

  @Test func `an unknown conversation is refused, whatever times are given`() throws {
    let temporary = try TemporaryStore()
    let messages = (0..<40).map { NewMessage("m\($0)", at: minute($0)) }
    let error = #expect(throws: StoreError.self) {
      try temporary.store.append(messages, to: Conversation.ID(rawValue: 7))
    }
    #expect(error?.kind == .notFound)
    #expect(try temporary.store.texts() == [])
  }

  @Test func `of more than the log of changes holds it says that there is more than it lists`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "general").id
    let version = try temporary.store.version(of: .everything)
    try temporary.store.append((0..<16_400).map { NewMessage("m\($0)") }, to: room)
    #expect(try temporary.store.changes(since: version).isEverything)
    try temporary.expectTrueCounts()
  }
}
