import ArchiveTesting
import Foundation
import HistoryPublishing
import MessageModel
import MessagePostgres
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isThere, "needs a PostgreSQL server: apt-get install postgresql"))
struct PublisherTests {
  /// Does something to a store.
  private func change(_ store: SynchronousMessageStore, _ generator: inout SeededGenerator) throws {
    let conversations = try store.conversations()
    let messages = try store.page(PageRequest(.everything, fetchLimit: 10_000)).messages
    switch Int.random(in: 0..<12, using: &generator) {
    case 10... where !messages.isEmpty:
      let (message, other) = (
        messages.randomElement(using: &generator)!, messages.randomElement(using: &generator)!
      )
      _ = try store.move(
        message.id, to: other.id.placeTime.advanced(byMilliseconds: .random(in: -5...5, using: &generator)))
    case 0 where conversations.count > 1:
      let two = conversations.shuffled(using: &generator).prefix(2).map(\.id)
      try store.mergeConversation(two[0], into: two[1])
    case 1 where !conversations.isEmpty:
      let one = conversations.randomElement(using: &generator)!.id
      try store.renameConversation(one, to: "name \(UInt64.random(in: 0 ... .max, using: &generator))")
    case 2 where conversations.count > 2:
      try store.deleteConversation(conversations.randomElement(using: &generator)!.id)
    case 3 where !messages.isEmpty:
      _ = try store.delete(messages.shuffled(using: &generator).prefix(3).map(\.id))
    case 4 where !messages.isEmpty:
      let message = messages.randomElement(using: &generator)!
      // Edited before, it is redacted.
      if message.isEdited {
        try store.redact([message.id], by: SenderKey(name: "Ann\u{0}", externalID: "U1"))
      } else if message.deletion == nil {
        _ = try store.edit(message.id, text: "edited\tlike \\this\n\u{0}")
      }
    case 5 where !messages.isEmpty:
      try store.react("👍", to: messages.randomElement(using: &generator)!.id, by: "Ann")
    case 6: _ = try store.makeConversation(named: "new \(UInt64.random(in: 0 ... .max, using: &generator))")
    default:
      let conversation =
        try conversations.randomElement(using: &generator)?.id ?? store.makeConversation(named: "first").id
      let texts = (0..<Int.random(in: 1...80, using: &generator)).map { "text \($0) https://example.org" }
      _ = try store.append(texts.map { NewMessage($0, from: "Bob") }, to: conversation)
    }
  }

