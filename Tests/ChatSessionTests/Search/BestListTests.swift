import ChatSession
import MessageModel
import MessageStorage
import TestSupport
import Testing

struct BestListTests {
  private func screen() throws -> StoreFixture.Screen {
    try StoreFixture(count: 100).screen(rows: 16, columns: 80)
  }

  private func press(_ key: ReplKey, on screen: inout StoreFixture.Screen) {
    screen.finish(screen.handle(.key(key)))
  }

  @Test func `what answers best is listed, and Enter goes to the line that was chosen`() throws {
    var screen = try screen()
    screen.finish(screen.type("/best which messages were of pear 50"))
    #expect(screen.lines[0].contains("message 50 of pears"), "\(screen.terminal.picture)")
    press(.rowOlder, on: &screen)
    screen.finish(screen.type(""))
    #expect(screen.lines.contains { $0.hasSuffix("message 50 of pears") }, "\(screen.terminal.picture)")
    #expect(!screen.lines.contains { $0.contains("message 1 of ") })
    // What was asked for is the search now: its words are marked, and it goes on.
    #expect(screen.status.contains("which messages were"), "\(screen.status)")
    let count = try screen.fixture.store.conversation(named: "general")?.messageCount
    #expect(count == 100)
  }

  @Test func `in a list of hits a key lists what answers best, and hits come back by time`() throws {
    var screen = try screen()
    screen.finish(screen.type("/hits pears 50"))
    press(.answered, on: &screen)
    #expect(
      screen.lines[0].contains("1  ") && screen.lines[0].contains("message 50 of pears"),
      "\(screen.terminal.picture)")
    screen.finish(screen.type("q"))
    screen.finish(screen.type("/best"))
    #expect(screen.lines[0].contains("message 50 of pears"), "\(screen.terminal.picture)")
    press(.hits, on: &screen)
    #expect(screen.status.contains("of 1 hit"), "\(screen.status)")
  }

  @Test func `a word that no message has is named below the list, with those that were looked for`() throws {
    var screen = try screen()
    screen.finish(screen.type("/best which mesages were of paers 50"))
    #expect(screen.lines[0].contains("message 50 of pears"), "\(screen.terminal.picture)")
    #expect(
      screen.lines.contains { $0.contains("no message has 'paers': looked for pears") },
      "\(screen.terminal.picture)")
  }

  @Test func `what was left out of a ranking is said`() throws {
    let fixture = try StoreFixture(count: 6_000)
    defer { withExtendedLifetime(fixture) {} }
    let store = fixture.store
    let all = try store.exchanges(answering: "message pears")
    #expect(all.isWhole && all.noteTexts.isEmpty)
    var ranking = RankingWeights.usual
    ranking.rowBudget = 2_000
    let some = try store.exchanges(answering: "message pears", in: .everything, limit: 3, ranking: ranking)
    #expect(
      some.noteTexts
        == ["ranked among 2,000 candidates: rare words everywhere, others in the newest messages"])
  }
}
