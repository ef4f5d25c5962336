import HistoryModel
import MessageModel
import MessageStorage
import Testing

@Suite struct RawMessageTests {
  @Test(arguments: [1, 1_000, 2_048, 5_000, 100_000])
  func `a conversation cut into pieces has each message in one of them`(count: Int) throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<6_000 {
      batch.add("\(number)", at: minute(number / 3), in: number % 5 == 0 ? "other" : "general")
    }
    _ = try temporary.store.load([batch])
    let general = try #require(try temporary.store.conversations().first { $0.name == "general" })
    let cuts = try temporary.store.cuts(of: general.id, every: count)
    var texts: [[String]] = []
    for (start, end) in zip([.lowest] + cuts, cuts.map(\.predecessor) + [.highest]) {
      texts.append([])
      let rest = try temporary.store.rawMessages(in: general.id, start...end, limit: .max) {
        texts[texts.count - 1].append(String(decoding: $0.text, as: UTF8.self))
      }
      #expect(rest == nil)
    }
    let expected: [String] = (0..<6_000).compactMap { number in number % 5 == 0 ? nil : "\(number)" }
    #expect(Array(texts.joined()) == expected)
    #expect(texts.dropLast().allSatisfy { $0.count >= count && $0.count < count + 1_024 })
    #expect(count > 4_800 ? texts.count == 1 : texts.count > 1)
  }

  @Test func `what has more than its row ends a run, and the limit does`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<10 {
      var details = ImportDetails()
      details.reactions = [Message.Reaction(emoji: "👍", senders: ["bob"])]
      batch.add("\(number)", at: minute(number), details: number == 6 ? details : nil)
    }
    _ = try temporary.store.load([batch])
    let ids = try temporary.store.messages().map(\.id)
    let conversation = try #require(try temporary.store.conversations().first?.id)
    func run(_ range: ClosedRange<Message.ID>, limit: Int) throws -> String {
      let run = try temporary.store.rawMessages(in: conversation, range, limit: limit) { _ in }
      guard let run, let next = ids.firstIndex(of: run.next) else { return "all" }
      return "\(run.count), next \(next)\(run.isNextWhole ? " whole" : "")"
    }
    #expect(try run(.lowest ... .highest, limit: 4) == "4, next 4")
    #expect(try run(.lowest ... .highest, limit: 9) == "6, next 6 whole")
    #expect(try run(ids[2]...ids[5], limit: 9) == "all")
    #expect(try run(ids[6]...ids[6], limit: 9) == "0, next 6 whole")
  }

  @Test func `whole messages end a page early when their texts are long, and all come page by page`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    let texts = (0..<9).map { String(repeating: "\($0)", count: $0 == 4 ? 50_000 : 10_000) }
    for (number, text) in texts.enumerated() { batch.add(text, at: minute(number)) }
    _ = try temporary.store.load([batch])
    func page(_ order: PageRequest.Order, _ anchor: PageAnchor) throws -> RecordPage {
      try temporary.store.records(
        PageRequest(.everything, order: order, anchor: anchor), byteLimit: 30_000)
    }
    var found: [String] = []
    var sizes: [Int] = []
    var anchor = PageAnchor.oldest
    while true {
      let page = try page(.oldestFirst, anchor)
      found += page.records.map(\.message.text)
      sizes.append(page.records.count)
      guard page.hasNewer, let last = page.records.last?.message.id else { break }
      anchor = .after(last)
    }
    #expect(found == texts)
    #expect(sizes == [3, 2, 3, 1])
    let newest = try page(.newestFirst, .newest)
    #expect(newest.records.map(\.message.text) == Array(texts.reversed().prefix(3)))
    #expect(newest.hasOlder && !newest.hasNewer)
  }
}
