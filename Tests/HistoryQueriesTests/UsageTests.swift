import Foundation
import MessageModel
import MessageStorage
import ShellTesting
import TestSupport
import Testing

@testable import HistoryQueries

/// Prices of tokens, and the sum of today.
@Suite struct UsageTests {
  @Test func `every built-in price has its day and the maker's page, and the documentation lists it`() throws
  {
    let rows = PriceTable.builtInText.split(separator: "\n")
    let table = try PriceTable(reading: PriceTable.builtInText, from: "built-in prices")
    #expect(table.prices.count == rows.count, "a model is there once")
    let page = try String(
      contentsOf: GoldenFile.root.appending(path: "docs/sessions.md"), encoding: .utf8)
    for row in rows {
      let words = row.split(separator: " ").map(String.init)
      let price = try #require(table.price(of: words[0]))
      #expect(price.date?.wholeMatch(of: /2026-\d\d-\d\d/) != nil, "\(row)")
      let makers = ["platform.claude.com", "developers.openai.com", "ai.google.dev"]
      #expect(makers.contains { price.source?.hasPrefix("https://\($0)/") == true }, "\(row)")
      #expect(price.output > price.input && (price.cacheRead ?? 0) < price.input, "\(row)")
      let cells = words.prefix(5).map { $0 == "-" ? "" : $0 }
      let line = "| `\(cells[0])` | \(cells[1]) | \(cells[2]) | \(cells[3]) | \(cells[4]) | \(words[5]) |"
      #expect(page.contains(line), "\(line)")
    }
  }

  @Test(arguments: [
    ("claude-opus-4-1-20250805", "claude-opus-4-1"), ("anthropic/claude-opus-4.1", "claude-opus-4-1"),
    ("us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1"),
    ("claude-opus-4-1@20250805", "claude-opus-4-1"), ("claude-sonnet-5-5[1m]", "claude-sonnet-5-5"),
    ("openai/gpt-5-2025-08-07", "gpt-5"), ("GPT-5.3-Codex", "gpt-5-3-codex"),
    ("models/gemini-2.5-pro", "gemini-2-5-pro"), ("gpt-4.1:free", "gpt-4-1"),
  ])
  func `a model has its price under the ids that programs write`(id: String, key: String) {
    #expect(PriceTable.key(of: id) == key)
    #expect(PriceTable.builtIn.price(of: id) != nil)
  }

  @Test func `a model that is only like another one has no price`() {
    for id in ["gpt-5-turbo", "claude-opus", "claude-opus-4-1-mini", "", "20250805"] {
      #expect(PriceTable.builtIn.price(of: id) == nil, "\(id)")
    }
  }

  @Test func `prices of a file replace built-in ones, in a table and in JSON`() throws {
    let table = try PriceTable(reading: "gpt-5 1 2 - 3 # mine\nour-model 4 5\n", from: "a")
    let json = try PriceTable(
      reading:
        #"[{"model":"gpt-5","input":1,"output":2,"cacheWrite":3},{"model":"our-model","input":4,"output":5}]"#,
      from: "b")
    #expect(table.prices == json.prices)
    let both = PriceTable.builtIn.replaced(by: table)
    #expect(both.price(of: "gpt-5")?.input == 1 && both.price(of: "gpt-5-mini")?.input == 0.25)
    var use = TokenUse()
    (use.sent, use.cached, use.written, use.received) = (1_000_000, 100_000, 200_000, 500_000)
    // 0.7 + 0.1 at the price of other input, 0.6 for what was written, 1 for what came.
    #expect(both.price(of: "gpt-5")?.cost(of: use) == 2_400_000)
  }

  @Test func `the line of today counts from midnight of the zone, without reading sessions`() throws {
    func line(_ time: String, _ text: String) -> String {
      """
      {"conversation":"a","conversationSource":{"platform":"pi","id":"a"},"session":{"tokensSent":7},\
      "time":"\(time)Z","kind":"system","text":"\(text)"}

      """
    }
    let fixture = try ShellFixture(
      holding: line("2026-03-01T22:59:59", "gpt-5: Tokens: 1 sent, 1 received.")
        + line("2026-03-01T23:00:00", "gpt-5: Tokens: 1000000 sent, 100000 received.")
        + line("2026-03-02T08:00:00", "mystery: Tokens: 20 sent, 4 received.")
        + line("2026-03-02T09:00:00", "Tokens: 5 sent, 1 received. Cost: $0.50."))
    let store = try SynchronousMessageStore(path: fixture.store, options: .readOnly)
    defer { store.close() }
    // 2026-03-02 11:00 in Berlin.
    let now = Timestamp(millisecondsSince1970: 1_772_445_600_000)
    let queries = QuestionAnswerer(store) { now }
    let zone = try #require(TimeZone(named: "Europe/Berlin"))
    let today = try queries.usageToday(timeZone: zone)
    #expect(today.day == "2026-03-02")
    #expect(today.tokensSent == 1_000_025 && today.tokensReceived == 100_005)
    #expect(today.dollars == 2.75 && today.dollarsByPrices == 2.25 && today.tokensUnpriced == 24)
  }
}
