import Foundation
import ShellTesting
import Testing

/// What is written behind a message of the future, as commands show it.
@Suite struct OwnTimeCommandTests {
  private let fixture: ShellFixture
  private let year: Int

  init() throws {
    fixture = try ShellFixture(count: 0)
    let lines = #"{"conversation":"tea","time":"9030-01-02T00:00:00Z","sender":"ann","text":"later"}"#
    let history = fixture.folder.appendingPathComponent("future.jsonl")
    try Data(lines.utf8).write(to: history)
    _ = try fixture.run(["import", "--allow-future", "-q", history.path])
    _ = try fixture.run(["append", "-c", "tea", "--from", "bob", "own words"])
    year = Calendar(identifier: .gregorian).component(.year, from: Date())
  }

  @Test func `it is last, and has the year of now in lists, searches, statistics, exports and SQL`() throws {
    func output(_ words: String...) throws -> String { try fixture.run(words).output }
    let lines = try output("tail", "-c", "tea", "--color", "never").split(separator: "\n")
    #expect(lines.last?.contains("own words") == true)
    #expect(try output("search", "own since:\(year) until:\(year + 2)").contains("own words"))
    #expect(try output("search", "own since:9000") == "")
    #expect(
      try output("stats", "--by", "year").split(separator: "\n").map { $0.prefix(4) } == ["\(year)", "9030"])
    let exported = try output("export", "--format", "jsonl").split(separator: "\n")
    #expect(exported.count == 2 && exported[1].contains(#""time":"\#(year)"#))
    #expect(try output("export", "--format", "markdown").contains("\(year)-"))
    let times = try output("sql", "--csv", "SELECT substr(time, 1, 4) AS year FROM messages ORDER BY id")
    #expect(times.split(whereSeparator: \.isNewline) == ["year", "9030", "\(year)"])
    #expect(try output("conversations", "--json").contains(#""last":"\#(year)"#))
    #expect(try fixture.run(["check"]).status == 0)
  }

  @Test func `an export brings place and time into another store, and comes again as nothing new`() throws {
    let file = fixture.folder.appendingPathComponent("all.jsonl").path
    _ = try fixture.run(["export", "--everything", "-o", file])
    let other = try ShellFixture(count: 0)
    _ = try other.run(["import", "--allow-future", "-q", file])
    let places = "SELECT id, time, text FROM messages ORDER BY id"
    #expect(try other.run(["sql", places]).output == fixture.run(["sql", places]).output)
    for store in [fixture, other] {
      _ = try store.run(["import", "--allow-future", "-q", file])
      #expect(try store.run(["sql", "--csv", "SELECT count(*) AS n FROM messages"]).output.contains("2"))
      #expect(try store.run(["check"]).status == 0)
    }
  }
}
