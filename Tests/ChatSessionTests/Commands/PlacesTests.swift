import MessageModel
import MessageStorage
import Testing

@testable import ChatSession

struct PlacesTests {
  @Test func `days and months are listed with their counts, to jump to`() throws {
    let fixture = try StoreFixture()
    #expect(
      try fixture.transcript("/days\n/months\n/goto 2024-05-03") == """
        2024-05-01  12
        2024-05-02  24
        2024-05-03  24
        2024-05-04  24
        2024-05-05  16
        2024-05  100
        2024-05-03 00:00:00  alice  message 37 of apples

        """)
    var screen = try fixture.screen(rows: 5, columns: 40)
    screen.type("/days")
    #expect(screen.lines == ["2024-05-03  24", "2024-05-04  24", "2024-05-05  16"])
    screen.type("/goto 2024-05-02")
    #expect(screen.status.contains("13 of 100"))
  }

  @Test(arguments: [
    ("/days", "2024-05-02", "13 of 100"), ("/months", " 2024-05 ", "1 of 100"), ("/days", "50%", "51 of 100"),
    ("/days", "2024", "1 of 100"), ("/marks", "here", "40 of 100"), ("/marks", "'here", "40 of 100"),
    ("/conversations", "random", "random  no messages yet"),
  ])
  func `what is typed into a listing chooses from it`(listing: String, line: String, status: String) throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.type("/goto 40")
    screen.type("/mark here")
    screen.type("/bottom")
    screen.type(listing)
    #expect(screen.status.contains(" goes there · q or Esc") || screen.status.contains(" opens it · q or"))
    #expect(screen.type(line).line == nil && screen.status.contains(status), "\(screen.terminal.picture)")
    screen.type("/open general")
    #expect(screen.status.contains("of 100"), "\(screen.terminal.picture)")
  }

  @Test(arguments: ["/days", "/months", "/conversations", "/marks", "/help", "/stats", "/view b"])
  func `a q puts a listing away at once, and nothing typed into one is written`(listing: String) throws {
    var screen = try StoreFixture().screen(columns: 100)
    for close in [ReplEvent.typed("q"), .line("q"), .line(":q"), .line(""), .key(.escape)] {
      screen.type(listing)
      #expect(screen.session.reader.cover.listing != nil)
      screen.handle(close)
      #expect(screen.status.contains("100 of 100") && screen.lines[5].hasSuffix("message 100 of pears"))
    }
    screen.type(listing)
    let shown = screen.lines
    for line in ["quite so", "//quite so", "/ quite so", ":quite so", "/nosuch"] {
      #expect(screen.type(line).line == nil)
      #expect(screen.lines == shown && !screen.status.contains("of 100"), "\(screen.terminal.picture)")
    }
    screen.handle(.key(.escape))
    #expect(screen.status.contains("100 of 100"))
  }

  @Test func `a choice that names nothing says so with the nearest name, and the list stays`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.type("/mark here")
    for (listing, line, said) in [
      ("/conversations", "generla", " no conversation 'generla'; did you mean 'general'?"),
      ("/marks", "hrre", " there is no mark 'hrre' — try: /goto 'here"),
      (
        "/days", "soon",
        " 'soon' is not in this list (not sent) — try: a date like 2024-05-01, or q"
      ),
      ("/help", "zzz", " 'zzz' is not in this list (not sent) — try: q, then the message"),
    ] {
      screen.type(listing)
      let shown = screen.lines
      screen.type(line)
      #expect(screen.status == said && screen.lines == shown, "\(screen.terminal.picture)")
      screen.handle(.typed("q"))
      #expect(screen.status.contains("100 of 100"))
    }
  }

  @Test func `what is typed into a list goes with it, but a command stays`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.type("/conversations")
    screen.handle(.typed("gener"))
    #expect(
      screen.handle(.key(.dayOlder)).droppedLine == "gener" && screen.session.reader.cover.listing == nil)
    screen.type("/conversations")
    screen.handle(.typed("/sea"))
    #expect(screen.handle(.key(.dayOlder)).droppedLine == nil && screen.session.reader.cover.listing == nil)
    screen.type("/conversations")
    screen.handle(.typed("/sea"))
    let escaped = screen.handle(.key(.escape))
    // What is typed after Esc stays.
    #expect(escaped.droppedLine == "/sea" && !escaped.emptiesLine)
    // Over the messages Esc takes nothing of what is being typed.
    screen.handle(.typed("hello"))
    #expect(screen.handle(.key(.escape)).droppedLine == nil)
  }

  @Test func `arrows choose in a list of names, and Enter goes there`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.type("/conversations")
    #expect(screen.session.reader.cover.arrows == .list)
    screen.handle(.key(.rowNewer))
    #expect(
      screen.terminal.cells[0].contains { $0.rendition.standsOut } && screen.lines[0].hasPrefix("general"))
    screen.handle(.key(.rowNewer))
    screen.handle(.key(.pageNewer))
    screen.type("")
    #expect(screen.status.contains("random  no messages yet"), "\(screen.terminal.picture)")
    screen.type("/conversations")
    screen.type("")
    #expect(screen.status.contains("random  no messages yet"), "where no key has chosen, it is put away")
    screen.type("/open general")
    screen.type("/days")
    screen.handle(.key(.newest))
    screen.handle(.key(.rowOlder))
    screen.type("")
    #expect(screen.status.contains("61 of 100 · 2024-05-04"), "\(screen.terminal.picture)")
  }

  @Test func `a list that is shown again is where it was left`() throws {
    let fixture = try StoreFixture()
    for number in 10..<40 { _ = try fixture.store.makeConversation(named: "room \(number)") }
    var screen = try fixture.screen(rows: 12, columns: 100)
    screen.type("/conversations")
    for key in [ReplKey.rowNewer, .pageNewer, .pageNewer, .rowOlder] { screen.handle(.key(key)) }
    let left = screen.lines
    let chosen = screen.session.reader.cover.listing?.chosenName
    #expect(chosen?.hasPrefix("room 2") == true)
    screen.handle(.key(.escape))
    screen.type("/days")
    #expect(screen.session.reader.cover.listing?.chosenName == nil, "each kind of list has its own place")
    screen.handle(.key(.escape))
    screen.type("/conversations")
    #expect(screen.lines == left && screen.session.reader.cover.listing?.chosenName == chosen)
    // A name that is not there any more leads nowhere.
    screen.handle(.key(.escape))
    _ = try fixture.store.conversation(named: chosen ?? "").map {
      try fixture.store.deleteConversation($0.id)
    }
    screen.type("/conversations")
    #expect(screen.lines[0].hasPrefix("general") && screen.session.reader.cover.listing?.chosenName == nil)
  }

  @Test func `what is typed narrows a list of names, and the only one left is meant`() throws {
    var screen = try StoreFixture().screen(columns: 140)
    screen.type("/conversations")
    screen.handle(.typed("AND"))
    #expect(screen.lines[0].hasPrefix("random") && screen.lines[1].isEmpty, "\(screen.terminal.picture)")
    screen.handle(.typed("zz"))
    #expect(screen.lines[0] == " nothing here has 'zz' in its name")
    screen.handle(.typed("an"))
    screen.type("an")
    #expect(screen.status.contains("random  no messages yet"))
    screen.type("/conversations")
    screen.handle(.typed("r"))
    #expect(screen.lines[0].hasPrefix("random") && screen.lines[1].hasPrefix("general"))
    screen.type("r")
    #expect(
      screen.status
        == " 'r' fits several names here (not sent) — try: ↑ ↓, or more of a name: "
        + "random, general", "\(screen.status)")
    screen.handle(.typed("r"))
    screen.handle(.key(.rowNewer))
    screen.handle(.key(.rowNewer))
    screen.type("r")
    #expect(screen.status.contains("general  100 of 100"), "\(screen.status)")
  }

  @Test func `letters of a mark's name in order go to it`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    for name in ["harbour wall", "harbour", "tea"] { screen.type("/mark \(name)") }
    screen.type("/goto 'hwl")
    #expect(!screen.status.contains("no mark"), "\(screen.status)")
    screen.type("/goto 'hrb")
    #expect(screen.status == " 'hrb' fits several names — try: more of a name: harbour, harbour wall")
    screen.type("/marks")
    screen.handle(.typed("hrb"))
    #expect(screen.lines[0].hasPrefix("'harbour ") && screen.lines[1].hasPrefix("'harbour wall"))
  }

  @Test func `a word in a list is completed by the names in it`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    func uses() -> Completion.Line { screen.session.lineUse }
    #expect(uses() == .message)
    screen.type("/conversations")
    #expect(uses() == .name(.conversations))
    screen.type("/help")
    #expect(uses() == .other)
    screen.handle(.key(.escape))
    screen.type("/hits apples")
    #expect(uses() == .query)
    func candidates(_ line: String, _ names: [String]) -> [String] {
      let start = line.lastIndex(of: " ").map { line[...$0].utf8.count } ?? 0
      return Completion.candidates(
        in: line, start: start, end: line.utf8.count, use: .name(.conversations)
      ) { _ in names }
    }
    let names = ["harbour", "lighthouse", "old harbour"]
    #expect(candidates("har", names) == ["harbour"] && candidates("house", names) == ["lighthouse"])
    #expect(candidates("old h", names) == ["harbour"] && candidates("x", names) == [])
    #expect(candidates("/goto un", names) == ["unread"])
  }

  @Test func `a time of day at which there was nothing says so`() throws {
    var screen = try StoreFixture().screen(columns: 120)
    screen.type("/goto yesterday 2pm")
    #expect(
      screen.status == " no messages after 2024-05-14 14:00; this is the last one, of 2024-05-05",
      "\(screen.status)")
    screen.type("/goto 2024-05-03 14:00")
    #expect(screen.status.contains("of 100"), "\(screen.status)")
    screen.type("/goto 2024-04-30 14:00")
    #expect(
      screen.status == " no messages after 2024-04-30 14:00 on that day; this is the next one, of 2024-05-01",
      "\(screen.status)")
    screen.type("/goto unread")
    #expect(screen.status == " nothing is unread")
    screen.handle(.key(.unread))
    #expect(screen.status == " nothing is unread")
  }

  @Test func `Esc ends a search that is being typed, and returns to where it began`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.finish(screen.handle(.typed("/search \"message 7\"")))
    #expect(screen.status.contains("'\"message 7\"'"))
    #expect(screen.handle(.key(.escape)).droppedLine == "/search \"message 7\"")
    #expect(screen.status.hasSuffix("100 %") && screen.lines[5].hasSuffix("message 100 of pears"))
  }

  @Test func `marks are returned to, also from another conversation`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen()
    screen.type("/goto 50")
    screen.type("/mark the good part")
    let before = screen.lines
    screen.type("/open random")
    screen.type("/goto 'the good part")
    #expect(screen.lines == before, "\(screen.terminal.picture)")
    screen.type("/marks")
    #expect(screen.lines[0] == "'the good part  general  2024-05-03 13:00")
    screen.type("/goto 'the goad part")
    #expect(screen.status.hasPrefix(" there is no mark 'the goad part' — try: /goto 'the good pa"))
    screen.type("/goto 'god prt")
    #expect(screen.lines == before, "\(screen.terminal.picture)")
  }

  @Test func `a script marks what it printed first`() throws {
    #expect(
      try StoreFixture().transcript("/goto 7\n/mark here\n/bottom\n/goto 'here\n/goto 'there").hasSuffix(
        "message 7 of apples\n! line 5: there is no mark 'there'\n  try: /goto 'here\n"))
    #expect(try StoreFixture().transcript("/mark here").hasPrefix("! line 1: no message to mark"))
  }

  @Test func `places are understood as people write them`() throws {
    var screen = try StoreFixture(count: 1_200).screen()
    for (place, number) in [
      ("1,000", "1,000"), ("1 000", "1,000"), ("1,002", "1,002"), ("50 %", "601"), ("50,5%", "606"),
      ("top", "1"),
      ("bottom", "1,200"), ("First", "1"), ("last", "1,200"), ("oldest", "1"), ("end", "1,200"),
      ("100", "100"),
      ("newest", "1,200"), ("2 May 2024", "13"),
    ] {
      screen.type("/goto \(place)")
      #expect(screen.status.contains(" \(number) of 1,200"), "\(place): \(screen.status)")
    }
  }

  @Test(arguments: [
    ("5/1/2024", "'5/1/2024' may mean 2024-05-01 or 2024-01-05 — try: /goto 2024-05-01"),
    ("31/1/2024", "'31/1/2024' may mean 2024-01-31 — try: /goto 2024-01-31"),
  ])
  func `a date that may mean two things is told so`(date: String, answer: String) throws {
    var screen = try StoreFixture(count: 3).screen(columns: 100)
    #expect(screen.type("/goto \(date)").line == nil && screen.status == " " + answer, "\(screen.status)")
  }

  /// Days of three messages each, in May and in July 2024.
  private func gappyFixture() throws -> StoreFixture {
    let fixture = try StoreFixture(count: 0)
    let times = [5, 7].flatMap { month in
      (1...20).flatMap { day in
        (0..<3).map { CivilTime(year: 2024, month: month, day: day, hour: 12, minute: $0) }
      }
    }
    let messages = times.map {
      NewMessage("at \($0.month)-\($0.day) \($0.minute)", from: "alice", at: Timestamp(utc: $0))
    }
    _ = try fixture.store.append(messages, to: try fixture.context().conversation.id)
    return fixture
  }

  @Test func `steps back and forward leave gaps on their side`() throws {
    var screen = try gappyFixture().screen()
    screen.type("/goto 2024-07-01")
    for (step, place) in [
      ("-1w", "at 5-20 2"), ("+1w", "at 7-1 0"), ("-2h", "at 5-20 2"), ("-1d", "at 5-19 2"),
      ("+30s", "at 5-20 0"),
    ] {
      screen.type("/goto \(step)")
      #expect(screen.lines.contains { $0.hasSuffix(place) }, "\(step): \(screen.terminal.picture)")
      #expect(screen.lines[0].hasSuffix(place) || screen.lines[1].hasSuffix(place))
    }
    screen.type("/top")
    screen.type("/goto -1w")
    #expect(screen.status == " there is nothing older")
    screen.type("/bottom")
    screen.type("/goto +1w")
    #expect(screen.status == " there is nothing newer")
    let before = screen.lines
    screen.type("/goto -1h")
    #expect(screen.lines != before, "\(screen.terminal.picture)")
  }

  @Test func `a script steps out of gaps, or says that there is nothing`() throws {
    let script = "/goto 2024-07-01\n/goto -1w\n/goto +1w\n/top\n/goto -1w"
    #expect(
      try gappyFixture().transcript(script) == """
        2024-07-01 12:00:00  alice  at 7-1 0
        2024-05-20 12:02:00  alice  at 5-20 2
        2024-07-01 12:00:00  alice  at 7-1 0
        2024-05-01 12:00:00  alice  at 5-1 0
        ! line 5: there is nothing older

        """)
  }

  @Test(arguments: [
    "/goto -99999999999999999999h", "/goto 99999999999999999999", "/goto 1e9%", "/goto -1%", "/goto nan%",
    "/older 99999999999", "/goto 0", "/goto #", "/goto '", "/goto 99999-01-01", "/goto 2024-13-01",
    "/goto +999999999999y", "/goto 25:00", "/goto #99999999999999999999",
  ])
  func `absurd places explain themselves`(line: String) throws {
    let answer = try StoreFixture(count: 3).transcript(line)
    #expect(answer.hasPrefix("! line 1: ") && answer.contains("try: /"), "\(answer)")
  }

  @Test(arguments: [
    "-999999999y", "+999999999y", "-999999999mo", "+999999999w", "-999999999d", "+999999999h",
    "999999999 weeks ago",
    "999999999 years ago", "#9223372036854775807", "#-9223372036854775808", "9223372036854775807",
    "9999-12-31",
  ])
  func `places beyond all time lead to an end`(place: String) throws {
    let fixture = try StoreFixture(count: 3)
    var screen = try fixture.screen()
    for _ in 1...3 { screen.type("/goto \(place)") }
    #expect(screen.terminal.lines.joined().contains("message 1 of apples"), "\(screen.terminal.picture)")
  }

  @Test func `a frozen view holds still and counts`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen()
    screen.type("/freeze on")
    let before = screen.lines
    let general = try fixture.context().conversation.id
    let ids = try fixture.store.append([NewMessage("new"), NewMessage("newer")], to: general)
    _ = try fixture.store.edit(ids[0], text: "newish")
    _ = try fixture.store.delete([ids[1]])
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines == before && screen.status.hasSuffix("frozen: +2 −1 ~1"))
    screen.type("mine")
    #expect(screen.lines == before && screen.status.hasSuffix("frozen: +3 −1 ~1"))
    screen.type("/freeze off")
    #expect(screen.lines.last?.hasSuffix("mine") == true && screen.status.contains("102 of 102"))
  }

  @Test func `memory tells what is held`() throws {
    var screen = try StoreFixture().screen()
    screen.type("/memory")
    #expect(
      screen.lines[0].hasPrefix("memory in use") && screen.lines[2].hasPrefix("messages held  ")
        && screen.lines[2].hasSuffix(" 100"))
  }

  @Test func `a number that may be a year, and a day without messages, are told`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 100)
    screen.type("/goto 2024-06-01")
    #expect(
      screen.status == " no messages on 2024-06-01 or later; this is the last one, of 2024-05-05",
      "\(screen.status)")
    screen.type("/goto apr 3")
    #expect(
      screen.status == " no messages on 2024-04-03; this is the next one, of 2024-05-01", "\(screen.status)")
    screen.type("/goto 2023-01")
    #expect(
      screen.status == " no messages from 2023-01-01 to 2023-01-31; this is the next one, of 2024-05-01",
      "\(screen.status)")
    screen.type("/goto 2012")
    #expect(
      screen.status
        == " there are fewer messages: this is the newest; for the year: /goto 2012-01",
      "\(screen.status)")
    screen.type("/goto may 2")
    #expect(screen.status.hasPrefix(" general  13 of 100"), "\(screen.status)")
    _ = try fixture.store.append(
      (0..<2_000).map { NewMessage("x \($0)", from: "a") }, to: fixture.context().conversation.id)
    screen.finish(screen.handle(.storeChanged))
    screen.type("/goto 2012")
    #expect(screen.status == " message number 2012; for the year: /goto 2012-01", "\(screen.status)")
    screen.type("/goto 99")
    #expect(screen.status.contains(" 99 of 2,100"), "\(screen.status)")
  }
}
