import MessageModel
import MessageShell
import MessageStorage
import Testing

struct PlacesTests {
  @Test func `days and months are listed with their counts, to jump to`() throws {
    let desk = try StoreDesk()
    #expect(
      try desk.transcript("/days\n/months\n/goto 2024-05-03") == """
        2024-05-01  12
        2024-05-02  24
        2024-05-03  24
        2024-05-04  24
        2024-05-05  16
        2024-05  100
        2024-05-03 00:00:00  alice  message 37 of apples

        """)
    var screen = try desk.screen(rows: 5, columns: 40)
    screen.type("/days")
    #expect(screen.lines == ["2024-05-03  24", "2024-05-04  24", "2024-05-05  16"])
    screen.type("/goto 2024-05-02")
    #expect(screen.status.contains("13 of 100"))
  }

  @Test(arguments: [
    ("/days", "2024-05-02", "13 of 100"), ("/months", " 2024-05 ", "1 of 100"), ("/days", "50%", "51 of 100"),
    ("/days", "2024", "1 of 100"), ("/marks", "here", "38 of 100"), ("/marks", "'here", "38 of 100"),
    ("/conversations", "random", "random  no messages yet"),
  ])
  func `what is typed into a listing chooses from it`(listing: String, line: String, status: String) throws {
    var screen = try StoreDesk().screen(columns: 100)
    screen.type("/goto 40")
    screen.type("/mark here")
    screen.type("/bottom")
    screen.type(listing)
    #expect(screen.status.contains(" goes there · q or Enter") || screen.status.contains(" opens it · q or"))
    #expect(screen.type(line).line == nil && screen.status.contains(status), "\(screen.terminal.picture)")
    screen.type("/open general")
    #expect(screen.status.contains("of 100"), "\(screen.terminal.picture)")
  }

  @Test(arguments: ["/days", "/months", "/conversations", "/marks", "/help", "/stats", "/view b"])
  func `a q puts a listing away, and other text is appended`(listing: String) throws {
    var screen = try StoreDesk().screen(columns: 100)
    screen.type(listing)
    screen.type("q")
    #expect(screen.status.contains("100 of 100") && screen.lines[5].hasSuffix("message 100 of pears"))
    screen.type(listing)
    screen.type("quite so")
    #expect(screen.status.contains("101 of 101") && screen.lines[5].hasSuffix("carol  quite so"))
    screen.type("q")
    #expect(screen.lines[5].hasSuffix("carol  q"))
  }

  @Test func `marks are returned to, also from another conversation`() throws {
    let desk = try StoreDesk()
    var screen = try desk.screen()
    screen.type("/goto 50")
    screen.type("/mark the good part")
    let before = screen.lines
    screen.type("/open random")
    screen.type("/goto 'the good part")
    #expect(screen.lines == before, "\(screen.terminal.picture)")
    screen.type("/marks")
    #expect(screen.lines[0] == "'the good part  general  2024-05-03 13:00")
    screen.type("/goto 'the god part")
    #expect(screen.status == " there is no mark 'the god part' — try: /goto 'the good part")
  }

  @Test func `a script marks what it printed first`() throws {
    #expect(
      try StoreDesk().transcript("/goto 7\n/mark here\n/bottom\n/goto 'here\n/goto 'there").hasSuffix(
        "message 7 of apples\n! line 5: there is no mark 'there'\n  try: /goto 'here\n"))
    #expect(try StoreDesk().transcript("/mark here").hasPrefix("! line 1: there is no place to mark"))
  }

  @Test(arguments: [
    "/goto -99999999999999999999h", "/goto 99999999999999999999", "/goto 1e9%", "/goto -1%", "/goto nan%",
    "/older 99999999999", "/goto 0", "/goto #", "/goto '", "/goto 99999-01-01", "/goto 2024-13-01",
    "/goto +999999999999y", "/goto 25:00", "/goto #99999999999999999999",
  ])
  func `absurd places explain themselves`(line: String) throws {
    let answer = try StoreDesk(count: 3).transcript(line)
    #expect(answer.hasPrefix("! line 1: ") && answer.contains("try: /"), "\(answer)")
  }

  @Test(arguments: [
    "-999999999y", "+999999999y", "-999999999mo", "+999999999w", "-999999999d", "+999999999h",
    "999999999 weeks ago",
    "999999999 years ago", "#9223372036854775807", "#-9223372036854775808", "9223372036854775807",
    "9999-12-31",
  ])
  func `places beyond all time lead to an end`(place: String) throws {
    let desk = try StoreDesk(count: 3)
    var screen = try desk.screen()
    for _ in 1...3 { screen.type("/goto \(place)") }
    #expect(screen.terminal.lines.joined().contains("message 1 of apples"), "\(screen.terminal.picture)")
  }

  @Test func `a frozen view holds still and counts`() throws {
    let desk = try StoreDesk()
    var screen = try desk.screen()
    screen.type("/freeze on")
    let before = screen.lines
    let general = try desk.context().conversation.id
    let ids = try desk.store.append([NewMessage("new"), NewMessage("newer")], to: general)
    _ = try desk.store.edit(ids[0], text: "newish")
    _ = try desk.store.delete([ids[1]])
    screen.handle(.storeChanged)
    #expect(screen.lines == before && screen.status.hasSuffix("frozen: +2 −1 ~1"))
    screen.type("mine")
    #expect(screen.lines == before && screen.status.hasSuffix("frozen: +3 −1 ~1"))
    screen.type("/freeze off")
    #expect(screen.lines.last?.hasSuffix("mine") == true && screen.status.contains("102 of 102"))
  }

  @Test func `memory tells what is held`() throws {
    var screen = try StoreDesk().screen()
    screen.type("/memory")
    #expect(
      screen.lines[0].hasPrefix("memory in use") && screen.lines[2].hasPrefix("messages held  ")
        && screen.lines[2].hasSuffix(" 100"))
  }
}
