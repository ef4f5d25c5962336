import Foundation
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// People: links of accounts, their log, and what becomes of both.
@Suite struct PeopleTests {
  private let temporary = try! TemporaryStore()
  private var store: SynchronousMessageStore { temporary.store }

  /// Imports a message of each sender, by name and id on the platform.
  private func load(_ senders: [(String, String?)], in conversation: String = "general") throws {
    var batch = ImportBatch()
    for (number, (name, external)) in senders.enumerated() {
      let details = external.map { ImportDetails(senderID: $0) }
      batch.add("\(name) \(number)", from: name, at: minute(number), in: conversation, details: details)
    }
    try store.load([batch], name: UUID().uuidString)
  }

  private func names(_ person: String) throws -> [String] {
    try store.messages(Selection(.all, where: store.predicate(ofPersonNamed: person)))
      .compactMap(\.sender?.name).sorted()
  }

  @Test func `a link holds for whatever name stands beside the id on a platform`() throws {
    try load([("ann", "u1"), ("bob", "u2"), ("ann_", nil)])
    try store.linkAccounts([.id("u1"), .name("ann_")], to: "Ann")
    #expect(try names("ann") == ["ann", "ann_"])
    try load([("Ann of the roses", "u1")], in: "other")
    #expect(try names("ann") == ["Ann of the roses", "ann", "ann_"])
    #expect(try store.person(named: "@ANN").accounts.map(\.messageCount) == [2, 1])
    #expect(try store.check().problems == [])
  }

