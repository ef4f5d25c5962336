import Foundation
import HistoryQueries
import MessageModel
import MessageSourceTesting
import MessageStorage
import ShellTesting
import TestSupport
import Testing

/// `scrollback usage`: tokens and cost of assistants.
@Suite struct UsageCommandTests {
  /// A turn of a session, and what it used.
  private struct Turn {
    var (session, day, model) = (0, 0, 0)
    var (sent, cached, received) = (0, 0, 0)
    /// In cents, if the program wrote it.
    var cost: Int?

    var date: String { "2026-03-0\(day + 1)" }
    var project: String { "/home/ann/\(["tea", "kettle"][session % 2])" }
    var program: String { ["pi", "opencode", "amp"][session % 3] }
    var modelName: String { ["claude-opus-4-1-20250805", "gpt-5", "house-blend"][model] }

    /// Dollars for a million tokens, as in a table of prices of the test.
    var dollars: Double? {
      if let cost { return Double(cost) / 100 }
      guard let price = [[10, 1, 50], [2, 0.5, 4], nil][model] else { return nil }
      return (Double(sent - cached) * price[0] + Double(cached) * price[1] + Double(received) * price[2])
        / 1e6
    }
  }

  private static let prices = "# a table\nclaude-opus-4.1  10 50 1 -\n\ngpt-5 2 4 0.5\n"

  private func turns(_ seed: UInt64) -> [Turn] {
    var dice = SeededGenerator(seed: seed)
    return (0..<120).map { _ in
      var turn = Turn()
      (turn.session, turn.day, turn.model) = (dice.below(7), dice.below(4), dice.below(3))
      turn.sent = dice.below(100_000) + 1
      turn.cached = dice.below(turn.sent)
      turn.received = dice.below(9_000)
      if dice.oneIn(3) { turn.cost = dice.below(500) + 1 }
      return turn
    }
  }

  private func lines(_ turns: [Turn]) -> String {
    turns.enumerated().map { number, turn in
      let start = """
        {"conversation":"s\(turn.session)","conversationSource":{"platform":"\(turn.program)","id":"s\(turn.session)"},\
        "session":{"project":"\(turn.project)"},"time":"\(turn.date)T10:\(10 + number / 50):\(10 + number % 50).000Z",
        """
      let cost = turn.cost.map { " Cost: $\($0 / 100).\(String($0 % 100 + 100).dropFirst())." } ?? ""
      return """
        \(start)"sender":"Assistant","senderID":"\(turn.modelName)","kind":"text","text":"reply \(number)",\
        "source":{"platform":"\(turn.program)","id":"\(number)"}}
        \(start)"kind":"system","text":"Tokens: \(turn.sent) sent (\(turn.cached) of them cached), \
        \(turn.received) received.\(cost)","source":{"platform":"\(turn.program)","id":"\(number)/usage"}}

        """
    }.joined()
  }

  private func usage(_ fixture: ShellFixture, _ arguments: String...) throws -> [UsageGroupAnswer] {
    let prices = fixture.folder.appending(path: "prices")
    try Self.prices.write(to: prices, atomically: true, encoding: .utf8)
    let lines = try fixture.run(["usage", "--json", "--prices", prices.path] + arguments).output
    return try lines.split(separator: "\n").map {
      try JSONDecoder().decode(UsageGroupAnswer.self, from: Data($0.utf8))
    }
  }

  private func expect(_ groups: [UsageGroupAnswer], _ turns: [Turn], by key: (Turn) -> String) {
    let wanted = Dictionary(grouping: turns, by: key)
    #expect(groups.count == wanted.count)
    for group in groups {
      let name = group.day ?? group.model ?? group.project ?? group.program ?? ""
      let own = wanted[name] ?? []
      #expect(group.tokensSent == own.reduce(0) { $0 + Int64($1.sent) }, "\(name)")
      #expect(group.tokensCached == own.reduce(0) { $0 + Int64($1.cached) }, "\(name)")
      #expect(group.tokensReceived == own.reduce(0) { $0 + Int64($1.received) }, "\(name)")
      let unpriced = own.filter { $0.dollars == nil }.reduce(0) { $0 + Int64($1.sent + $1.received) }
      #expect(group.tokensUnpriced == (unpriced > 0 ? unpriced : nil), "\(name)")
      let dollars = own.compactMap(\.dollars)
      #expect((group.dollars != nil) == !dollars.isEmpty, "\(name)")
      // Each cost is rounded to a millionth.
      #expect(abs((group.dollars ?? 0) - dollars.reduce(0, +)) < 1e-3, "\(name)")
    }
  }

