import ArchiveTesting
import Foundation
import MessageModel
import MessagePostgres
import MessageSourceTesting
import MessageStorage
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isThere, "needs a PostgreSQL server: apt-get install postgresql"))
struct ArchiveConformanceTests {
  @Test func `an archive answers every request as the naive model does, whatever was done to its store`()
    async throws
  {
    try await checkMessageSource(
      seeds: 0..<(isLong ? 40 : 2), length: isLong ? 1_000 : 150, patience: .seconds(86_400)
    ) {
      try PublishedSource()
    }
  }

  @Test func `an archive holds what its store held when it was published, with all that a page shows of it`()
    async throws
  {
    let fixture = try ArchiveFixture()
    let store = fixture.store
    var generator = SeededGenerator(seed: 7)
    for name in ["one", "two", "three"] {
      let conversation = try store.makeConversation(named: name)
      let drafts = (0..<700).map { number in
        NewMessage(
          ["amber", "birch cedar", "Öl ist teuer", "東京 で", ""].randomElement(using: &generator)!
            + " \(number)",
          from: ["Ann", "Bob", nil].randomElement(using: &generator)!,
          kind: [.text, .action, .notice].randomElement(using: &generator)!,
          at: Timestamp(millisecondsSince1970: Int64.random(in: -20...40, using: &generator)))
      }
      for draft in drafts { _ = try store.append([draft], to: conversation.id) }
    }
    try fixture.publish()
    let archive = try fixture.archive()
    try await checkMessageSource(
      archive, holding: fixture.messages, seeds: 0..<(isLong ? 60 : 4), length: isLong ? 400 : 100,
      patience: .seconds(86_400))
  }

  @Test
  func `the k-th message is the k-th of all, of several conversations and of senders, beyond a super-block`()
    throws
  {
    let fixture = try ArchiveFixture()
    var generator = SeededGenerator(seed: 3)
    // One is busy all the time, others for a while, one wrote twice: blocks of all lengths in time.
    let rates: [(count: Int, times: ClosedRange<Int64>)] = [
      (20_000, 0...1_000_000), (1_500, 0...1_000_000), (1_500, 400_000...410_000), (2, 0...1_000_000),
    ]
    for (place, rate) in rates.enumerated() {
      let conversation = try fixture.store.makeConversation(named: "\(place)")
      let times = (0..<rate.count).map { _ in Int64.random(in: rate.times, using: &generator) }.sorted()
      let drafts = times.map { time in
        NewMessage(
          "text", from: ["Ann", "Bob", "Cleo"].randomElement(using: &generator)!,
          at: Timestamp(millisecondsSince1970: time))
      }
      _ = try fixture.store.append(drafts, to: conversation.id)
    }
    try fixture.publish()
    let archive = try fixture.archive()
    let (all, conversations) = (try fixture.messages, try fixture.store.conversations().map(\.id))
    let senders = Set(all.compactMap { $0.sender?.id })
    for _ in 0..<120 {
      let chosen = Set(
        conversations.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator)))
      let authors = Set(
        senders.sorted { $0.rawValue < $1.rawValue }.prefix(Int.random(in: 1...3, using: &generator)))
      let isFiltered = Bool.random(using: &generator)
      let held = all.filter { message in
        chosen.contains(message.conversation)
          && (!isFiltered || message.sender.map { authors.contains($0.id) } == true)
      }
      guard !held.isEmpty else { continue }
      let selection = Selection(.some(chosen), where: isFiltered ? .sender(authors) : .everything)
      let ordinal = [0, held.count - 1, Int.random(in: 0..<held.count, using: &generator)]
        .randomElement(using: &generator)!
      let page = try archive.read(PageRequest(selection, anchor: .ordinal(ordinal), fetchLimit: 1))
      #expect(page.messages.map(\.id) == [held[ordinal].id], "\(ordinal) of \(held.count)")
      #expect(page.counts?.firstOrdinal == ordinal)
    }
  }
}