  @Test func `an account of one person is not linked to another, and both are named`() throws {
    try store.linkAccounts([.id("u1")], to: "Ann")
    let error = #expect(throws: StoreError.self) {
      try store.linkAccounts([.id("u2"), .id("u1")], to: "Bob")
    }
    #expect(error?.kind == .alreadyExists)
    #expect(error?.summary == "cannot link 'u1' to 'Bob'" && error?.cause == "it is linked to 'Ann'")
    #expect(try store.people().map(\.name) == ["Ann"])
    #expect(try store.linkAccounts([.id("u1")], to: "ann") == nil)
  }

  @Test func `who is not there is told with the nearest names`() throws {
    try store.linkAccounts([.id("u1")], to: "Annabel")
    let error = #expect(throws: StoreError.self) { try store.person(named: "Anabel") }
    #expect(error?.kind == .notFound && error?.cause == "did you mean 'Annabel'?")
    #expect(throws: StoreError.self) { try store.unlinkAccounts([.id("u2")]) }
    for name in ["", "@ann", "a\nb", " a", String(repeating: "a", count: 201)] {
      #expect(throws: StoreError.self) { try store.linkAccounts([.id("u2")], to: name) }
    }
  }

  @Test func `equal names of several accounts mean none of them`() throws {
    try load([("ann", "u1"), ("ann", "u2"), ("bob", nil), ("bobby", nil)])
    let error = #expect(throws: StoreError.self) { try store.accounts(called: "ann") }
    #expect(error?.cause == "2 accounts have this name: 'id:u1', 'id:u2'")
    #expect(try store.accounts(called: "u2") == [.id("u2")] && store.accounts(called: "id:u1") == [.id("u1")])
    #expect(try store.accounts(called: "name:bob") == [.name("bob")])
    try store.setAlias("bobby", of: "bob")
    #expect(try store.accounts(called: "Bob") == [.name("bob"), .name("bobby")])
    #expect(throws: StoreError.self) { try store.accounts(called: "nobody") }
  }

  @Test func `a change that others stand on is undone after them, and then everything is as it was`() throws {
    let first = try #require(try store.linkAccounts([.id("u1")], to: "Ann")).id
    let second = try #require(try store.linkAccounts([.id("u2")], to: "Ann")).id
    let ann = try store.person(named: "Ann").id
    #expect(throws: StoreError.self) { try store.undoPeople(first) }
    let renamed = try #require(try store.renamePerson(ann, to: "Anne")).id
    let removed = try #require(try store.removePerson(ann)).id
    #expect(throws: StoreError.self) { try store.undoPeople(second) }
    try store.linkAccounts([.id("u9")], to: "anne")
    let error = #expect(throws: StoreError.self) { try store.undoPeople(removed) }
    #expect(error?.kind == .alreadyExists)
    try store.undoPeople()
    #expect(try store.undoPeople().id == removed)
    #expect(try store.person(named: "Anne").id == ann)
    #expect(try store.undoPeople(second).links.map(\.subject) == [.id("u2")])
    #expect(throws: StoreError.self) { try store.undoPeople(second) }
    try store.undoPeople(renamed)
    try store.undoPeople(first)
    #expect(try store.people() == [])
    #expect(throws: StoreError.self) { try store.undoPeople() }
    #expect(try store.peopleEntries().count == 5)
  }

  @Test func `links outlive imports that are undone, conversations that are merged, and a salvage`() throws {
    try load([("ann", "u1"), ("bob", nil)])
    try load([("ann", "u1")], in: "other")
    let link = try #require(try store.linkAccounts([.id("u1"), .name("bob")], to: "Ann")).id
    let rooms = try store.conversations()
    try store.mergeConversation(rooms[0].id, into: rooms[1].id)
    #expect(try names("Ann") == ["ann", "ann", "bob"])
    let copy = temporary.folder.appending(path: "copy.db").path
    let report = try SynchronousMessageStore.salvage(store.path, to: copy)
    #expect(report.losses == [])
    let salvaged = try SynchronousMessageStore(path: copy, options: StoreOptions(durability: .process))
    #expect(try salvaged.people() == store.people() && salvaged.peopleEntries() == store.peopleEntries())
    salvaged.close()
    for load in try store.imports() { try store.undoImport(load.id) }
    #expect(try store.person(named: "Ann").accounts.count == 2)
    try store.compact()
    try store.undoPeople(link)
    #expect(try store.people() == [] && store.check().problems == [])
  }

  @Test func `stars go with their messages, and stay where those are moved`() throws {
    try load([("ann", "u1"), ("bob", nil), ("eve", nil)])
    try load([("kim", nil)], in: "other")
    try store.execute("INSERT INTO star SELECT id, 5 FROM message")
    let ids = try store.messages().map(\.id)
    try store.delete([ids[0]])
    #expect(try store.numbers("SELECT count(*) FROM star") == [3])
    let rooms = try store.conversations()
    try store.mergeConversation(rooms[0].id, into: rooms[1].id)
    try store.edit(try #require(ids.last), text: "another text")
    #expect(try store.numbers("SELECT DISTINCT time FROM star") == [5])
    #expect(try store.numbers("SELECT count(*) FROM star") == [3])
    for load in try store.imports() { try store.undoImport(load.id) }
    #expect(try store.numbers("SELECT count(*) FROM star") == [0])
    #expect(try store.check().problems == [])
  }

  @Test func `what is said of people who are not there is told and taken away`() throws {
    try load([("ann", "u1")])
    try store.linkAccounts([.id("u1")], to: "Ann")
    try store.execute(
      "INSERT INTO person_account VALUES ('u3', '', 77); INSERT INTO star VALUES (5, 6); INSERT INTO person_name VALUES (1, 9, NULL, 'x')"
    )
    #expect(
      try store.check().problems.map(\.sentence) == [
        "an account names person 77, which is not there", "a name names change 9, which is not there",
        "a star names message 5, which is not there",
      ])
    #expect(try store.check(repair: true).problems.allSatisfy(\.isRepaired))
    #expect(try store.check().problems == [] && names("Ann") == ["ann"])
  }

  @Test func `a person with ten thousand accounts is read, counted and paged`() throws {
    let count = isLong ? 10_000 : 2_000
    try load((0..<count).map { ("s\($0)", $0.isMultiple(of: 2) ? "u\($0)" : nil) } + [("else", nil)])
    try store.linkAccounts(
      (0..<count).map { $0.isMultiple(of: 2) ? .id("u\($0)") : .name("s\($0)") }, to: "many")
    let selection = Selection(.all, where: try store.predicate(ofPersonNamed: "many"))
    let page = try store.page(PageRequest(selection, anchor: .ordinal(count / 2), fetchLimit: 3))
    #expect(page.counts?.total == count)
    let first = try #require(page.counts?.firstOrdinal)
    #expect((count / 2 - 2...count / 2).contains(first))
    #expect(page.messages.map(\.text) == (first..<first + 3).map { "s\($0) \($0)" })
  }
}
