import Testing

@testable import scrollback_bench

struct ConditionScenarioTests {
  @Test func `each condition finds what plain tables find`() throws {
    let folder = try ToolFolder()
    let run = try ToolRun(
      "scrollback-bench", "run", "--trial", "--size", "4000", "--only", "conditions", "--folder",
      folder.url.path)
    #expect(run.status == 0, "\(run.complaint)")
    #expect(run.output == "32 scenarios run at 4000 messages\n")
  }

  @Test func `words that lead join the table only for its columns`() {
    #expect(PlainCondition.words("\"tea\"").count == "SELECT count(*) FROM words WHERE words MATCH '\"tea\"'")
    #expect(
      PlainCondition.words("\"tea\"", ids: 1..<9, columns: "link").count == """
        SELECT count(*) FROM words JOIN message ON message.id = words.rowid \
        WHERE words MATCH '\"tea\"' AND words.rowid >= 1 AND words.rowid < 9 AND link
        """)
    #expect(
      PlainCondition.words("\"tea\"").page == """
        SELECT message.* FROM words JOIN message ON message.id = words.rowid \
        WHERE words MATCH '\"tea\"' ORDER BY words.rowid DESC LIMIT 50
        """)
  }

  @Test func `a further baseline has a line of its own`() {
    func measured(_ milliseconds: Int...) -> Measurement {
      var measurement = Measurement()
      for time in milliseconds { measurement.add(.milliseconds(time)) }
      return measurement
    }
    var finding = Finding(
      name: "count: tea", ours: measured(2, 2, 2), baseline: ("SQLite by hand", measured(4, 4, 4)))
    finding.others = [Finding.Summary("DuckDB", measured(1, 1))]
    let lines = FindingTable.text([finding]).split(separator: "\n").dropFirst(2)
    #expect(
      Array(lines) == [
        "| count: tea | 3 | 2 ms | 2 ms – 2 ms | 2 ms | SQLite by hand | 4 ms | 4 ms | 0.5× | 0.5× |  |",
        "|  | 3 : 2 |  |  |  | DuckDB | 1 ms | 1 ms | 2× | 2× |  |",
      ])
  }
}
