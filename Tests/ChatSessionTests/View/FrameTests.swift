import ChatSession
import MessageModel
import MessageStorage
import TerminalText
import TestSupport
import Testing

/// What is around the messages: the date at the top, the scroll bar, one's own name.
struct FrameTests {
  /// Days that have messages: the third of May has none.
  private static let days = [1, 2, 4, 5]

  private func screen(rows: Int = 20, columns: Int = 80) throws -> StoreFixture.Screen {
    let fixture = try StoreFixture(count: 0)
    let general = try fixture.context().conversation.id
    for day in Self.days {
      let morning = Timestamp(utc: CivilTime(year: 2024, month: 5, day: day, hour: 10))
      let messages = (1...60).map { number in
        NewMessage(
          "day \(day) number \(number)", from: "alice",
          at: morning.advanced(byMilliseconds: Int64(number) * 1_000))
      }
      _ = try fixture.store.append(messages, to: general)
    }
    return try fixture.screen(rows: rows, columns: columns)
  }

  private func date(_ screen: StoreFixture.Screen) -> String { screen.terminal.text(ofRow: 0) }

  @Test func `the date stays at the top, until a line below it tells one`() throws {
    var screen = try screen()
    #expect(date(screen).hasPrefix("── Sunday, 2024-05-05 ──"))
    screen.handle(.key(.pageOlder))
    #expect(date(screen).hasPrefix("── Sunday, 2024-05-05 ──"))
    screen.type("/goto #\(try #require(screen.session.reader.view.window.messages.first?.id))")
    screen.type("/top")
    #expect(date(screen) == "" && screen.lines[0].hasPrefix("── Wednesday, 2024-05-01 ──"))
    screen.handle(.key(.rowNewer))
    #expect(date(screen).hasPrefix("── Wednesday, 2024-05-01 ──"), "\(screen.terminal.picture)")
    #expect(screen.lines[0].hasSuffix("day 1 number 1"))
    screen.type("/set top-date off")
    #expect(date(screen).hasPrefix("── Wednesday") && screen.terminal.text(ofRow: 1).contains("number 1"))
    screen.handle(.key(.rowNewer))
    #expect(date(screen).contains("day 1 number 1"), "\(screen.terminal.picture)")
  }

  @Test func `a screen without room has neither`() throws {
    for (rows, columns) in [(15, 80), (20, 59)] {
      let screen = try screen(rows: rows, columns: columns)
      #expect(date(screen).contains("number"), "\(screen.terminal.picture)")
      #expect(screen.terminal.cells.allSatisfy { $0.last?.text == " " })
    }
  }

  @Test func `the scroll bar is where the reader is`() throws {
    var screen = try screen()
    func bar() -> String { screen.terminal.cells[1..<18].map { $0[79].text }.joined() }
    #expect(bar().hasSuffix("┃") && bar().hasPrefix("│"))
    screen.type("/top")
    #expect(bar().hasPrefix("┃") && bar().hasSuffix("│"))
    screen.type("/goto 50%")
    let middle = try #require(Array(bar()).firstIndex(of: "┃"))
    #expect((7...9).contains(middle), "\(bar())")
    screen.type("/help")
    #expect(bar().allSatisfy { $0 == " " })
    screen.type("")
    screen.type("/set scroll-bar off")
    #expect(!bar().contains("┃") && !bar().contains("│"))
  }

  @Test func `a key goes from day to day, and counts`() throws {
    var screen = try screen()
    func first() -> String { screen.lines.first { $0.contains("number") } ?? "" }
    screen.handle(.key(.dayOlder))
    #expect(first().hasSuffix("day 5 number 1"), "\(screen.terminal.picture)")
    screen.handle(.key(.dayOlder))
    #expect(first().hasSuffix("day 4 number 1"))
    screen.handle(.key(.dayOlder, count: 2))
    #expect(first().hasSuffix("day 1 number 1"))
    screen.handle(.key(.dayOlder))
    #expect(first().hasSuffix("day 1 number 1"))
    screen.handle(.key(.dayNewer, count: 2))
    #expect(first().hasSuffix("day 4 number 1"))
    screen.handle(.key(.dayNewer, count: 9))
    #expect(screen.lines.last?.hasSuffix("day 5 number 60") == true)
    // Steps leave no trace: there is nothing to go back to.
    screen.type("/back")
    #expect(screen.status.contains("nothing to go back to"))
  }

