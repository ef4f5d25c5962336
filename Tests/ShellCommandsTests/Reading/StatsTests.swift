import ShellTesting
import TerminalText
import Testing

/// `stats --by`: what a history is like.
@Suite(.serialized) struct StatsTests {
  private func fixture() throws -> ShellFixture {
    try ShellFixture(
      holding: """
        {"conversation":"a","time":"2023-12-31T23:30:00.000Z","sender":"ann","text":"see https://example.org"}
        {"conversation":"a","time":"2024-02-29T08:00:00.000Z","sender":"bob\\u001b[2J","text":"tea"}
        {"conversation":"b","time":"2024-02-29T08:10:00.000Z","sender":"ann","text":"green tea"}
        {"conversation":"b","time":"2024-03-01T17:00:00.000Z","kind":"join","sender":"ann"}

        """)
  }

  @Test(arguments: [
    ("year", "2023\t1\n2024\t3\n"), ("month", "2023-12\t1\n2024-02\t2\n2024-03\t1\n"),
    ("day", "2023-12-31\t1\n2024-02-29\t2\n2024-03-01\t1\n"),
    ("weekday", "thursday\t2\nfriday\t1\nsunday\t1\n"), ("hour", "08:00\t2\n17:00\t1\n23:00\t1\n"),
    ("conversation", "a\t2\nb\t2\n"), ("kind", "text\t3\njoin\t1\n"),
  ])
  func `into a pipe go a name, a tab and a number a line`(by: String, lines: String) throws {
    let result = try fixture().run(["stats", "--by", by, "--time-zone", "UTC"])
    #expect(result.status == 0 && result.output == lines, "\(result)")
  }

  @Test func `a query, conversations and a zone say what is counted`() throws {
    let fixture = try fixture()
    func lines(_ arguments: String...) throws -> String {
      try fixture.run(["stats", "--time-zone", "Europe/Berlin", "--by"] + arguments).output
    }
    #expect(try lines("year") == "2024\t4\n")
    #expect(try lines("month", "from:ann", "tea") == "2024-02\t1\n")
    #expect(try lines("sender", "-c", "b") == "ann\t2\n")
    #expect(try lines("sender", "--json", "has:link") == "{\"sender\":\"ann\",\"messages\":1}\n")
    #expect(try lines("day", "nowhere").isEmpty)
    #expect(!(try lines("sender").contains("\u{1B}")))
    for wrong in [["--by", "week"], ["tea"], ["--by", "day", "--sizes"], ["--by", "day", "form:ann"]] {
      #expect(try fixture.run(["stats"] + wrong).status != 0, "\(wrong)")
    }
  }

  @Test func `accounts of a person are counted as one, and those of nobody by their names`() throws {
    let fixture = try fixture()
    try fixture.run(["people", "link", "Ann Smith", "ann"])
    #expect(try fixture.run(["stats", "--by", "person"]).output.hasPrefix("Ann Smith\t3\n"))
    #expect(
      try fixture.run(["stats", "--by", "person", "--json", "tea"]).output
        == #"{"person":"Ann Smith","messages":1}"# + "\n" + #"{"sender":"bob\u001b[2J","messages":1}"# + "\n")
  }

  @Test func `the pace of a history is told in words and as JSON, and of nothing not at all`() throws {
    let fixture = try fixture()
    try fixture.add(
      #"{"conversation":"b","time":"2024-02-29T08:12:00.000Z","sender":"eve\u001b[2J","text":"yes"}"# + "\n")
    let shown = try fixture.run(["stats", "--pace", "--time-zone", "UTC"])
    #expect(
      shown.output.replacing(#/ +#[0-9]+/#, with: "") == """
        messages         5
        first            2023-12-31 23:30
        last             2024-03-01 17:00
        longest silence  59 d 8 h: 2023-12-31 23:30 – 2024-02-29 08:00
        busiest day      2024-02-29: 3 messages

        who replies to whom, and after how long (median)
        eve\u{241B}[2J  replies to ann  1 time  after 2 min

        """, "\(shown)")
    let json = try fixture.run(["stats", "--pace", "--json", "-c", "b"])
    #expect(
      json.output.contains(#""answers":[{"who":"eve"#) && json.output.contains(#""messages":3"#), "\(json)")
    #expect(try fixture.run(["stats", "--pace", "nowhere"]).status == 1)
    #expect(try fixture.run(["stats", "--pace", "--by", "day"]).status != 0)
  }

  @Test(arguments: [40, 60, 80, 132]) func `a terminal gets bars that fit, and days as a calendar`(
    columns: Int
  ) throws {
    let fixture = try fixture()
    for by in ["year", "month", "day", "weekday", "hour", "sender", "person", "conversation", "kind"] {
      let shown = try fixture.show(
        ["stats", "--by", by, "--no-pager", "--time-zone", "UTC"], columns: columns)
      let lines = shown.output.split(separator: "\n").map { $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
      for line in lines {
        #expect(DisplayWidth.columns(of: line.filter { $0 != "\r" }) <= columns, "\(by): \(line)")
      }
      #expect(lines.last?.contains("4 messages") == true, "\(by)")
      if by != "day" { #expect(lines.contains { $0.contains("█") }, "\(by)") }
    }
    if columns == 80 {
      let shown = try fixture.show(["stats", "--by", "day", "--no-pager", "--time-zone", "UTC"], columns: 80)
      let lines = shown.output.split(separator: "\n").map { $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
      #expect(lines.count == 5)
      #expect(lines.contains { $0.hasPrefix("2024-02") && $0.contains("██") && $0.contains("2") })
    }
  }
}
