import ChatSession
import HistoryQueries
import Testing

struct FilterTests {
  @Test func `text alone leaves events out of a filter, and is a word in quotes`() {
    #expect(MessageQuery.saying("text tea") == "kind:said tea")
    #expect(MessageQuery.saying("tea \"a text\" context text") == "tea \"a text\" context kind:said")
    #expect(MessageQuery.saying("\"text\"") == "\"text\"")
  }

  @Test(arguments: [
    ("from:", "'from:' needs a value"), ("from:\"a", "a quote is not closed"),
    ("has:wings", "messages have no 'wings'"),
    ("kind:odd", "unknown kind 'odd'"), ("since:someday", "'someday' is not a time"),
    ("from:alcie", "no sender 'alcie'"),
    ("form:alice", "no term 'form:'; did you mean 'from:'? there are from: "),
    ("apples colour:red", "no term 'colour:'; there are "),
  ])
  func `a filter that is not understood says why and changes nothing`(words: String, summary: String) throws {
    var screen = try StoreFixture().screen(columns: 100)
    #expect(screen.type("/filter \(words)").line == nil)
    #expect(screen.status.hasPrefix(" " + summary), "\(screen.status)")
    screen.handle(.key(.redraw))
    #expect(screen.status.hasPrefix(" general  100 of 100"))
  }

  @Test func `what looks like a filter is looked for where it stands in quotes`() throws {
    var screen = try StoreFixture().screen(columns: 120)
    screen.type("/filter message:7")
    #expect(screen.status.hasPrefix(" no term 'message:'; "))
    screen.type("/filter \"message:7\"")
    #expect(screen.status.contains("1 of 1"), "\(screen.status)")
  }