  @Test func `an id that a message had before it was moved leads to it, in the archive, too`() throws {
    let fixture = try ArchiveFixture()
    let store = fixture.store
    let room = try store.makeConversation(named: "room").id
    let times = (0..<50).map { Timestamp(millisecondsSince1970: 1_700_000_000_000 + $0 * 60_000) }
    let ids = try store.append(times.enumerated().map { NewMessage("line \($0)", at: $1) }, to: room)
    // Moved once before all is published, and once more after that.
    let once = try store.move(ids[40], to: times[5].advanced(byMilliseconds: 1))
    try fixture.publish()
    let twice = try store.move(once, to: times[20].advanced(byMilliseconds: 1))
    let other = try store.move(ids[3], to: times[30].advanced(byMilliseconds: 1))
    try fixture.publish()
    let archive = try fixture.archive()
    let read = try SynchronousMessageStore(reading: PostgresHistory(archive))
    defer { read.close() }
    for (former, present) in [(ids[40], twice), (once, twice), (ids[3], other)] {
      let page = try read.page(PageRequest(Selection(room), anchor: .around(former), fetchLimit: 5))
      let expected = try store.page(PageRequest(Selection(room), anchor: .around(former), fetchLimit: 5))
      #expect(
        page.messages.map(\.id) == expected.messages.map(\.id) && page.messages.map(\.id).contains(present))
      #expect(page.resolution == expected.resolution && page.counts == expected.counts)
      #expect(try read.records(of: [former, ids[0]]).records.map(\.message.id) == [present, ids[0]])
      #expect(try read.text(of: former) == store.text(of: present))
      var still = PageRequest(Selection(room), anchor: .around(former), fetchLimit: 5)
      still.followsMoves = false
      #expect(try read.page(still).resolution.match == .nearestOlder)
    }
    try store.delete([twice])
    try fixture.publish()
    #expect(try read.records(of: [once]).records.isEmpty)
    let left = try fixture.server.sql("SELECT string_agg(id::text, ' ') FROM former_id", in: fixture.database)
    #expect(left == "\(ids[3].rawValue)")
  }

  @Test func `an archive that has no table of former ids gets one, and is read without one`() throws {
    let fixture = try ArchiveFixture()
    let room = try fixture.store.makeConversation(named: "room").id
    let ids = try fixture.store.append([NewMessage("one"), NewMessage("two"), NewMessage("three")], to: room)
    try fixture.publish()
    try fixture.server.sql("DROP TABLE former_id", in: fixture.database)
    let archive = try fixture.archive()
    #expect(try archive.records(of: [ids[0].predecessor]).isEmpty)
    let moved = try fixture.store.move(ids[0], to: ids[2].placeTime.advanced(byMilliseconds: 10))
    try fixture.publish()
    #expect(try archive.records(of: [ids[0]]).map(\.message.id) == [moved])
  }

  @Test(arguments: UInt64(0)..<(isLong ? 40 : 4))
  func `what was published step by step is what is published at once`(seed: UInt64) throws {
    let fixture = try ArchiveFixture()
    var generator = SeededGenerator(seed: seed)
    for step in 0..<30 {
      try change(fixture.store, &generator)
      if step % 3 == 0 { try fixture.publish() }
      if step % 10 == 0 { #expect(try fixture.wrongCounts() == "") }
    }
    try fixture.publish()
    #expect(try fixture.wrongCounts() == "")
    let stepwise = try fixture.rows()
    for table in [
      "message", "conversation", "sender", "tally", "block", "superblock", "part", "store", "former_id",
    ] {
      try fixture.server.sql("DELETE FROM \(table)", in: fixture.database)
    }
    try fixture.publish()
    #expect(try fixture.rows() == stepwise)
    #expect(try fixture.publish().isEmpty)
  }

  @Test func `stores with names of their own stay apart, and one with another's name is refused`() throws {
    let (one, other) = (try ArchiveFixture(), try ArchiveFixture())
    for (fixture, text) in [(one, "here"), (other, "there")] {
      let conversation = try fixture.store.makeConversation(named: "general")
      _ = try fixture.store.append([NewMessage(text)], to: conversation.id)
    }
    try one.publish(as: "one")
    let address = try one.server.address(one.database)
    let settings = Publisher.Settings(address: address, name: "two")
    _ = try Publisher(other.store, settings).publish()
    for (name, text) in [("one", "here"), ("two", "there")] {
      let archive = try one.archive(more: "&store=\(name)")
      #expect(try archive.read(PageRequest(.everything)).messages.map(\.text) == [text])
    }
    let which = #expect(throws: StoreError.self) { try one.archive() }
    #expect(which?.kind == .notFound)
    let taken = #expect(throws: StoreError.self) {
      try Publisher(other.store, Publisher.Settings(address: address, name: "one"))
    }
    #expect(taken?.kind == .alreadyExists)
  }

  @Test func `of two publishers of a store the second is refused until the first has ended`() throws {
    let fixture = try ArchiveFixture()
    var first: Publisher? = try Publisher(
      fixture.store, Publisher.Settings(address: fixture.server.address(fixture.database), name: "test"))
    _ = try first?.publish()
    let error = #expect(throws: StoreError.self) { try fixture.publish() }
    #expect(error?.kind == .busy)
    first = nil
    try fixture.publish()
  }

  @Test func `U+0000 stands in the archive as a symbol, and is counted`() throws {
    let fixture = try ArchiveFixture()
    let conversation = try fixture.store.makeConversation(named: "general")
    _ = try fixture.store.append([NewMessage("a\0b\0")], to: conversation.id)
    #expect(try fixture.publish().replaced == 2)
    let page = try fixture.archive().read(PageRequest(.everything))
    #expect(page.messages.map(\.text) == ["a\u{2400}b\u{2400}"])
    _ = try fixture.store.append([NewMessage("c")], to: conversation.id)
    #expect(try fixture.publish().replaced == 0)
  }

  @Test func `a dry run says what would go, and writes nothing`() throws {
    let fixture = try ArchiveFixture()
    let conversation = try fixture.store.makeConversation(named: "general")
    _ = try fixture.store.append([NewMessage("one"), NewMessage("two")], to: conversation.id)
    #expect(try fixture.publish { $0.isDry = true }.inserted == 2)
    #expect(throws: StoreError.self) { try fixture.archive() }
    try fixture.publish()
    _ = try fixture.store.append([NewMessage("three")], to: conversation.id)
    #expect(try fixture.publish { $0.isDry = true }.inserted == 1)
    #expect(try fixture.archive().read(PageRequest(.everything)).messages.count == 2)
  }

  @Test func `a conversation that was renamed in the archive keeps that name, and whoever publishes is told`()
    throws
  {
    let fixture = try ArchiveFixture()
    let conversation = try fixture.store.makeConversation(named: "general")
    _ = try fixture.store.append([NewMessage("one")], to: conversation.id)
    try fixture.publish()
    try fixture.server.sql("UPDATE conversation SET name = 'lobby'", in: fixture.database)
    try fixture.store.renameConversation(conversation.id, to: "hall")
    #expect(try fixture.publish().renamedThere == ["lobby"])
    let names = try fixture.server.sql("SELECT name, own_name FROM conversation", in: fixture.database)
    #expect(names == "lobby|hall")
  }

  @Test func `some conversations can be published alone, and the rest later`() throws {
    let fixture = try ArchiveFixture()
    let one = try fixture.store.makeConversation(named: "one")
    let two = try fixture.store.makeConversation(named: "two")
    for conversation in [one, two] { _ = try fixture.store.append([NewMessage("text")], to: conversation.id) }
    try fixture.publish { $0.conversations = [one.id] }
    #expect(try fixture.archive().read(PageRequest(.everything)).messages.map(\.conversation) == [one.id])
    _ = try fixture.store.append([NewMessage("more")], to: one.id)
    #expect(try fixture.publish { $0.conversations = [one.id] }.inserted == 1)
    #expect(try fixture.publish().inserted == 1)
    #expect(try fixture.archive().read(PageRequest(.everything)).messages.count == 3)
    #expect(try fixture.wrongCounts() == "")
  }

  @Test func `indexes are made when the first messages are there, and are those that the file has`() throws {
    let (fixture, whole) = (try ArchiveFixture(), try ArchiveFixture())
    let indexes = """
      SELECT string_agg(indexdef, ' ' ORDER BY indexdef) FROM pg_indexes WHERE schemaname = 'public'
      """
    let conversation = try fixture.store.makeConversation(named: "general")
    _ = try fixture.store.append([NewMessage("one")], to: conversation.id)
    let address = try fixture.server.address(fixture.database)
    let publisher = try Publisher(fixture.store, Publisher.Settings(address: address, name: "test"))
    #expect(try !fixture.server.sql(indexes, in: fixture.database).contains("message_in_time"))
    _ = try publisher.publish()
    try whole.server.sql(ArchiveSchema.sql, in: whole.database)
    #expect(
      try fixture.server.sql(indexes, in: fixture.database)
        == whole.server.sql(indexes, in: whole.database))
  }

  @Test func `a conversation that was half published and has gone since leaves nothing`() throws {
    let fixture = try ArchiveFixture()
    let one = try fixture.store.makeConversation(named: "one")
    let two = try fixture.store.makeConversation(named: "two")
    for conversation in [one, two] {
      _ = try fixture.store.append((0..<12_000).map { NewMessage("text \($0)") }, to: conversation.id)
    }
    let address = try fixture.server.address(fixture.database)
    let error = #expect(throws: StoreError.self) {
      try Publisher(fixture.store, Publisher.Settings(address: address, name: "test")).publish { $0 < 20_000 }
    }
    #expect(error?.kind == .cancelled)
    try fixture.store.deleteConversation(one.id)
    try fixture.publish()
    #expect(try fixture.wrongCounts() == "")
    #expect(try fixture.archive().read(PageRequest(.everything)).counts?.total == 12_000)
  }

  @Test func `contents of attachments go to a folder, also of messages that were published before`() throws {
    let fixture = try ArchiveFixture()
    let folder = fixture.server.folder.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let conversation = try fixture.store.makeConversation(named: "general")
    let ids = try fixture.store.append([NewMessage("one"), NewMessage("two")], to: conversation.id)
    try fixture.store.attach([NewAttachment(Array("a content".utf8), name: "note.txt")], to: ids[1])
    func path() throws -> String? {
      try fixture.archive().read(PageRequest(.everything)).messages.last?.attachments.first?.path
    }
    try fixture.publish()
    let before = try path()
    #expect(try fixture.publish { ($0.attachments, $0.isDry) = (folder, true) }.changed == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    let outcome = try fixture.publish { $0.attachments = folder }
    #expect(outcome.changed == 1 && outcome.attachments == 1)
    let name = try #require(try path())
    #expect(try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) == "a content")
    #expect(try fixture.publish { ($0.attachments, $0.isDry) = (folder, true) }.isEmpty)
    #expect(try fixture.publish { $0.attachments = folder }.isEmpty)
    try fixture.publish()
    #expect(try path() == before)
  }
}
