import HistoryModel
import MessageModel
import MessageStorage
import TestSupport
import Testing

@Suite struct BulkImportTests {
  @Test func `a load counts what it adds, by kind, and finds it all there the second time`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("hello", at: minute(0))
    batch.add("joins", at: minute(1), kind: .join)
    batch.add("waves", at: minute(1), kind: .action)
    let first = try temporary.store.load([batch])
    #expect(first.added == [.text: 1, .join: 1, .action: 1])
    let second = try temporary.store.load([batch])
    #expect(second.added.isEmpty && second.alreadyThere == 3)
    #expect(try temporary.store.texts() == ["hello", "joins", "waves"])
    try temporary.expectTrueCounts()
  }

  @Test func `a load that ends before its source is listed as such`() throws {
    let temporary = try TemporaryStore()
    for (minute, isStopped) in [(0, true), (1, false)] {
      var batch = ImportBatch()
      batch.add("hello", at: MessageStorageTests.minute(minute))
      let load = try BulkImport(into: temporary.store, .test)
      try load.add(batch)
      #expect(try load.finish { isStopped }.addedCount == 1)
    }
    #expect(try temporary.store.imports().map(\.isFinished) == [false, true])
  }

  @Test func `equal messages of one minute survive, once each, whatever is imported again`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for text in ["ha", "ha", "no", "ha"] { batch.add(text, at: minute(0)) }
    for _ in 1...3 { _ = try temporary.store.load([batch]) }
    #expect(try temporary.store.texts() == ["ha", "ha", "no", "ha"])
  }

  @Test func `of equal messages the largest number that any file had is kept`() throws {
    let temporary = try TemporaryStore()
    for count in [1, 3, 2] {
      var batch = ImportBatch()
      for _ in 0..<count { batch.add("ha", at: minute(0)) }
      _ = try temporary.store.load([batch])
    }
    #expect(try temporary.store.texts() == ["ha", "ha", "ha"])
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `a log cut into batches anywhere gives what the whole gives`(size: Int) throws {
    let texts = (0..<100).map { "line \($0)" }
    let temporary = try TemporaryStore()
    let load = try BulkImport(into: temporary.store, .test)
    for start in stride(from: 0, to: 100, by: size) {
      var batch = ImportBatch()
      for index in start..<min(start + size, 100) { batch.add(texts[index], at: minute(index / 17)) }
      try load.add(batch, isContinuation: start > 0)
    }
    #expect(try load.finish().addedCount == 100)
    #expect(try temporary.store.texts() == texts)
    try temporary.expectTrueCounts()
  }

  @Test func `several files in one batch do not count as repetitions of each other's lines`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("same", at: minute(0))
    batch.add("same", at: minute(0))
    let load = try BulkImport(into: temporary.store, .test)
    try load.add(batch, files: [0..<1, 1..<2])
    let counts = try load.finish()
    #expect(counts.addedCount == 1 && counts.alreadyThere == 1)
  }

  /// All orders of the pieces of a log that overlap.
  static let orders: [[Int]] = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
  ]

  @Test(arguments: orders)
  func `overlapping pieces of a minute-precise log give the whole in any order`(order: [Int]) throws {
    // 9 lines a minute, each piece starting and ending within one, with lines that repeat.
    let lines = (0..<90).map { (text: $0 % 4 == 0 ? "ha" : "line \($0)", minute: $0 / 9) }
    let pieces = [0..<41, 23..<68, 50..<90]
    let temporary = try TemporaryStore()
    for piece in order {
      var batch = ImportBatch()
      for line in lines[pieces[piece]] { batch.add(line.text, at: minute(line.minute)) }
      _ = try temporary.store.load([batch])
    }
    #expect(try temporary.store.texts() == lines.map(\.text))
    try temporary.expectTrueCounts()
  }

  @Test(arguments: UInt64(0)..<(isLong ? 100 : 10))
  func `pieces of a log cut at random and imported in any order give the whole`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let lines = (0..<300).map { (text: "line \($0)", minute: $0 / 25) }
    var pieces = [0..<300]
    for _ in 0..<5 {
      let start = Int.random(in: 0..<280, using: &dice)
      pieces.append(start..<Int.random(in: (start + 1)...300, using: &dice))
    }
    let temporary = try TemporaryStore()
    for piece in pieces.shuffled(using: &dice) {
      var batch = ImportBatch()
      for line in lines[piece] { batch.add(line.text, at: minute(line.minute)) }
      _ = try temporary.store.load([batch])
    }
    #expect(try temporary.store.texts() == lines.map(\.text))
    try temporary.expectTrueCounts()
  }

  @Test func `many messages fill blocks, backdated ones divide them, and counts stay true`() throws {
    let temporary = try TemporaryStore()
    for start in [50_000, 0, 20_000] {
      var batch = ImportBatch()
      for index in 0..<7_000 {
        batch.add("\(start + index)", at: minute((start + index) / 10), in: index % 3 == 0 ? "a" : "b")
      }
      _ = try temporary.store.load([batch])
    }
    try temporary.expectTrueCounts()
    let room = try #require(try temporary.store.conversation(named: "a")).id
    let page = try temporary.store.page(PageRequest(Selection(room), anchor: .ordinal(3_334), fetchLimit: 1))
    #expect(page.messages.first?.text == "23000")
  }

  @Test func `external ids tell messages whose text has changed`() throws {
    let temporary = try TemporaryStore()
    func batch(_ text: String) -> ImportBatch {
      var details = ImportDetails()
      details.source = Message.Source(platform: "slack", id: "1.5")
      var batch = ImportBatch()
      batch.add(text, at: minute(0), .millisecond, details: details)
      return batch
    }
    _ = try temporary.store.load([batch("before")])
    let again = try temporary.store.load([batch("after")])
    #expect(again.alreadyThere == 1 && again.updated == 1)
    #expect(try temporary.store.texts() == ["after"])
  }

  @Test func `a reply finds its message whether that comes before or after it`() throws {
    let temporary = try TemporaryStore()
    func details(_ id: String, replyTo: String?) -> ImportDetails {
      var details = ImportDetails()
      details.source = Message.Source(platform: "x", id: id)
      details.replyTo = replyTo.map { .external($0) }
      return details
    }
    var batch = ImportBatch()
    batch.add("early answer", at: minute(0), .millisecond, details: details("1", replyTo: "2"))
    batch.add("question", at: minute(1), .millisecond, details: details("2", replyTo: nil))
    batch.add("late answer", at: minute(2), .millisecond, details: details("3", replyTo: "2"))
    _ = try temporary.store.load([batch])
    let messages = try temporary.store.messages()
    #expect(messages.map(\.replyTo) == [messages[1].id, nil, messages[1].id])
  }

  @Test func `ids that messages bring with them are kept, and replies to those that change follow`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "general").id
    let taken = try temporary.store.append([NewMessage("was here", from: "bob", at: minute(5))], to: room)[0]
    func details(_ id: Message.ID, replyTo: Message.ID? = nil) -> ImportDetails {
      var details = ImportDetails()
      details.id = id
      details.replyTo = replyTo.map { .message($0) }
      return details
    }
    let free = Message.ID(time: minute(6))
    let early = Message.ID(time: minute(4))
    var batch = ImportBatch()
    batch.add("before it", at: minute(4), .millisecond, details: details(early, replyTo: taken))
    batch.add("has a taken id", at: minute(5), .millisecond, details: details(taken))
    batch.add("answers it", at: minute(6), .millisecond, details: details(free, replyTo: taken))
    _ = try temporary.store.load([batch])
    let messages = try temporary.store.messages()
    #expect(messages.map(\.text) == ["before it", "was here", "has a taken id", "answers it"])
    #expect(messages[0].id == early && messages[1].id == taken && messages[3].id == free)
    #expect(messages[0].replyTo == messages[2].id && messages[3].replyTo == messages[2].id)
  }

  @Test func `what a live append wrote is the same message when it is imported with its id`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "general").id
    let id = try temporary.store.append([NewMessage("hello", from: "alice")], to: room)[0]
    var details = ImportDetails()
    details.id = id
    var batch = ImportBatch()
    batch.add("hello", at: minute(0), .millisecond, details: details)
    #expect(try temporary.store.load([batch]).alreadyThere == 1)
    #expect(try temporary.store.texts() == ["hello"])
  }

  @Test func `times before 1970 and invalid UTF-8 are taken in`() throws {
    let temporary = try TemporaryStore()
    let old = Timestamp(millisecondsSince1970: -9_000_000_000_000)
    var batch = ImportBatch()
    batch.add("long ago\0", at: old, .day)
    let room = batch.conversation(named: "general")
    let broken = [0x61, 0xFF, 0x62] as [UInt8]
    let text = broken.withUnsafeBytes { batch.store($0) }
    batch.append(
      ImportBatch.Entry(
        time: minute(0), precision: .minute, kind: .text, conversation: room, sender: text, text: text))
    _ = try temporary.store.load([batch])
    #expect(try temporary.store.texts() == ["long ago\0", "a\u{FFFD}b"])
    #expect(try temporary.store.messages()[0].time == old.rounded(to: .day))
    #expect(try temporary.store.load([batch]).alreadyThere == 2)
  }
}
