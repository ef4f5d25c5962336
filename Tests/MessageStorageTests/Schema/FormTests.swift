import Foundation
import GRDB
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// The form of the file.
@Suite struct FormTests {
  /// The schema as it lies in the sources.
  private static func text() throws -> String {
    try String(
      contentsOf: GoldenFile.root.appending(path: "Sources/Store/MessageStorage/Schema/Schema.sql"),
      encoding: .utf8
    )
  }

  @Test func `a store is known by the hash of what its program makes`() throws {
    let made = try SchemaComparison.madeKey()
    #expect(
      made == SchemaComparison.ownKey,
      "the last step in Schema.swift has the key \(made); Schema.sql and the steps of released versions are frozen"
    )
  }

  @Test(arguments: GoldenStore.forms)
  func `the store of each form has what the steps to that form make`(form: Int) throws {
    let temporary = try TemporaryStore()
    let queue = try DatabaseQueue(path: GoldenStore.unpack(form, into: temporary.folder))
    defer { try? queue.close() }
    let step = try #require(Schema.step(to: Int32(form)))
    let made = try Schema.made(by: step).read { try SchemaComparison.key(in: $0) }
    #expect(try queue.read { try SchemaComparison.key(in: $0) } == made, "stores of form \(form) are in use")
    #expect(made == step.key)
  }

  @Test func `there is a store of each form`() {
    #expect(Schema.steps.map { Int($0.version) } == GoldenStore.forms)
  }

  @Test func `the first step is the file as it lies in the sources`() throws {
    #expect(try Schema.steps[0].sql == Self.text())
  }

  @Test func `each table says above it what it holds`() throws {
    let paragraphs = try Self.text().components(separatedBy: "\n\n")
    for paragraph in paragraphs
    where paragraph.contains("CREATE TABLE") || paragraph.contains("CREATE VIRTUAL") {
      #expect(paragraph.hasPrefix("--"), "\(paragraph)")
    }
  }

  @Test func `the page on the file names each table with its columns, in their order`() throws {
    let page = try String(
      contentsOf: GoldenFile.root.appending(path: "docs/file-format.md"), encoding: .utf8)
    let tables = try Schema.made(by: Schema.steps[0]).read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT t.name, group_concat(c.name, ', ') FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND t.name NOT LIKE '%search%' AND t.name NOT LIKE 'grdb%' GROUP BY t.name
          """
      ).map { "`\($0[0] as String)(\($0[1] as String))`" }
    }
    let said = page.replacing("\n", with: " ")
    for table in tables { #expect(said.contains(table), "\(table)") }
  }

  @Test func `the text of the form says the numbers that the program has names for`() throws {
    let texts = try Schema.made(by: Schema.steps[0]).read {
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
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    let ids = try temporary.store.append(
      Message.Kind.allCases.map { NewMessage("https://a.example", from: "ann", kind: $0) }
        + [NewMessage("plain"), NewMessage("more", from: "bob")], to: room)
    try temporary.store.star([ids[0]])
    try temporary.store.react("👍", to: ids[1], by: "bob")
    _ = try temporary.store.edit(ids[2], text: "else")
    try temporary.store.attach([NewAttachment([1, 2], name: "a.bin")], to: ids[3])
    try temporary.store.reading("") { db in
      let said = try Set(
        Row.fetchAll(db, sql: "SELECT id, facet FROM message_facet").map { [$0[0] as Int64, $0[1] as Int64] })
      var counted: Set<[Int64]> = []
      for row in try Row.fetchAll(db, sql: "SELECT id, sender, kind, features FROM message") {
        Facet.each(sender: row[1], kind: row[2], features: row[3]) { counted.insert([row[0], $0.rawValue]) }
      }
      #expect(said == counted && said.count > 30)
    }
  }
}