  @Test func `a filter that lets nothing through keeps the place`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.type("/goto 40")
    let before = screen.lines
    for others in [[], ["/filter \"yy yy\""], ["/filter \"yy yy\"", "/filter \"zz zz\""]] {
      screen.type("/filter \"zz zz\"")
      #expect(screen.status.contains("no such messages"), "\(screen.status)")
      for line in others { screen.type(line) }
      screen.type("/filter")
      #expect(screen.lines == before && screen.status.contains(" 40 of 100"), "\(screen.terminal.picture)")
    }
    screen.type("/filter \"zz zz\"")
    screen.type("/filter from:bob")
    #expect(screen.status.contains(" 20 of 50"), "\(screen.status)")
    // Who is at the newest edge is there again.
    screen.type("/filter")
    screen.type("/bottom")
    screen.type("/filter \"zz zz\"")
    screen.type("/filter")
    #expect(screen.status.contains("100 of 100") && screen.session.reader.sight.isAtNewestEdge)
    // What was left in such a filter is found where it was.
    screen.type("/goto 40")
    screen.type("/filter \"zz zz\"")
    screen.type("/open random")
    screen.type("/open general")
    #expect(screen.lines == before, "\(screen.terminal.picture)")
  }

  @Test func `the status line tells the filter and its total`() throws {
    var screen = try StoreFixture().screen(rows: 5)
    screen.type("/filter from:alice")
    #expect(
      screen.lines.map { $0.suffix(20).trimmingPrefix(" ") } == [
        "message 95 of apples", "message 97 of apples", "message 99 of apples",
      ])
    #expect(screen.status == " general [from:alice]  50 of 50 · 2024-05-05 · 100 %")
    screen.type("/filter from:carol")
    #expect(screen.status.hasPrefix(" no sender 'carol'"))
    screen.type("/filter since:2025")
    #expect(screen.status == " general [since:2025]  no such messages · 0 of 100 shown")
    screen.type("/filter")
    #expect(screen.status.hasPrefix(" general  100 of 100"))
  }

  @Test func `a filter says how many of all messages it shows, also as they come`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 8, columns: 100)
    #expect(!screen.status.contains("shown"))
    screen.type("/filter from:alice")
    #expect(screen.status.contains("50 of 50 · 2024-05-05 · 50 of 100 shown · 100 %"), "\(screen.status)")
    try fixture.receive("later")
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.status.contains("50 of 101 shown"), "\(screen.status)")
    screen.type("/filter since:2025")
    #expect(screen.status.contains("no such messages · 0 of 101 shown"), "\(screen.status)")
    screen.type("/filter")
    #expect(!screen.status.contains("shown"), "\(screen.status)")
  }

  @Test func `filters are added, inverted and dropped, by keys and by words`() throws {
    for isByKeys in [true, false] {
      var screen = try StoreFixture().screen(rows: 8, columns: 120)
      func press(_ key: ReplKey, _ line: String) {
        screen.finish(isByKeys ? screen.handle(.key(key)) : screen.type(line))
      }
      screen.finish(screen.type("/filter from:alice"))
      if isByKeys { #expect(screen.handle(.key(.addFilter)).line == "/filter add ") }
      screen.finish(screen.type("/filter add until:2024-05-03"))
      #expect(
        screen.status.contains("[from:alice until:2024-05-03]") && screen.status.contains("18 of 100 shown"),
        "\(screen.status)")
      press(.invertFilter, "/filter not")
      #expect(
        screen.status.contains("[from:alice -until:2024-05-03]") && screen.status.contains("32 of 100 shown"),
        "\(screen.status)")
      press(.invertFilter, "/filter not")
      #expect(screen.status.contains("18 of 100 shown"), "\(screen.status)")
      press(.dropFilter, "/filter drop")
      #expect(screen.status.contains("[from:alice]") && screen.status.contains("50 of 100 shown"))
      press(.invertFilter, "/filter not")
      #expect(
        screen.status.contains("[-from:alice]")
          && screen.lines.last?.hasSuffix("message 100 of pears") == true)
      press(.dropFilter, "/filter drop")
      #expect(screen.status.contains("100 of 100 ·") && !screen.status.contains("shown"))
      press(.dropFilter, "/filter drop")
      #expect(screen.status.contains("there is no filter to drop"), "\(screen.status)")
    }
  }

  @Test func `what was added and inverted is saved as a query, and a saved filter is added by its name`()
    throws
  {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 8, columns: 120)
    for line in [
      "/filter from:alice", "/filter save by alice", "/filter not", "/filter add pears OR plums",
      "/filter save rest",
    ] {
      screen.finish(screen.type(line))
    }
    let saved = try #require(try fixture.store.savedFilter(named: "rest"))
    #expect(saved.words == "-(filter:\"by alice\") (pears OR plums)")
    screen.finish(screen.type("/filter \(saved.words)"))
    #expect(screen.status.contains("50 of 100 shown"), "\(screen.status)")
    screen.finish(screen.type("/filter until:2024-05-03"))
    screen.finish(screen.type("/filter add by alice"))
    #expect(
      screen.status.contains("[until:2024-05-03 (by alice)]") && screen.status.contains("18 of 100 shown"),
      "\(screen.status)")
    screen.type("/filter add")
    #expect(screen.status.contains("/filter add needs a filter"))
  }

  @Test func `a filter that was saved is exact as soon as it has been counted`() throws {
    let fixture = try StoreFixture(count: 6_000)
    var screen = try fixture.screen(columns: 80)
    screen.type("/filter \"of apples\"")
    let effects = screen.type("/filter save fruit")
    #expect(effects.jobs.contains { $0.lane == .filter })
    screen.finish(effects)
    #expect(screen.status.contains(" of 3,000") && !screen.status.contains("~"), "\(screen.status)")
    #expect(try fixture.store.savedFilter(named: "fruit")?.isExact == true)
  }

  @Test
  func `saving a filter takes a name, and the title says that a word that is no name of one is looked for`()
    throws
  {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 80)
    screen.type("/filter from:alice")
    screen.type("/filter save")
    #expect(screen.status == " /filter save needs a name — try: /filter save NAME")
    screen.handle(.key(.redraw))
    #expect(screen.status.hasPrefix(" general [from:alice]"))
    for quiet in ["/filter pears", "/filter \"pears\"", "/filter pears text", "/filter text", "/filter pea*"]
    {
      screen.type(quiet)
      #expect(screen.status.hasPrefix(" general ["), "\(screen.status)")
    }
    #expect(try fixture.transcript("/filter pears") == "50 messages\n")
  }

  @Test func `the place in view is kept when the filter changes`() throws {
    var screen = try StoreFixture().screen()
    screen.type("/goto 51")
    screen.type("/filter from:alice")
    #expect(screen.lines[0].hasSuffix("message 51 of apples") && screen.status.contains("26 of 50"))
    screen.type("/filter until:2024-05-03 from:alice")
    #expect(screen.lines.contains { $0.hasSuffix("message 35 of apples") })
    screen.type("/filter from:alice")
    screen.type("/goto 26")
    screen.type("/filter")
    #expect(screen.lines[0].hasSuffix("message 51 of apples") && screen.status.contains("51 of 100"))
  }

  @Test func `without a filter the reader is where they were before, unless they went elsewhere`() throws {
    // Twenty messages of bob are far below the place.
    let fixture = try StoreFixture(sender: { $0 > 80 ? "bob" : "alice" }, text: { "message \($0)" })
    var screen = try fixture.screen()
    screen.type("/goto 10")
    screen.type("/goto 37")
    let before = screen.lines
    screen.type("/filter from:bob")
    #expect(screen.status.contains(" of 20"), "\(screen.status)")
    screen.type("/filter")
    #expect(screen.lines == before, "\(screen.terminal.picture)")
    screen.type("/filter from:bob")
    screen.type("/filter from:bob 90")
    screen.type("/filter")
    #expect(screen.lines == before, "\(screen.terminal.picture)")
    screen.type("/back")
    #expect(screen.status.contains(" 10 of 100"), "\(screen.status)")
    screen.type("/forward")
    screen.type("/filter from:bob")
    screen.handle(.key(.rowNewer))
    screen.type("/filter")
    #expect(screen.status.contains(" 81 of 100"), "\(screen.status)")
  }

  @Test func `a filter that has nothing to show gives way to one that has`() throws {
    var screen = try StoreFixture().screen()
    screen.type("/filter since:2025")
    screen.type("/filter from:bob")
    #expect(screen.lines[5].hasSuffix("message 100 of pears"), "\(screen.terminal.picture)")
  }

  @Test(arguments: [(5, 20), (5, 30), (12, 40), (24, 80)])
  func `a long filter leaves room at any size`(rows: Int, columns: Int) throws {
    var screen = try StoreFixture().screen(rows: rows, columns: columns)
    screen.type("/filter from:alice from:bob since:2000 until:2030 kind:text kind:action")
    #expect(screen.status.hasPrefix(" general [from") && screen.terminal.lines.last == "")
  }

  @Test func `a script counts what a filter lets through and goes on within it`() throws {
    #expect(
      try StoreFixture().transcript(
        "/filter from:alice since:\"2024-05-02\"\n/top\n/newer 1\n/filter\n/newer 1")
          == """
          44 messages
          2024-05-02 00:00:00  alice  message 13 of apples
          2024-05-02 02:00:00  alice  message 15 of apples
          2024-05-02 03:00:00  bob  message 16 of pears

          """)
  }

  @Test func `filters are completed with senders, features and kinds`() {
    func candidates(_ line: String) -> [String] {
      let start = line.lastIndex(of: " ").map { line.utf8.distance(from: line.startIndex, to: $0) + 1 } ?? 0
      return Completion.candidates(in: line, start: start, end: line.utf8.count) { names in
        switch names {
        case .senders: ["alice", "albert", "two words"]
        case .marks: ["'here"]
        default: []
        }
      }
    }
    #expect(candidates("/filter fr") == ["from:"])
    #expect(candidates("/filter text from:al") == ["from:alice", "from:albert"])
    #expect(candidates("/filter has:l") == ["has:link"] && candidates("/filter kind:top") == ["kind:topic"])
    #expect(candidates("/goto 'h") == ["'here"] && candidates("/goto u") == ["unread"])
    #expect(candidates("/stats a") == [] && candidates("plain fr") == [])
  }
}
