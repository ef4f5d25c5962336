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
