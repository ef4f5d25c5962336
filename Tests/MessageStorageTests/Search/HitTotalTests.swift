import HistoryModel
import MessageModel
import MessageStorage
import Testing

@Suite struct HitTotalTests {
  /// A long room in which every second message has one word and the first quarter another, and a short room.
  private static func filled(_ count: Int) throws -> (TemporaryStore, long: Selection) {
    let temporary = try TemporaryStore(clock: minute(0))
    let long = try temporary.store.makeConversation(named: "long").id
    let load = try BulkImport(
      into: temporary.store, BulkImport.Description(name: "x", format: "test", zone: "UTC"))
    var batch = ImportBatch()
    for index in 0..<count {
      let words = [index % 2 == 0 ? "even" : "odd", index < count / 4 ? "early" : "late", "w\(index % 300)"]
      let text = words.joined(separator: " ") + (index % 200 == 0 ? " z\(index)" : "")
      batch.add(index % 10 == 0 ? "\(text) 世界" : text, at: minute(index), in: "long")
      if index % 100 == 0 { batch.add("even in short", at: minute(index), in: "short") }
    }
    try load.add(batch)
    _ = try load.finish()
    return (temporary, Selection(long))
  }

  @Test(arguments: ["even", "odd early", "e*", "late -odd", "世界", "\"late w7\"", "nothing", "-odd", "w*"])
  func `few are counted`(words: String) throws {
    let (temporary, long) = try Self.filled(2_000)
    for selection in [.everything, long, Selection(long.conversations, where: .not(.regex("early")))] {
      let total = try temporary.store.hitTotal(.matching(words), in: selection)
      #expect(total.isExact)
      #expect(try total.count == temporary.store.hitCount(.matching(words), in: selection))
    }
  }

  @Test func `many are estimated, and it is said`() throws {
    let (temporary, long) = try Self.filled(80_000)
    let middle = Message.ID(time: minute(40_000))...Message.ID.highest
    let regex = MessagePredicate.regex("early")
    for (words, selection, isExact) in [
      ("even", .everything, false), ("even", long, false), ("early", long, false), ("世界", long, true),
      ("e*", .everything, false), ("w*", long, false), ("late w*", .everything, false), ("z*", long, true),
      ("early z*", .everything, true), ("late -odd", long, false),
      ("even", Selection(long.conversations, where: .ids(middle)), false),
      ("late", Selection(long.conversations, where: .and([.ids(middle), .not(regex)])), false),
      ("early", Selection(long.conversations, where: .ids(middle)), true),
      ("even", Selection(.all, where: regex), false),
    ] {
      let total = try temporary.store.hitTotal(.matching(words), in: selection)
      let count = try temporary.store.hitCount(.matching(words), in: selection)
      #expect(total.isExact == isExact, "\(words)")
      #expect(abs(total.count - count) * 20 <= count, "\(words): \(total.count) of \(count)")
    }
    // Too few texts near the end have the beginning: the index is read.
    let page = try temporary.store.hits(.matching("z*"), limit: 60)
    #expect(page.hits.count == 60 && page.hits.allSatisfy { $0.message.text.contains(" z") })
  }
}
