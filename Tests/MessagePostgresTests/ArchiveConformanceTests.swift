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
    try await checkMessageSource(seeds: 0..<(isLong ? 40 : 4), length: isLong ? 1_000 : 150) {
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
      archive, holding: fixture.messages, seeds: 0..<(isLong ? 60 : 10), length: isLong ? 400 : 100)
  }
}