  @Test(arguments: UInt64(0)..<3)
  func `tokens and costs by each property are those of an independent count`(seed: UInt64) throws {
    let turns = turns(seed)
    let fixture = try ShellFixture(holding: lines(turns))
    // A second time brings nothing twice.
    try fixture.add(lines(turns))
    expect(try usage(fixture), turns) { $0.date }
    expect(try usage(fixture, "--by", "model"), turns) { $0.modelName }
    expect(try usage(fixture, "--by", "project"), turns) { $0.project }
    expect(try usage(fixture, "--by", "program"), turns) { $0.program }
    expect(try usage(fixture, "project:tea"), turns.filter { $0.project.hasSuffix("tea") }) { $0.date }
    let part = turns.filter { $0.day == 1 || $0.day == 2 }
    expect(try usage(fixture, "--by", "model", "since:2026-03-02 until:2026-03-04"), part) { $0.modelName }
    let opus = part.filter { $0.model == 0 && $0.project.hasSuffix("kettle") }
    expect(
      try usage(fixture, "--by", "program", "model:opus project:kettle since:2026-03-02 until:2026-03-04"),
      opus
    ) { $0.program }
  }

  @Test func `a session of which only sums are known counts as a whole, and agents count for their session`()
    throws
  {
    let start = #"{"conversation":"a","conversationSource":{"platform":"pi","id":"a"},"time":"2026-03-01T1"#
    let agent = #"{"conversation":"b","conversationSource":{"platform":"pi","id":"a/1"},"time":"2026-03-01T1"#
    let fixture = try ShellFixture(
      holding: start
        + #"0:00:00Z","sender":"Pi","senderID":"gpt-5","text":"yes","session":{"project":"/tea","tokensSent":900,"tokensReceived":80,"dollars":0.25}}"#
        + "\n" + agent
        + #"1:00:00Z","kind":"system","text":"gpt-5: Tokens: 60 sent (10 of them cached, 20 written), 4 received."}"#
    )
    let groups = try usage(fixture, "--by", "project")
    #expect(groups.map(\.project) == ["/tea"])
    #expect(groups.map(\.tokensSent) == [960] && groups.map(\.tokensReceived) == [84])
    #expect(groups.map(\.tokensWritten) == [20])
    #expect(groups[0].dollars == 0.250121 && groups[0].dollarsByPrices == 0.000121)
  }

  @Test func `a terminal shows bars and a sum, a pipe names and numbers`() throws {
    let fixture = try ShellFixture(holding: lines(turns(1)))
    let piped = try fixture.run(["usage", "--by", "program"]).output.split(separator: "\n")
    #expect(piped.count == 3 && piped.allSatisfy { $0.split(separator: "\t").count == 4 }, "\(piped)")
    let shown = try fixture.show(["usage", "--by", "program"]).screen
    #expect(shown.contains("█") && shown.contains(" tokens in ("), "\(shown)")
    #expect(shown.contains("tokens without a price"))
    let none = try fixture.run(["usage", "project:tea since:2027-01-01"])
    #expect(none.status == 1 && none.output.isEmpty && none.errors.isEmpty, "\(none)")
  }

  @Test func `wrong prices and properties are refused with the place`() throws {
    let fixture = try ShellFixture(count: 1)
    let file = fixture.folder.appending(path: "prices")
    for (text, place) in [
      ("gpt-5 1 2\ngpt-5 x 2\n", "line 2"), ("gpt-5 1\n", "line 1"), ("[{}]", "it is not a list"),
    ] {
      try text.write(to: file, atomically: true, encoding: .utf8)
      let refused = try fixture.run(["usage", "--prices", file.path])
      #expect(refused.status != 0 && refused.errors.contains(place), "\(refused)")
    }
    #expect(try fixture.run(["usage", "--prices", "nowhere"]).status == 66)
    #expect(try fixture.run(["usage", "--by", "week"]).status == 64)
    #expect(try fixture.run(["usage", "--line", "tea"]).status == 64)
  }
}
