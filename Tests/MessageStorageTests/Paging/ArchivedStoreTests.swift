import Foundation
import HistoryModel
import MessageModel
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

/// A store over an archive answers as the one that was published, whatever the archive lies on.
@Suite struct ArchivedStoreTests {
  /// A store of three conversations, and a store over an archive of it.
  private func archived(count: Int = 100) throws -> (TemporaryStore, over: SynchronousMessageStore) {
    let temporary = try TemporaryStore()
    var dice = SeededGenerator(seed: 42)
    for name in ["general", "Öl", "zoo"] {
      let conversation = try temporary.store.makeConversation(named: name)
      let messages = (0..<count).map { number in
        let words = ["amber", "birch cedar", "Öl ist teuer", "see https://example.org/\(number)"]
        return NewMessage(
          words.randomElement(using: &dice)! + " \(number)",
          from: ["Ann", "Bob", nil].randomElement(using: &dice)!,
          kind: [.text, .text, .action].randomElement(using: &dice)!, at: minute(number * 600))
      }
      let ids = try temporary.store.append(messages, to: conversation.id)
      _ = try temporary.store.append(
        [NewMessage("yes, amber", from: "Bob", replyTo: .message(ids[count / 2]))], to: conversation.id)
    }
    return (temporary, try SynchronousMessageStore(reading: StoreArchive(of: temporary.store)))
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 2))
  func `searching and days over an archive are those of its store`(seed: UInt64) throws {
    let (temporary, over) = try archived()
    defer { over.close() }
    let store = temporary.store
    var dice = SeededGenerator(seed: seed)
    let ids = try store.messages(pageSize: 1_000).map(\.id)
    let conversations = try store.conversations()
    let zone = try #require(TimeZone(identifier: "America/St_Johns"))
    for _ in 0..<60 {
      let id = try #require(ids.randomElement(using: &dice))
      let predicate: MessagePredicate =
        [.matching("amber"), .matching("bir*"), .regex("7"), .kind([.action]), .has(.link)]
        .randomElement(using: &dice)!
      let selection: Selection =
        Bool.random(using: &dice) ? .everything : Selection(conversations.randomElement(using: &dice)!.id)
      let limit = Int.random(in: 1...5, using: &dice)
      #expect(
        try over.nextHits(predicate, in: selection, after: id, limit: limit)
          == store.nextHits(predicate, in: selection, after: id, limit: limit))
      #expect(
        try over.previousHits(predicate, in: selection, before: id, limit: limit)
          == store.previousHits(predicate, in: selection, before: id, limit: limit))
      #expect(try over.hitCount(predicate, in: selection) == store.hitCount(predicate, in: selection))
      #expect(
        try over.hitCount(predicate, in: selection, olderThan: id)
          == store.hitCount(predicate, in: selection, olderThan: id))
      #expect(try over.hit(id, of: predicate) == store.hit(id, of: predicate))
      let span: HistorySection.Span = Bool.random(using: &dice) ? .day : .month
      #expect(
        try over.sections(of: selection, by: span, zone: zone, from: id, limit: limit)
          == store.sections(of: selection, by: span, zone: zone, from: id, limit: limit))
    }
  }

  @Test(arguments: MessageGrouping.allCases)
  func `messages over an archive are counted as those of its store`(grouping: MessageGrouping) throws {
    let (temporary, over) = try archived()
    defer { over.close() }
    let zone = try #require(TimeZone(identifier: "America/St_Johns"))
    let conversation = try #require(try over.conversation(named: "zoo"))
    for predicate: MessagePredicate in [.everything, .matching("amber"), .regex("7"), .kind([.action])] {
      for selection in [
        Selection(.all, where: predicate), Selection(conversation.id, where: predicate),
      ] {
        #expect(
          try over.groups(of: selection, by: grouping, zone: zone)
            == temporary.store.groups(of: selection, by: grouping, zone: zone))
      }
    }
  }

  @Test func `conversations, senders, threads and texts over an archive are those of its store`() throws {
    let (temporary, over) = try archived()
    defer { over.close() }
    let store = temporary.store
    #expect(try over.messages() == store.messages())
    #expect(try over.conversationNames(limit: 2) == store.conversationNames(limit: 2))
    #expect(try over.conversations() == store.conversations())
    #expect(try over.senders() == store.senders())
    #expect(try over.storeIdentity() == store.storeIdentity())
    let answer = try #require(try store.messages(pageSize: 1_000).last { $0.replyTo != nil })
    let start = try over.threadStart(of: answer.id)
    #expect(start == answer.replyTo)
    let counts = try over.answerCounts(of: [start, answer.id], in: .all, unreadAfter: nil)
    #expect(counts?.mapValues(\.total) == [start: 1])
    #expect(try over.text(of: answer.id) == "yes, amber")
    #expect(try over.conversation(named: "Öl") == store.conversation(named: "Öl"))
    #expect(try over.conversation(named: "nowhere") == nil)
  }

  @Test func `nothing is written to a store over an archive, and the way out is to publish`() throws {
    let (temporary, over) = try archived(count: 2)
    defer { over.close() }
    let conversation = try #require(try over.conversations().first)
    let error = #expect(throws: StoreError.self) {
      try over.append([NewMessage("text")], to: conversation.id)
    }
    #expect(error?.kind == .readOnly && error?.remedy == .changeAndPublish)
    #expect(throws: StoreError.self) { try over.markRead(conversation.id, upTo: .highest) }
    #expect(try temporary.store.messages().count == 9)
  }
}
