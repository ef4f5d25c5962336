import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Ids that nobody warrants: what was said at another time or elsewhere under one of them is another message.
@Suite struct DoubtfulIDTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  private func details(_ id: String, replyTo: String? = nil, isLocal: Bool = true) -> ImportDetails {
    var details = ImportDetails()
    details.source = Message.Source(platform: "csv", id: id)
    details.replyTo = replyTo.map { .external($0) }
    details.hasDoubtfulID = true
    details.hasLocalID = isLocal
    return details
  }

  private func counts(_ batch: ImportBatch) throws -> BulkImport.Counts {
    let load = try BulkImport(into: store, .init(name: "x", format: "csv", zone: "UTC"))
    try load.add(batch)
    return try load.finish()
  }

  private func lines(_ conversation: String, day: Int, ids: ClosedRange<Int> = 1...3) -> ImportBatch {
    var batch = ImportBatch()
    for id in ids {
      batch.add("ok", at: minute(day * 1_440 + id), in: conversation, details: details("\(id)"))
    }
    return batch
  }

  @Test func `an id used again in another conversation, a month later or in another file drops nothing`()
    throws
  {
    let all = [lines("tea", day: 0), lines("coffee", day: 0), lines("tea", day: 30), lines("cake", day: 3)]
    for batch in all { #expect(try counts(batch).addedCount == 3) }
    for batch in all.reversed() {
      let again = try counts(batch)
      #expect(again.addedCount == 0 && again.alreadyThere == 3 && again.updated == 0)
    }
    var together = ImportBatch()
    together.add("ok", at: minute(0), in: "a", details: details("7"))
    together.add("ok", at: minute(0), in: "b", details: details("7"))
    together.add("ok", at: minute(9), in: "b", details: details("7"))
    together.add("ok", from: "bob", at: minute(9), in: "b", details: details("7"))
    together.add("ok", at: minute(9), in: "b", details: details("7"))
    let first = try counts(together)
    #expect(first.addedCount == 4 && first.alreadyThere == 1)
    #expect(try counts(together).addedCount == 0)
    #expect(try store.check().problems == [])
  }

  @Test func `an answer leads to the message of its own conversation, whichever comes first`() throws {
    for isLate in [false, true] {
      let fixture = try TemporaryStore()
      for room in ["tea", "coffee"] {
        var question = ImportBatch()
        question.add("more \(room)?", at: minute(1), in: room, details: details("1"))
        var answer = ImportBatch()
        answer.add("yes", at: minute(2), in: room, details: details("2", replyTo: "1"))
        try fixture.store.load(isLate ? [answer, question] : [question, answer])
      }
      let messages = try fixture.store.messages()
      let texts = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0.text) })
      let answered = messages.filter { $0.text == "yes" }.map { $0.replyTo.flatMap { texts[$0] } }
      #expect(Set(answered) == ["more tea?", "more coffee?"], "\(isLate)")
      #expect(try fixture.store.check().problems == [])
    }
  }

  @Test func `what was edited since is the message of its conversation and time`() throws {
    for batch in [lines("tea", day: 0), lines("coffee", day: 0)] { _ = try counts(batch) }
    var newer = ImportBatch()
    newer.add("fine", at: minute(2), in: "coffee", details: details("2"))
    #expect(try counts(newer).updated == 1)
    let coffee = try #require(try store.conversation(named: "coffee"))
    #expect(try store.texts(Selection(coffee.id)) == ["ok", "fine", "ok"])
  }

  @Test func `a deleted message stays deleted`() throws {
    for batch in [lines("tea", day: 0), lines("coffee", day: 0)] { _ = try counts(batch) }
    let coffee = try #require(try store.conversation(named: "coffee"))
    try store.delete([try #require(coffee.oldest)])
    #expect(try counts(lines("coffee", day: 0)).addedCount == 0)
    #expect(try store.conversation(named: "coffee")?.messageCount == 2)
  }

  @Test func `two servers that count from 1 are told apart by times, and one that moved a message is not`()
    throws
  {
    func server(_ texts: [String], in room: String, from start: Int) -> ImportBatch {
      var batch = ImportBatch()
      for (index, text) in texts.enumerated() {
        batch.add(text, at: minute(start + index), in: room, details: details("\(index)", isLocal: false))
      }
      return batch
    }
    #expect(try counts(server(["a", "b"], in: "x", from: 0)).addedCount == 2)
    #expect(try counts(server(["a", "b"], in: "x", from: 50)).addedCount == 2)
    let moved = try counts(server(["a", "b"], in: "y", from: 50))
    #expect(moved.addedCount == 0 && moved.alreadyThere == 2)
  }

  @Test func `messages that find no room in their time are known again`() throws {
    var crowd = ImportBatch()
    for id in 0..<4_200 { crowd.add("ok", at: minute(0), .millisecond, in: "tea", details: details("\(id)")) }
    #expect(try counts(crowd).addedCount == 4_200)
    #expect(try counts(crowd).addedCount == 0)
    #expect(try store.check().problems == [])
  }
}

/// Histories whose messages have equal local ids, times and senders, in conversations that are merged.
@Suite struct MergedLocalIDTests {
  /// A history of one conversation, as it is exported again and again.
  private struct History {
    var room: String
    var platform = "csv"
    var identity: ConversationIdentity?
    /// Texts that differ from those of the first export, by number.
    var edited: [Int: String] = [:]

    func text(_ number: Int) -> String { edited[number] ?? "\(room) \(number)" }

    func batch(_ numbers: Range<Int>) -> ImportBatch {
      var batch = ImportBatch()
      for number in numbers {
        var details = ImportDetails()
        details.source = Message.Source(platform: platform, id: "\(number)")
        (details.hasDoubtfulID, details.hasLocalID) = (true, true)
        if number > 0 { details.replyTo = .external("\(number - 1)") }
        batch.add(
          text(number), from: "ann", at: minute(number), in: room, details: details, known: identity)
      }
      return batch
    }
  }

  private struct Way: CustomTestStringConvertible {
    var histories: [History]
    /// Which of them is imported first, and which is merged into the other.
    var isFirst: Int
    var isMerged: Int
    /// What the one that is merged is renamed to before.
    var newName: String?

    var testDescription: String {
      "\(histories[0].platform), \(isFirst) first, \(isMerged) merged, named \(newName ?? "as it was")"
    }

    static let all = [0, 1].flatMap { first in
      [0, 1].flatMap { merged in
        [nil, "c"].flatMap { name in
          [
            ("csv", false), ("acme", false), ("acme", true),
          ].map { platform, isIdentified in
            Way(
              histories: ["a", "b"].map { room in
                History(
                  room: room, platform: platform,
                  identity: isIdentified ? ConversationIdentity(platform: platform, key: "of \(room)") : nil)
              }, isFirst: first, isMerged: merged, newName: name)
          }
        }
      }
    }
  }

  private func load(_ batches: [ImportBatch], into store: SynchronousMessageStore) throws
    -> BulkImport.Counts
  {
    let load = try BulkImport(into: store, .init(name: "x", format: "csv", zone: "UTC"))
    for batch in batches { try load.add(batch) }
    return try load.finish()
  }

  /// The number of times that each text is there, and what each reply answers.
  private func content(_ store: SynchronousMessageStore) throws -> [String] {
    let messages = try store.messages()
    let texts = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0.text) })
    return messages.map { "\($0.text) < \($0.replyTo.flatMap { texts[$0] } ?? "none")" }.sorted()
  }

  private func wanted(_ histories: [History], _ numbers: Range<Int>) -> [String] {
    histories.flatMap { history in
      numbers.map { "\(history.text($0)) < \($0 > 0 ? history.text($0 - 1) : "none")" }
    }.sorted()
  }

  private func merge(_ way: Way, in store: SynchronousMessageStore) throws {
    var rooms = try ["a", "b"].map { try #require(try store.conversation(named: $0)).id }
    if let name = way.newName { try store.renameConversation(rooms[way.isMerged], to: name) }
    let from = rooms.remove(at: way.isMerged)
    try store.mergeConversation(from, into: rooms[0])
  }

  @Test(arguments: Way.all)
  private func `no message of conversations that were merged is lost or doubled when their files come again`(
    way: Way
  ) throws {
    let fixture = try TemporaryStore()
    let store = fixture.store
    for number in [way.isFirst, 1 - way.isFirst] {
      _ = try load([way.histories[number].batch(0..<10)], into: store)
    }
    try merge(way, in: store)
    for histories in [way.histories, way.histories.reversed()] {
      let counts = try load(histories.map { $0.batch(0..<10) }, into: store)
      #expect(counts.addedCount == 0 && counts.updated == 0)
    }
    #expect(try content(store) == wanted(way.histories, 0..<10))
    // Files that have grown, one after the other.
    for history in way.histories {
      let counts = try load([history.batch(0..<15)], into: store)
      #expect(counts.addedCount == 5 && counts.updated == 0)
    }
    #expect(try content(store) == wanted(way.histories, 0..<15))
    // Files in which a text has changed.
    var edited = way.histories
    for index in edited.indices {
      edited[index].edited = [3: "\(index) changed", 12: "\(index) changed, too"]
      let counts = try load([edited[index].batch(0..<15)], into: store)
      #expect(counts.addedCount == 0 && counts.updated == 2)
    }
    #expect(try content(store) == wanted(edited, 0..<15))
    #expect(try store.check().problems == [])
  }

  @Test(arguments: Way.all)
  private func
    `what is deleted after a merge stays so, and comes back once when its conversation was deleted`(
      way: Way
    ) throws
  {
    let fixture = try TemporaryStore()
    let store = fixture.store
    for number in [way.isFirst, 1 - way.isFirst] {
      _ = try load([way.histories[number].batch(0..<10)], into: store)
    }
    let early = try #require(try store.messages().first { $0.text == "b 2" })
    try store.delete([early.id])
    try merge(way, in: store)
    let late = try #require(try store.messages().first { $0.text == "a 5" })
    try store.delete([late.id])
    for history in way.histories {
      let counts = try load([history.batch(0..<10)], into: store)
      #expect(counts.addedCount == 0 && counts.updated == 0)
    }
    #expect(try store.texts().count == 18)
    try store.deleteConversation(try #require(try store.conversations().first).id)
    for _ in 1...2 {
      for history in way.histories { _ = try load([history.batch(0..<10)], into: store) }
      #expect(try content(store) == wanted(way.histories, 0..<10))
    }
    #expect(try store.check().problems == [])
  }
}
