import Foundation
import GRDB
import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// Threads, by the names of their beginnings and by answers to answers.
@Suite struct ThreadTests {
  /// A message of the model, with what its row says.
  private struct Row {
    var id: Int64
    var conversation: Int64
    var sender: String
    var thread: Int64?
    var replyTo: Int64?
  }

  /// What a store ought to answer, looked up in a list of rows.
  private struct Model {
    var rows: [Row]

    func root(of id: Int64) -> Int64 {
      var path: [Int64] = []
      var next = id
      while !path.contains(next) {
        path.append(next)
        guard let row = rows.first(where: { $0.id == next }), let parent = row.thread ?? row.replyTo else {
          return next
        }
        next = parent
      }
      return path[(path.firstIndex(of: next) ?? 0)...].min() ?? id
    }

    func members(of root: Int64) -> [Row] { rows.filter { self.root(of: $0.id) == root } }

    /// The threads with answers in some conversations, by the newest of these.
    func threads(in conversations: Set<Int64>) -> [(root: Int64, newest: Int64)] {
      var newest: [Int64: Int64] = [:]
      for row in rows where conversations.contains(row.conversation) && (row.thread ?? row.replyTo) != nil {
        let root = root(of: row.id)
        if root != row.id { newest[root] = max(newest[root] ?? .min, row.id) }
      }
      return newest.map { ($0.key, $0.value) }.sorted { $0.1 > $1.1 }
    }
  }

