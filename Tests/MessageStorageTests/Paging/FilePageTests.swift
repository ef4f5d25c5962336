import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// Pages of messages with files, compared with what an array says.
@Suite struct FilePageTests {
  @Test(arguments: UInt64(0)..<(isLong ? 40 : 2))
  func `pages of what has files are those of an array, wherever the files are`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<6_000 {
      var details: ImportDetails?
      if Int.random(in: 0..<60, using: &dice) == 0 {
        details = ImportDetails()
        details?.attachments = (0...Int.random(in: 0...2, using: &dice)).map { index in
          Message.Attachment(name: number % 2 == 0 ? "plan \(index).pdf" : "photo.jpg")
        }
      }
      let room = details == nil || number % 5 == 0 ? "a" : "b"
      batch.add(
        "\(number)", from: "s\(number % 3)", at: minute(number / 2), in: room, details: details)
    }
    try temporary.store.load([batch])
    let all = try temporary.store.messages(pageSize: 1_000)
    let reference = ReferenceSource(all)
    let rooms = try temporary.store.conversations().map(\.id)
    let some = try temporary.store.senderIDs(named: "s1")
    let range = MessagePredicate.time(from: minute(500), until: minute(2_000))
    for _ in 0..<(isLong ? 200 : 60) {
      let predicates: [MessagePredicate] = [
        .has(.attachment), .file("\\.pdf$"), .and([.has(.attachment), range]), .and([.file("^plan"), range]),
        .and([.has(.attachment), .sender(some)]), .and([.has(.attachment), .not(.file("pdf"))]),
      ]
      let place = [Selection.Conversations.all, .some([rooms[0]]), .some([rooms[1]]), .some(Set(rooms))]
      let id = all[Int.random(in: 0..<all.count, using: &dice)].id
      let selection = Selection(
        place.randomElement(using: &dice) ?? .all,
        where: predicates.randomElement(using: &dice) ?? .everything)
      var request = PageRequest(
        selection,
        anchor: [.newest, .oldest, .before(id), .after(id), .around(id)].randomElement(using: &dice)
          ?? .newest, fetchLimit: [1, 7, 40, 500].randomElement(using: &dice) ?? 1)
      request.wantsCounts = false
      let (page, expected) = (try temporary.store.page(request), try reference.page(request))
      #expect(page.messages.map(\.id) == expected.messages.map(\.id), "\(request)")
      #expect(page.hasOlder == expected.hasOlder && page.hasNewer == expected.hasNewer, "\(request)")
    }
  }

  @Test func `a page of few files does not look at the messages between them`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<5_000 {
      var details = ImportDetails()
      if number % 1_000 == 0 { details.attachments = [Message.Attachment(name: "f\(number)")] }
      batch.add("\(number)", at: minute(number), details: details)
    }
    try temporary.store.load([batch])
    try temporary.store.reading("") { db in
      // With no more than five messages to look at, all are found.
      let reader = try PageReader(
        Selection(.all, where: .file("f")), in: db, names: temporary.store.senderNames, budget: 6)
      let run = try reader.run(.older, from: .highest, limit: 50)
      #expect(run.messages.map(\.text) == ["4000", "3000", "2000", "1000", "0"] && run.stoppedAt == nil)
    }
  }
}