  @Test func `in the middle of a day the key goes to its beginning first`() throws {
    var screen = try screen()
    screen.type("/goto 90")
    screen.handle(.key(.dayOlder))
    #expect(screen.lines.first { $0.contains("number") }?.hasSuffix("day 2 number 1") == true)
  }

  @Test func `one's own name has a colour of its own, where it is a word`() throws {
    let fixture = try StoreFixture(count: 0)
    let general = try fixture.context().conversation.id
    _ = try fixture.store.append(
      [
        NewMessage("ask Carol, caroline or a-carol-b", from: "bob"),
        NewMessage("see https://carol.example/carol", from: "bob"), NewMessage("mine", from: "carol"),
      ], to: general)
    var screen = try fixture.screen(rows: 8, columns: 80)
    screen.painter = ScreenPainter(StyleEncoder(.indexed))
    screen.type("/bottom")
    let own = "38;5;\(Palette.dark.own)"
    let rows = screen.terminal.cells.map { row in
      row.filter { $0.rendition.color == own && $0.text.first?.isLetter == true }.map(\.text).joined()
    }
    #expect(rows.filter { !$0.isEmpty } == ["Carolcarol", "carol"], "\(rows)")
    screen.type("/set me bob")
    #expect(!screen.terminal.cells.joined().contains { $0.rendition.color == own && $0.text == "C" })
  }

  @Test func `a message that names me, under any of my names, or replies to me is marked at its time`() throws
  {
    let fixture = try StoreFixture(count: 0)
    let general = try fixture.context().conversation.id
    let mine = try fixture.store.append([NewMessage("who comes?", from: "carol")], to: general)[0]
    _ = try fixture.store.append(
      [
        NewMessage("I do", from: "bob", replyTo: .message(mine)), NewMessage("not carol?", from: "bob"),
        NewMessage("only ada lovelace", from: "bob"), NewMessage("tea", from: "Ada Lovelace"),
      ], to: general)
    var screen = try fixture.screen(rows: 10, columns: 80)
    screen.type("/bottom")
    func marked() -> [String] {
      screen.session.reader.view.shown.map(\.row).filter { row in
        row.spans.contains { $0.style == .own && $0.text.contains(":") }
      }.map { $0.spans.map(\.text).joined() }
    }
    #expect(marked().count == 2 && marked().last?.hasSuffix("not carol?") == true, "\(marked())")
    _ = try fixture.store.linkAccounts([.name("Ada Lovelace")], to: "me")
    screen.finish(screen.handle(.storeChanged))
    #expect(marked().count == 3 && marked().last?.hasSuffix("only ada lovelace") == true, "\(marked())")
  }

  @Test func `another theme paints everything anew`() throws {
    let fixture = try StoreFixture(count: 3)
    var screen = try fixture.screen(rows: 8, columns: 80)
    screen.painter = ScreenPainter(StyleEncoder(.indexed))
    screen.handle(.key(.redraw))
    func grounds() -> Set<String> { Set(screen.terminal.cells[6].map(\.rendition.ground)) }
    #expect(grounds() == ["48;5;\(Palette.dark.status.ground)"])
    let effects = screen.type("/set theme light")
    #expect(effects.settings?["theme"] == "light")
    #expect(grounds() == ["48;5;\(Palette.light.status.ground)"])
    screen.type("/set theme blue")
    #expect(screen.status.contains("theme is auto, dark or light"))
  }
}
