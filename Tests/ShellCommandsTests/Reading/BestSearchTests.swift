import ShellTesting
import Testing

/// `search --best` and the question `best`.
@Suite(.serialized) struct BestSearchTests {
  private func fixture() throws -> ShellFixture {
    try ShellFixture(
      holding: """
        {"conversation":"a","time":"2023-05-01T10:00:00.000Z","sender":"bob","text":"the boiler is cold again"}
        {"conversation":"a","time":"2023-05-01T10:01:00.000Z","sender":"eve","text":"since when?\\u001b[2J"}
        {"conversation":"a","time":"2023-05-01T10:02:00.000Z","sender":"ann","text":"I know two plumbers"}
        {"conversation":"b","time":"2024-05-01T21:59:00.000Z","sender":"ann","text":"late"}

        """)
  }

  @Test func `an exchange is printed with its best line marked, and with ids`() throws {
    let fixture = try fixture()
    let result = try fixture.run(
      ["search", "--best", "who was the plumber for our boilers?", "--time-zone", "UTC", "--ids"])
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.count { $0.hasPrefix("> #") } == 1)
    #expect(lines.last?.contains("I know two plumbers") == true)
    #expect(!result.output.contains("\u{1B}"))
    #expect(try fixture.run(["search", "--best", "plumber", "from:eve"]).status == 1)
    #expect(try fixture.run(["search", "--best", "zeppelin"]).status == 1)
    #expect(try fixture.run(["search", "--best", "tea", "--regex"]).status == 64)
    #expect(try fixture.run(["search", "--language", "german", "tea"]).status == 64)
    #expect(try fixture.run(["search", "--best", "--language", "elvish", "tea"]).status == 64)
  }

  @Test func `the command and the question give the same exchanges`() throws {
    let fixture = try fixture()
    let printed = try fixture.run(["search", "--best", "--json", "the plumbers"]).output
    let answered = try fixture.run(["query", #"{"question":"best","words":"the plumbers"}"#]).output
    #expect(printed.count > 100)
    #expect(answered.contains(printed.trimmingPrefix { $0.isNewline }.dropLast()))
  }

  @Test func `a word that no message has is named with those that were looked for`() throws {
    let fixture = try fixture()
    let result = try fixture.run(["search", "--best", "plubmers"])
    #expect(result.status == 0 && result.output.contains("I know two plumbers"))
    #expect(result.errors.contains("no message has 'plubmers': looked for plumbers"))
    let answered = try fixture.run(["query", #"{"question":"best","words":"plubmers"}"#]).output
    #expect(answered.contains(#""respelt":[{"word":"plubmers","forms":["plumbers"]}]"#))
  }

  @Test func `a script lists exchanges, and without a question those of its search`() throws {
    let fixture = try fixture()
    func said(_ script: String) throws -> String {
      try fixture.run(["open", "-c", "a", "--time-zone", "UTC"], input: script).output
    }
    let asked = try said("/best which plumber\n")
    #expect(asked.contains("1  2023-05-01 10:02  ann"))
    #expect(try said("/search plumbers\n/best\n").contains("1  2023-05-01 10:02  ann"))
    #expect(
      try fixture.run(["open", "-c", "a"], input: "/best\n").errors.contains("no search yet"))
  }
}
