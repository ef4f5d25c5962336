import Foundation
import GRDB
import MessageModel
import Testing

@testable import MessageStorage

/// The forms that files of stores have had.
@Suite struct FormTests {
  @Test func `the text of the first form makes what its stores hold, to the byte`() throws {
    let queue = try DatabaseQueue()
    try Schema.migrator.migrate(queue, upTo: Migration1.name)
    let made = try queue.read { try SchemaComparison.key(in: $0) }
    let stored = try StoredForm(1)
    let file = try DatabaseQueue(path: stored.path)
    #expect(try file.read { try SchemaComparison.key(in: $0) } == made)
    #expect(Schema.keys[0][0] == made)
  }

  @Test func `the text of the present form says the numbers that the program has names for`() throws {
    let queue = try DatabaseQueue()
    try Schema.migrator.migrate(queue)
    let texts = try queue.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql <> ''")
    }.joined()
    let features = MessagePredicate.Feature.allCases.map { feature in
      "SELECT \(Facet.feature(feature).rawValue) WHERE NEW.features & \(MessageRow.Feature.bit(of: feature))"
    }
    let kinds = SearchSchema.kinds.map { String($0.rawValue) }.joined(separator: ", ")
    let set =
      "["
      + UnspacedScripts.blocks.map { block in
        [block.lowerBound, block.upperBound].compactMap { Unicode.Scalar($0).map { String($0) } }.joined(
          separator: "-")
      }.joined() + "]"
    let wanted =
      features + [
        "NEW.kind * 8 + \(Facet.kind(.text).rawValue & 7) ",
        "NEW.sender * 8 + \(Facet.sender(0).rawValue & 7) ",
        "filter.id * 8 + \(Facet.saved(0).rawValue & 7)", "NEW.count > \(OrdinalIndex.blockLimit) ",
        "NEW.blocks > \(OrdinalIndex.superblockLimit) ", "kind IN (\(kinds))", set, SearchSchema.tokenizer,
        "1, \(SearchSchema.characterLimit))", "start < \(SearchSchema.signLimit))",
      ]
    for text in wanted { #expect(texts.contains(text), "\(text)") }
  }

  @Test func `the view of facets gives what the program counts messages by`() throws {
    let stored = try StoredForm(1)
    let file = try DatabaseQueue(path: stored.path)
    try file.read { db in
      let said = try Set(
        Row.fetchAll(db, sql: "SELECT id, facet FROM message_facet").map { [$0[0] as Int64, $0[1] as Int64] })
      var counted: Set<[Int64]> = []
      for row in try Row.fetchAll(db, sql: "SELECT id, sender, kind, features FROM message") {
        Facet.each(sender: row[1], kind: row[2], features: row[3]) { counted.insert([row[0], $0.rawValue]) }
      }
      #expect(said == counted)
    }
  }

  @Test func `a stored file of the first form is opened, read and written, and its counts are true`() throws {
    let stored = try StoredForm(1)
    let store = try SynchronousMessageStore(path: stored.path, options: StoreOptions(durability: .process))
    defer { store.close() }
    #expect(store.unexpectedObject == nil)
    let messages = try store.messages(pageSize: 100)
    #expect(messages.count == 1_261)
    #expect(try store.check().isSound)
    let own = try #require(try store.conversations().first { $0.name == "own" })
    try store.append([NewMessage("one more")], to: own.id)
    #expect(try store.check().isSound)
  }
}
