import ShellTesting
import Testing

/// `links`, `files`, `pictures` and `onthisday`.
@Suite(.serialized) struct SharedTests {
  private func fixture() throws -> ShellFixture {
    try ShellFixture(
      holding: """
        {"conversation":"a","time":"2022-05-01T10:00:00.000Z","sender":"ann","text":"see https://a.example/1 and http://b.example/2, again https://a.example/1"}
        {"conversation":"a","time":"2023-05-01T10:00:00.000Z","sender":"bob","text":"the plan","attachments":[{"name":"Tax-2022 final.pdf","type":"application/pdf","bytes":2000},{"name":"HARBOUR.JPG"}]}
        {"conversation":"b","time":"2023-05-02T10:00:00.000Z","sender":"ann","text":"not mailto:x@y.example, but\\nhttps://c.example/\\u001b[2J3"}
        {"conversation":"b","time":"2024-05-01T21:59:00.000Z","sender":"ann","text":"late"}
        {"conversation":"b","time":"2024-05-01T22:01:00.000Z","sender":"ann","text":"later"}

        """)
  }

  private func lines(_ fixture: ShellFixture, _ arguments: String...) throws -> [String] {
    let result = try fixture.run(arguments + ["--time-zone", "UTC"])
    return result.output.split(separator: "\n").map { String($0.replacing(#/^#\d+  /#, with: "")) }
  }

  @Test func `links come newest first with the line they stand in, each once a message`() throws {
    let fixture = try fixture()
    #expect(
      try lines(fixture, "links").first?.hasPrefix("2023-05-02 10:00  ann  b  https://c.example/") == true)
    let json = try fixture.run(["links", "--json"]).output.split(separator: "\n")
    let urls = json.compactMap { $0.firstMatch(of: /"url":"([^"]*)"/).map { String($0.1) } }
    #expect(urls == ["https://c.example/", "https://a.example/1", "http://b.example/2"])
    let line = "see https://a.example/1 and http://b.example/2, again https://a.example/1"
    #expect(json[1].contains("\"text\":\"\(line)\""))
    #expect(!(try fixture.run(["links"]).output.contains("\u{1B}")))
  }

  @Test func `a list goes on before a message, and takes a query and conversations`() throws {
    let fixture = try fixture()
    let first = try fixture.run(["links", "--json", "-n", "1"]).output
    let id = try #require(first.firstMatch(of: /"id":"(\d+)"/)).1
    let rest = try fixture.run(["links", "--json", "--before", "#\(id)"]).output
    #expect(rest.split(separator: "\n").count == 2)
    #expect(try lines(fixture, "links", "-c", "b").count == 1)
    #expect(try lines(fixture, "links", "since:2023").count == 1)
    #expect(try fixture.run(["links", "from:bob"]).status == 1)
    #expect(try fixture.run(["links", "--before", "x"]).status == 64)
  }

  @Test func `files are listed, and pictures among them by type or name`() throws {
    let fixture = try fixture()
    #expect(
      try lines(fixture, "files", "-c", "a") == [
        "2023-05-01 10:00  bob    Tax-2022 final.pdf  application/pdf  2.0 KB  the plan",
        "2023-05-01 10:00  bob    HARBOUR.JPG                               the plan",
      ])
    let pictures = try fixture.run(["pictures", "--json"]).output
    #expect(pictures.split(separator: "\n").count == 1 && pictures.contains("\"index\":1"))
  }

  @Test(arguments: [
    ("file:*.pdf", 1), ("file:tax", 1), ("file:\"final tax\"", 1), ("file:ta", 0), ("file:harbour.jpg", 1),
    ("file:?arbour*", 1), ("file:*.p", 0), ("has:attachment -file:*.pdf", 0), ("file:plan", 0),
    ("file:2022", 1), ("has:picture", 1), ("-has:picture has:attachment", 0), ("has:picture from:bob", 1),
    ("file:[a].*", 0),
  ])
  func `files are found by their names`(query: String, count: Int) throws {
    let fixture = try fixture()
    let found = try fixture.run(["search", "--json", query])
    #expect(found.output.split(separator: "\n").count == count, "\(found)")
    let counted = try fixture.run(["stats", "--by", "kind", query])
    #expect(counted.output == (count == 0 ? "" : "text\t\(count)\n"))
    try fixture.run(["filters", "save", "f", query])
    #expect(try fixture.run(["search", "--json", "filter:f"]).output.split(separator: "\n").count == count)
  }

  @Test func `a day of earlier years is shown by year, bounded and counted`() throws {
    let fixture = try fixture()
    let shown = try fixture.run(["onthisday", "--day", "may 1", "--time-zone", "UTC", "-n", "1"])
    #expect(
      shown.output.split(separator: "\n").filter { $0.hasPrefix("==>") || $0.hasPrefix("…") } == [
        "==> 2024-05-01 · 2 messages <==", "… 1 more message", "==> 2023-05-01 · 1 message <==",
        "==> 2022-05-01 · 1 message <==",
      ], "\(shown)")
    // In Berlin one of them was written a day later.
    let berlin = try fixture.run([
      "onthisday", "--day", "2000-05-02", "--time-zone", "Europe/Berlin", "--json",
    ])
    #expect(
      berlin.output.matches(of: /"day":"([^"]*)","total":(\d+)/).map { "\($0.1) \($0.2)" }
        == ["2024-05-02 1", "2023-05-02 1"])
    #expect(try fixture.run(["onthisday", "--day", "may 1", "tea"]).status == 1)
    #expect(try fixture.run(["onthisday", "--day", "feb 29"]).status == 1)
    #expect(try fixture.run(["onthisday", "--day", "soonish"]).status == 64)
  }
}
