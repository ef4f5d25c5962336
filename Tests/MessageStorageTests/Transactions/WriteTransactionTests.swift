import Foundation
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Several writes in one transaction.
@Suite struct WriteTransactionTests {
  private let temporary: TemporaryStore
  private let room: Conversation.ID
  private var store: SynchronousMessageStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore(clock: minute(0))
    room = try temporary.store.makeConversation(named: "general").id
    try temporary.store.append([NewMessage("first", from: "mira")], to: room)
  }

  /// An error of the one who writes.
  private struct Stopped: Error, Equatable {}

  /// Does something in a transaction, which is rolled back then.
  private func rollingBack(_ body: (WriteTransaction) throws -> Void) {
    #expect(throws: Stopped()) {
      try store.write { store in
        try body(store)
        throw Stopped()
      }
    }
  }

  // MARK: One transaction, one version

  @Test func `others see all of it or nothing, and one version follows the other`() throws {
    let other = try temporary.another()
    defer { other.close() }
    let (before, room) = (try other.version(of: .everything), room)
    func seen() throws -> [String] {
      #expect(try other.version(of: .everything) == before)
      return try other.texts()
    }
    try store.write { store in
      let id = try store.append([NewMessage("second"), NewMessage("third")], to: room)[0]
      #expect(try seen() == ["first"])
      try store.edit(id, text: "2nd")
      #expect(try seen() == ["first"])
      try store.append([NewMessage("x")], to: store.makeConversation(named: "tea").id)
      #expect(try seen() == ["first"] && other.conversation(named: "tea") == nil)
    }
    #expect(try other.texts() == ["first", "2nd", "third", "x"])
    let changes = try other.changes(since: before)
    #expect(changes.inserted.count == 3)
    #expect(try changes.version == store.version(of: .everything))
    #expect(try store.check().problems == [])
  }

  @Test func `what is read in it has what was written in it`() throws {
    let room = room
    try store.saveFilter(named: "tea", words: "tea", predicate: .regex("tea"))
    try store.countMessages(ofFilter: "tea")
    try store.write { store in
      let version = try store.version(of: .everything)
      for number in 1...3 {
        let ids = try store.append([NewMessage("tea \(number)", from: "jon")], to: room)
        #expect(try store.message(ids[0])?.text == "tea \(number)")
        #expect(try store.savedFilter(named: "tea")?.total == number)
        #expect(try store.hits(.matching("tea")).hits.count == number)
        #expect(try store.hitCount(.matching("te*")) == number)
        #expect(try store.page(PageRequest(Selection(room))).counts?.total == number + 1)
        #expect(try store.changes(since: version).inserted.count == number)
      }
      let jon = try store.senderIDs(named: "jon")
      #expect(try store.page(PageRequest(Selection(room, where: .sender(jon)))).messages.count == 3)
      try store.setAlias("jon", of: "mira")
      let both = try store.senderIDs(named: "jon")
      #expect(try store.page(PageRequest(Selection(room, where: .sender(both)))).counts?.total == 4)
      let tea = try store.makeConversationIfNeeded(named: "tea")
      #expect(try store.makeConversationIfNeeded(named: "tea") == tea && store.conversationCount() == 2)
    }
    #expect(try store.savedFilter(named: "tea")?.total == 3)
  }

  @Test func `a transaction within another is a part of it, whole or not at all`() throws {
    let (own, room) = (store, room)
    try store.write { store in
      try store.append([NewMessage("outer")], to: room)
      #expect(throws: Stopped()) {
        try own.write { store in
          try store.append([NewMessage("never")], to: room)
          throw Stopped()
        }
      }
      try own.write { try $0.append([NewMessage("inner")], to: room) }
      // Whoever has the store itself is in the same transaction.
      #expect(try own.texts() == ["first", "outer", "inner"])
    }
    rollingBack { _ in _ = try own.write { try $0.append([NewMessage("gone")], to: room) } }
    #expect(try store.texts() == ["first", "outer", "inner"])
  }

  @Test func `transactions of two stores on one thread are two`() throws {
    let other = try TemporaryStore()
    let (elsewhere, room) = (try other.store.makeConversation(named: "b").id, room)
    rollingBack { store in
      try store.append([NewMessage("gone")], to: room)
      try other.store.write { inner in
        try inner.append([NewMessage("stays")], to: elsewhere)
        try store.append([NewMessage("gone, too")], to: room)
      }
    }
    #expect(try store.texts() == ["first"])
    #expect(try other.store.texts() == ["stays"])
  }

  // MARK: Rolling back

  @Test func `what throws leaves nothing, and its error is thrown as it is`() throws {
    let before = try store.version(of: .everything)
    let (people, room) = (try store.peopleEntries(), room)
    rollingBack { store in
      let id = try store.append([NewMessage("gone", from: "jon", sendingState: .waiting)], to: room)[0]
      try store.react("👍", to: id, by: "ann")
      try store.star([id])
      try store.markRead(room, upTo: id)
      try store.setMark(NamedMark(name: "m", conversation: room, message: id))
      try store.setGap(in: room, after: id)
      try store.synchronous.linkAccounts([SenderAccount(name: "jon", external: nil)], to: "Jon")
      try store.saveFilter(named: "f", words: "gone", predicate: .matching("gone"))
      try store.renameConversation(room, to: "other")
    }
    #expect(try store.version(of: .everything) == before)
    #expect(try store.texts() == ["first"] && store.conversation(room)?.name == "general")
    #expect(try store.marks().isEmpty && store.savedFilters().isEmpty && store.gaps(of: room).isEmpty)
    #expect(try store.peopleEntries() == people && store.people().isEmpty)
    #expect(try store.conversation(room)?.readUpTo == nil)
    #expect(try store.senderIDs(named: "jon").isEmpty && store.messages(in: .waiting, limit: 9).isEmpty)
    #expect(try store.check().problems == [])
  }

  @Test func `a call that throws leaves nothing, and the rest is committed`() throws {
    let shelf = try Shelf()
    let (store, room) = (shelf.store, shelf.conversation)
    let (kept, gone) = (shelf.bytes(200_000, seed: 1), shelf.bytes(200_000, seed: 2))
    try store.write { store in
      try store.append([NewMessage("1", files: [NewAttachment(kept, name: "kept")])], to: room)
      #expect(throws: StoreError.self) {
        try store.append(
          [
            NewMessage("never", files: [NewAttachment(gone, name: "gone")]),
            NewMessage("an answer to nothing", replyTo: .message(Message.ID(rawValue: 1))),
          ], to: room)
      }
      try store.append([NewMessage("2")], to: room)
    }
    #expect(try store.texts() == ["hello", "1", "2"])
    #expect(try store.content(ContentKey(of: kept).description) == kept)
    #expect(shelf.contentFiles().count == 1)
    #expect(try store.check().problems == [])
  }

  @Test func `the files of attachments go with what is rolled back, but for those that were there before`()
    throws
  {
    let shelf = try Shelf()
    let (store, room, message) = (shelf.store, shelf.conversation, shelf.message)
    let (kept, gone) = (shelf.bytes(200_000, seed: 1), shelf.bytes(200_000, seed: 2))
    try store.attach([NewAttachment(kept, name: "kept")], to: message)
    let files = shelf.contentFiles()
    #expect(throws: Stopped()) {
      try store.write { store in
        try store.attach([NewAttachment(kept, name: "again"), NewAttachment(gone, name: "a")], to: message)
        try store.append([NewMessage("x", files: [NewAttachment([1, 2], name: "small")])], to: room)
        #expect(try store.content(ContentKey(of: gone).description) == gone)
        #expect(try store.content(ContentKey(of: [1, 2]).description) == [1, 2])
        throw Stopped()
      }
    }
    #expect(shelf.contentFiles() == files)
    for content in [gone, [1, 2]] {
      let error = #expect(throws: StoreError.self) { try store.content(ContentKey(of: content).description) }
      #expect(error?.kind == .notFound)
    }
    #expect(try store.content(ContentKey(of: kept).description) == kept)
    #expect(try store.check().problems == [])
  }

  @Test func `the files of a transaction within another go with it, and those of the other stay`() throws {
    let shelf = try Shelf()
    let (store, room, message) = (shelf.store, shelf.conversation, shelf.message)
    let contents = (1...3).map { shelf.bytes(200_000, seed: $0) }
    try store.write { outer in
      try outer.attach([NewAttachment(contents[0], name: "kept")], to: message)
      #expect(throws: Stopped()) {
        try store.write { inner in
          try inner.attach([NewAttachment(contents[0], name: "again")], to: message)
          try inner.attach([NewAttachment(contents[1], name: "gone")], to: message)
          throw Stopped()
        }
      }
      try outer.append([NewMessage("2", files: [NewAttachment(contents[2], name: "kept")])], to: room)
    }
    #expect(shelf.contentFiles().count == 2)
    for content in [contents[0], contents[2]] {
      #expect(try store.content(ContentKey(of: content).description) == content)
    }
    #expect(try store.check().problems == [])
  }

  @Test func `a file that is deleted and attached in vain in what is rolled back is there still`() throws {
    let shelf = try Shelf()
    let (store, message) = (shelf.store, shelf.message)
    let content = shelf.bytes(200_000, seed: 1)
    try store.attach([NewAttachment(content, name: "kept")], to: message)
    #expect(throws: Stopped()) {
      try store.write { outer in
        try outer.delete([message])
        let other = try outer.append([NewMessage("other")], to: shelf.conversation)[0]
        try? store.write { inner in
          try inner.attach([NewAttachment(content, name: "again")], to: other)
          throw Stopped()
        }
        throw Stopped()
      }
    }
    #expect(try store.content(ContentKey(of: content).description) == content)
    #expect(try store.check().problems == [])
  }

  /// What a store answers that remembers what it has read.
  private func answers(of store: SynchronousMessageStore) throws -> [String] {
    let senders = try store.senderIDs(named: "ann")
    let conditions: [MessagePredicate] = [
      .everything, .matching("te*"), .sender(senders), .and([.sender(senders), .matching("tea")]),
      .or([.matching("tea"), .has(.reply)]), .regex("tea"), .thread(try store.messages()[0].id),
    ]
    var answers: [String] = []
    for condition in conditions {
      for selection in [Selection(.all, where: condition), Selection(room, where: condition)] {
        let page = try store.page(PageRequest(selection, fetchLimit: 100))
        answers.append(
          "\(page.counts?.total ?? -1) \(page.messages.map { "\($0.sender?.name ?? "") \($0.text)" })")
        answers.append(
          "\(try store.page(PageRequest(selection, anchor: .percent(40))).counts?.firstOrdinal ?? -1)")
      }
    }
    answers.append("\(try store.exchanges(answering: "where is the tea").exchanges.map(\.score))")
    return answers
  }

  @Test func `what was read of what is rolled back is not remembered`() throws {
    let (own, room) = (store, room)
    func write(_ name: String, _ words: String) throws {
      try own.write { store in
        let id = try store.append([NewMessage("\(words) \(name)", from: name)], to: room)[0]
        try store.append(
          [NewMessage("tea at \(words)", from: "ann", replyTo: .message(try own.messages()[0].id))], to: room)
        try store.star([id])
        _ = try answers(of: own)
        if words == "ten" { throw Stopped() }
      }
    }
    _ = try answers(of: own)
    for round in 0..<3 {
      #expect(throws: Stopped()) { try write("jon \(round)", "ten") }
      // As many rows and versions as before, of others.
      try write("eve \(round)", "team")
      let fresh = try temporary.another()
      defer { fresh.close() }
      #expect(try answers(of: own) == answers(of: fresh))
    }
  }

  // MARK: What follows the commit

  @Test func `watchers hear of it once, after the commit`() async throws {
    let (store, room) = (store, room)
    let changes = store.changes()
    let (heard, told) = AsyncStream.makeStream(of: Int.self)
    let watching = Task {
      for await _ in changes {
        // The store may be closed before the last change is heard.
        guard let texts = try? store.texts() else { return told.finish() }
        told.yield(texts.count)
      }
    }
    let feed = Task {
      for try await change in MessageStore(store).conversationFeed() {
        for entry in change.updated { told.yield(entry.conversation.messageCount) }
      }
    }
    try store.write { store in
      for number in 1...5 { try store.append([NewMessage("\(number)")], to: room) }
    }
    rollingBack { try $0.append([NewMessage("never")], to: room) }
    try store.append([NewMessage("last")], to: room)
    var counts: [Int] = []
    for await count in heard {
      counts.append(count)
      if counts.count(where: { $0 == 7 }) == 2 { break }
    }
    // At first, after the transaction, and after the last message.
    #expect(counts.allSatisfy { [1, 6, 7].contains($0) } && counts.count <= 2 * 3)
    #expect(counts.count { $0 == 7 } == 2)
    store.close()
    await watching.value
    try await feed.value
  }

  @Test func `saved filters are settled once, with the commit`() throws {
    let (own, room) = (store, room)
    try store.saveFilter(named: "tea", words: "tea", predicate: .regex("tea"))
    try store.countMessages(ofFilter: "tea")
    func waiting() throws -> Int64? {
      try own.reading("") { try RawStatement.number($0, "SELECT count(*) FROM filter_waiting") }
    }
    try store.write { store in
      for number in 1...3 {
        try store.append([NewMessage("tea \(number)")], to: room)
        #expect(try waiting() == Int64(number))
      }
    }
    #expect(try waiting() == 0)
    #expect(try store.savedFilter(named: "tea")?.total == 3)
    #expect(try store.check().problems == [])
  }

  @Test func `a filter that gives way to another is cleared after the commit`() throws {
    let room = room
    try store.append((0..<20).map { NewMessage("tea \($0)") }, to: room)
    for words in ["tea", "te", "t"] {
      try store.write { store in
        try store.saveFilter(named: "f", words: words, predicate: .regex(words))
        try store.append([NewMessage(words)], to: room)
        if words == "t" { try store.deleteFilter(named: "f") }
      }
      if words != "t" { try store.countMessages(ofFilter: "f") }
    }
    #expect(try store.numbers("SELECT count(*) FROM filter") == [0])
    #expect(try store.numbers("SELECT count(*) FROM filter_member") == [0])
  }

  @Test func `messages that were changed, moved and deleted in one transaction are recognised as they were`()
    throws
  {
    var batch = ImportBatch()
    for number in 0..<6 { batch.add("line \(number)", at: minute(number), in: "log") }
    try store.load([batch])
    let log = try #require(try store.conversation(named: "log")).id
    let messages = try store.messages(Selection(log))
    try store.write { store in
      try store.edit(messages[0].id, text: "another")
      try store.delete([messages[0].id])
      try store.edit(messages[1].id, text: "another")
      try store.move(messages[1].id, to: minute(9))
      let deleted = try store.delete([messages[2].id])
      try store.restore(deleted)
      try store.delete([messages[3].id])
    }
    #expect(try store.load([batch]).addedCount == 0)
    #expect(try store.check().problems == [])
  }

  // MARK: What it cannot do

  @Test func `what takes several transactions is refused in one, and does not wait for itself`() throws {
    let (own, room) = (store, room)
    try store.write { store in
      let tea = try store.makeConversation(named: "tea").id
      try store.saveFilter(named: "f", words: "tea", predicate: .regex("tea"))
      for work: () throws -> Void in [
        { _ = try own.compact() }, { _ = try own.snapshot() }, { _ = try own.check() },
        { try own.mergeConversation(tea, into: room) }, { try own.deleteConversation(tea) },
        { try own.undoImport(1) }, { try own.countMessages(ofFilter: "f") },
        {
          var batch = ImportBatch()
          batch.add("never", at: minute(1), in: "log")
          try own.load([batch])
        },
      ] {
        let error = #expect(throws: StoreError.self) { try work() }
        #expect(error?.kind == .invalidRequest)
      }
      try store.setMark(NamedMark(name: "m", conversation: room, message: .lowest))
    }
    #expect(try store.marks().count == 1 && store.texts() == ["first"])
    #expect(try store.conversation(named: "tea") != nil && store.conversation(named: "log") == nil)
    #expect(try store.check().problems == [])
  }

  @Test func `a backup that is made in it has what was committed before`() throws {
    let (own, room) = (store, room)
    let path = own.path + ".backup"
    try store.write { store in
      try store.append([NewMessage("second")], to: room)
      _ = try own.backup(to: path)
    }
    let backup = try SynchronousMessageStore(path: path)
    defer { backup.close() }
    #expect(try backup.texts() == ["first"] && backup.check().problems == [])
    #expect(try store.texts() == ["first", "second"])
  }

  @Test func `a store that is only read refuses it before anything is done`() throws {
    let reader = try temporary.another(.readOnly)
    defer { reader.close() }
    let error = #expect(throws: StoreError.self) { try reader.write { _ in Issue.record("it was begun") } }
    #expect(error?.kind == .readOnly)
  }

  @Test func `an error that ends the transaction ends all of it, caught or not`() throws {
    let (own, room) = (store, room)
    func fails(_ body: () throws -> Void) -> Bool {
      do { try body() } catch { return error is StoreError }
      return false
    }
    let isWholeGone = fails {
      try own.write { store in
        try store.append([NewMessage("gone")], to: room)
        // As SQLite does where the disk is full.
        try own.reading("") { try $0.execute(sql: "ROLLBACK") }
        let (writes, reads) = (
          !fails { try store.append([NewMessage("outside")], to: room) },
          !fails { _ = try store.message(.lowest) }
        )
        #expect(!writes && !reads)
      }
    }
    #expect(isWholeGone)
    #expect(try store.texts() == ["first"])
  }
}