  /// Fills a store with messages that answer others at random, also in circles, and some that are gone.
  private func model(
    of temporary: TemporaryStore, count: Int, _ generator: inout SeededGenerator
  ) throws -> Model {
    var batch = ImportBatch()
    for index in 0..<count {
      let name = ["a", "b", "c"].randomElement(using: &generator) ?? ""
      let sender = ["ann", "bob"].randomElement(using: &generator) ?? ""
      batch.add("text \(index)", from: sender, at: minute(index), .millisecond, in: name)
    }
    try temporary.store.load([batch])
    let ids = try temporary.store.messages().map(\.id.rawValue)
    let style = Int.random(in: 0..<4, using: &generator)
    try temporary.store.writing("test") { db in
      for (place, id) in ids.enumerated() {
        // Answers, mostly to earlier messages: none in the first style, and circles in the last.
        guard style > 0, Int.random(in: 0..<3, using: &generator) > 0 else { continue }
        let others = style == 3 ? ids[...] : ids[..<place]
        let near = Bool.random(using: &generator) ? others.suffix(4) : others
        guard let other = near.randomElement(using: &generator) else { continue }
        let isThread = style != 1 && Int.random(in: 0..<3, using: &generator) == 0
        if isThread {
          try db.execute(sql: "UPDATE message SET thread = ? WHERE id = ?", arguments: [other, id])
        }
        guard !isThread || Bool.random(using: &generator) else { continue }
        let answered = near.randomElement(using: &generator) ?? other
        try db.execute(
          sql: "UPDATE message SET reply_to = ?, features = features | 16 WHERE id = ?",
          arguments: [answered, id])
      }
    }
    for id in ids where Int.random(in: 0..<20, using: &generator) == 0 {
      _ = try temporary.store.delete([Message.ID(rawValue: id)])
    }
    return Model(
      rows: try temporary.store.messages().map { message in
        Row(
          id: message.id.rawValue, conversation: message.conversation.rawValue,
          sender: message.sender?.name ?? "", thread: message.thread?.rawValue,
          replyTo: message.replyTo?.rawValue)
      })
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 5))
  func `threads are those of a naive walk, each once and by its newest answer, in pages of any size`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    let model = try model(of: temporary, count: Int.random(in: 1...40, using: &generator), &generator)
    let all = Set(model.rows.map(\.conversation))
    for id in model.rows.map(\.id) {
      #expect(try store.threadStart(of: Message.ID(rawValue: id)).rawValue == model.root(of: id))
    }
    let some = Set(all.filter { _ in Bool.random(using: &generator) })
    let choices: [(Selection.Conversations, Set<Int64>)] = [
      (.all, all), (.some(Set(some.map(Conversation.ID.init(rawValue:)))), some),
    ]
    for (conversations, ids) in choices {
      var found: [ThreadSummary] = []
      var next: Message.ID?
      repeat {
        let page = try store.threads(
          in: conversations, before: next, limit: Int.random(in: 1...5, using: &generator))
        found += page.threads
        next = page.next
      } while next != nil
      let expected = model.threads(in: ids)
      #expect(found.map(\.id.rawValue) == expected.map(\.root))
      #expect(found.map(\.newest.id.rawValue) == expected.map(\.newest))
      for thread in found {
        let members = model.members(of: thread.id.rawValue)
        #expect(thread.answerCount == members.count { $0.id != thread.id.rawValue } && thread.isExact)
        #expect((thread.first != nil) == members.contains { $0.id == thread.id.rawValue })
      }
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 5))
  func `a thread as a filter has the messages, ordinals and totals of a naive walk`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    let model = try model(of: temporary, count: Int.random(in: 1...40, using: &generator), &generator)
    let ann = Set(try store.senders().filter { $0.sender.name == "ann" }.map(\.sender.id))
    for root in Set(model.rows.map { model.root(of: $0.id) }) {
      let predicate = MessagePredicate.thread(Message.ID(rawValue: root))
      let one = model.rows.randomElement(using: &generator)?.conversation ?? 0
      let cases: [(Selection, (Row) -> Bool)] = [
        (Selection(.all, where: predicate), { _ in true }),
        (Selection(Conversation.ID(rawValue: one), where: predicate), { $0.conversation == one }),
        (Selection(.all, where: .and([predicate, .sender(ann)])), { $0.sender == "ann" }),
      ]
      for (selection, holds) in cases {
        let expected = model.members(of: root).filter(holds).map(\.id).sorted()
        let request = MessageModel.PageRequest(selection, anchor: .oldest, fetchLimit: 1_000)
        let page = try store.page(request)
        #expect(page.messages.map(\.id.rawValue) == expected)
        #expect(page.counts == Page.Counts(firstOrdinal: 0, total: expected.count, isExact: true))
        for (place, id) in expected.enumerated() {
          let around = try store.page(
            MessageModel.PageRequest(selection, anchor: .around(Message.ID(rawValue: id)), fetchLimit: 1))
          #expect(around.messages.map(\.id.rawValue) == [id] && around.counts?.firstOrdinal == place)
          let kth = try store.page(
            MessageModel.PageRequest(selection, anchor: .ordinal(place), fetchLimit: 1))
          #expect(kth.messages.map(\.id.rawValue) == [id])
          let older = try store.page(
            MessageModel.PageRequest(selection, anchor: .before(Message.ID(rawValue: id)), fetchLimit: 2))
          #expect(older.messages.map(\.id.rawValue) == expected[..<place].suffix(2))
        }
      }
      // The same by way of SQL, as exports and alternatives have it.
      let others = Selection(.all, where: .not(predicate))
      let count = try store.page(MessageModel.PageRequest(others, fetchLimit: 1_000)).messages.count
      #expect(count == model.rows.count - model.members(of: root).count)
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 5))
  func `answers beside messages are counted as by a naive walk, and those behind the mark are unread`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let temporary = try TemporaryStore()
    let model = try model(of: temporary, count: Int.random(in: 1...40, using: &generator), &generator)
    let starts = model.rows.filter { ($0.thread ?? $0.replyTo) == nil }.map(\.id)
    let mark = model.rows.randomElement(using: &generator)?.id ?? 0
    let counts = try temporary.store.answerCounts(
      of: starts.map(Message.ID.init(rawValue:)), in: .all, unreadAfter: Message.ID(rawValue: mark))
    for start in starts {
      let answers = model.members(of: start).filter { $0.id != start }
      let expected =
        answers.isEmpty
        ? nil : AnswerCount(total: answers.count, unread: answers.count { $0.id > mark })
      #expect(counts?[Message.ID(rawValue: start)] == expected)
    }
    if counts == nil { #expect(model.threads(in: Set(model.rows.map(\.conversation))).isEmpty) }
  }

  // MARK: Hostile stores

  /// A store in whose conversation each message answers the one before it, the first perhaps the last.
  private func chain(_ count: Int, isCircle: Bool) throws -> (TemporaryStore, ids: [Message.ID]) {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process))
    var batch = ImportBatch()
    for index in 0..<count {
      var details = ImportDetails()
      details.source = Message.Source(platform: "p", id: "\(index)")
      if index > 0 || isCircle { details.replyTo = .external("\((index + count - 1) % count)") }
      batch.add("m", from: "ann", at: minute(index), .millisecond, details: details)
    }
    try temporary.store.load([batch])
    return (temporary, try temporary.store.messages().map(\.id))
  }

  @Test(arguments: [false, true])
  func `a chain of very many answers, also one that bites its tail, is one thread`(
    isCircle: Bool
  ) throws {
    let count = isLong ? 100_000 : 12_000
    let (temporary, ids) = try chain(count, isCircle: isCircle)
    let store = temporary.store
    #expect(try store.threadStart(of: ids[count - 1]) == ids[0])
    let list = try store.threads(in: .all, limit: 10)
    #expect(list.threads.map(\.id) == [ids[0]] && list.threads[0].newest.id == ids[count - 1])
    #expect(list.threads[0].answerCount == 10_000 && !list.threads[0].isExact)
    let selection = Selection(.all, where: .thread(ids[0]))
    let page = try store.page(MessageModel.PageRequest(selection, fetchLimit: 3))
    #expect(page.messages.map(\.id) == ids.suffix(3) && page.counts?.total == count)
    let beside = try store.answerCounts(of: [ids[0]], in: .all, unreadAfter: nil)
    #expect(beside?[ids[0]] == AnswerCount(total: AnswerCount.limit, isMore: true))
    var next = list.next
    while let before = next {
      let rest = try store.threads(in: .all, before: before, limit: 10)
      #expect(rest.threads.isEmpty)
      next = rest.next
    }
  }

  @Test func `what answers itself is in no thread`() throws {
    let (temporary, ids) = try chain(1, isCircle: false)
    try temporary.store.writing("test") { db in
      try db.execute(sql: "UPDATE message SET reply_to = id, thread = id, features = 16")
    }
    #expect(try temporary.store.threadStart(of: ids[0]) == ids[0])
    #expect(try temporary.store.threads(in: .all, limit: 5) == ThreadList(threads: []))
  }

  // MARK: Saved

  @Test func `a thread is saved as a filter, by its beginning, and new answers belong to it`() throws {
    let (temporary, ids) = try chain(20, isCircle: false)
    let store = temporary.store
    let general = try #require(try store.messages().first?.conversation)
    let predicate = MessagePredicate.thread(ids[0])
    try store.saveFilter(named: "plan", words: "thread:\(ids[0])", predicate: predicate)
    #expect(try store.savedFilter(named: "plan")?.total == 20)
    _ = try store.append([NewMessage("more", from: "bob", replyTo: .message(ids[7]))], to: general)
    _ = try store.append([NewMessage("none of it", from: "bob")], to: general)
    let saved = try #require(try store.savedFilter(named: "plan"))
    #expect(saved.total == 21 && saved.isExact && saved.predicate == predicate)
    #expect(try store.check().problems == [])
    let wrong: [MessagePredicate] = [
      .not(predicate), .or([predicate, .kind([.join])]), .and([predicate, .matching("m")]),
    ]
    for predicate in wrong {
      #expect(throws: StoreError.self) { try store.saveFilter(named: "x", words: "x", predicate: predicate) }
    }
  }
}
