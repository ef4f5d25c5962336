import HistoryModel
import MessageModel
import MessageStorage
import TestSupport
import Testing

@Suite struct DeleteTests {
  @Test func `a deleted message is gone, its id is not used again, and counts are true`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "general").id
    let ids = try temporary.store.append((0..<3).map { NewMessage("\($0)") }, to: room)
    try temporary.store.delete([ids[2]])
    #expect(try temporary.store.append([NewMessage("next")], to: room)[0] > ids[2])
    #expect(try temporary.store.texts() == ["0", "1", "next"])
    try temporary.expectTrueCounts()
  }

  @Test func `importing its history again does not bring a deleted message back`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for text in ["keep", "drop", "drop"] { batch.add(text, at: minute(0)) }
    try temporary.store.load([batch])
    try temporary.store.delete([try temporary.store.messages()[1].id])
    let counts = try temporary.store.load([batch])
    #expect(counts.alreadyThere == 3)
    #expect(try temporary.store.texts() == ["keep", "drop"])
    try temporary.expectTrueCounts()
  }

  @Test func `nor does importing an export of what was appended here`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "general").id
    let ids = try temporary.store.append(
      [NewMessage("same", from: "alice"), NewMessage("same", from: "alice")], to: room)
    var batch = ImportBatch()
    for id in ids {
      var details = ImportDetails()
      details.id = id
      batch.add("same", at: minute(0), .millisecond, details: details)
    }
    try temporary.store.delete(ids)
    #expect(try temporary.store.load([batch]).alreadyThere == 2)
    #expect(try temporary.store.texts() == [])
  }

  @Test func `a deleted message with a platform's id is known by it and forgets its original`() throws {
    let temporary = try TemporaryStore()
    var details = ImportDetails()
    details.source = Message.Source(platform: "slack", id: "7", original: "secret")
    var batch = ImportBatch()
    batch.add("secret", at: minute(0), .millisecond, details: details)
    try temporary.store.load([batch])
    try temporary.store.delete([try temporary.store.messages()[0].id])
    #expect(try temporary.store.numbers("SELECT count(*) FROM source WHERE original IS NOT NULL") == [0])
    #expect(try temporary.store.load([batch]).alreadyThere == 1)
  }

  @Test func `one unknown id among several deletes nothing`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    let ids = try temporary.store.append([NewMessage("x")], to: room)
    let error = #expect(throws: StoreError.self) {
      try temporary.store.delete([ids[0], Message.ID(rawValue: 5)])
    }
    #expect(error?.kind == .notFound)
    #expect(try temporary.store.texts() == ["x"])
  }

  @Test func `a restored message is what it was`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    let long = String(repeating: "x", count: 10_000)
    let ids = try temporary.store.append([NewMessage(long, from: "alice"), NewMessage("y")], to: room)
    try temporary.store.react("👍", to: ids[0], by: "bob")
    try temporary.store.edit(ids[0], text: long + "!")
    let before = try temporary.store.records(PageRequest(.everything)).records
    let deleted = try temporary.store.delete(ids)
    try temporary.store.restore(deleted)
    #expect(try temporary.store.records(PageRequest(.everything)).records == before)
    try temporary.store.restore(deleted)
    try temporary.expectTrueCounts()
  }

  @Test(arguments: UInt64(0)..<(isLong ? 100 : 2))
  func `a random walk of appends, edits, deletes and restores answers as an array does`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "general").id
    var model: [(id: Message.ID, text: String)] = []
    var bin: [(DeletedMessages, [(id: Message.ID, text: String)])] = []
    for step in 0..<(isLong ? 2_000 : 100) {
      switch Int.random(in: 0..<10, using: &dice) {
      case 0..<4:
        let count = Int.random(in: 1...(model.count > 4_000 ? 30 : 300), using: &dice)
        let time = minute(Int.random(in: 0...50, using: &dice))
        let texts = (0..<count).map { "\(step).\($0)" }
        let ids = try temporary.store.append(texts.map { NewMessage($0, at: time) }, to: room)
        model += zip(ids, texts).map { ($0, $1) }
      case 4..<7 where !model.isEmpty:
        let index = Int.random(in: model.indices, using: &dice)
        let text = Bool.random(using: &dice) ? "edited \(step)" : String(repeating: "\(step)", count: 3_000)
        try temporary.store.edit(model[index].id, text: text)
        model[index].text = text
      case 7..<9 where model.count > 3:
        let start = Int.random(in: 0..<(model.count - 3), using: &dice)
        let count = model.count > 4_000 ? 2_000 : 100
        let gone = Array(model[start..<min(start + count, model.count)])
        bin.append((try temporary.store.delete(gone.map(\.id)), gone))
        model.removeSubrange(start..<(start + gone.count))
      default:
        guard let (deleted, messages) = bin.popLast() else { continue }
        try temporary.store.restore(deleted)
        model += messages
      }
      model.sort { $0.id < $1.id }
      guard !model.isEmpty else { continue }
      let ordinal = Int.random(in: model.indices, using: &dice)
      let page = try temporary.store.page(
        PageRequest(Selection(room), anchor: .ordinal(ordinal), fetchLimit: 1))
      #expect(page.messages.map(\.id) == [model[ordinal].id])
      #expect(page.counts == Page.Counts(firstOrdinal: ordinal, total: model.count))
    }
    #expect(try temporary.store.messages(pageSize: 500).map(\.id) == model.map(\.id))
    for (id, text) in model.prefix(300) { #expect(try temporary.store.text(of: id) == text) }
    try temporary.expectTrueCounts()
  }
}
