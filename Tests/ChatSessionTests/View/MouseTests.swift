import MessageModel
import MessageStorage
import Testing

@testable import ChatSession

/// Clicks of the mouse.
struct MouseTests {
  private func click(_ row: Int, _ column: Int = 5, isDouble: Bool = false) -> ReplEvent {
    .click(MouseClick(row: row, column: column, isDouble: isDouble))
  }

  @Test func `a click on the scroll bar goes there`() throws {
    var screen = try StoreFixture().screen(rows: 23, columns: 80)
    let height = screen.session.reader.view.height
    screen.handle(click(1, 79))
    #expect(screen.status.contains(" 1 of 100"), "\(screen.status)")
    screen.handle(click(height, 79))
    #expect(screen.status.contains(" 100 of 100"), "\(screen.status)")
    screen.handle(click(1 + height / 2, 79))
    let number = try #require(screen.session.reader.view.number)
    #expect((40...60).contains(number), "\(screen.status)")
    screen.type("/back")
    #expect(screen.status.contains(" 100 of 100"), "\(screen.status)")
  }

  @Test func `a click in the switcher chooses, and a double click opens`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.handle(.key(.switcher))
    screen.handle(click(1))
    #expect(screen.status.contains("2 of 3") && screen.session.reader.cover.isShown)
    screen.handle(click(5))
    #expect(screen.status.contains("2 of 3"))
    screen.handle(click(2))
    screen.handle(click(2, isDouble: true))
    #expect(screen.session.context.conversation.name == "random" && !screen.session.reader.cover.isShown)
  }

  @Test func `a click in a list and among hits chooses a row`() throws {
    var screen = try StoreFixture().screen(rows: 12, columns: 100)
    screen.type("/conversations")
    screen.handle(click(1))
    #expect(screen.session.reader.cover.listing?.chosenName == "random")
    screen.handle(.key(.escape))
    screen.finish(screen.type("/hits apples"))
    screen.finish(screen.handle(click(2)))
    #expect(screen.status.contains("3 of 50 hits"), "\(screen.status)")
    screen.finish(screen.handle(click(2, isDouble: true)))
    #expect(screen.lines.contains { $0.contains("message 95 of apples") }, "\(screen.terminal.picture)")
  }

  @Test func `a click on the map chooses a month or a day, and a double click goes there`() throws {
    let fixture = try StoreFixture(count: 0)
    let general = try fixture.context().conversation.id
    for (month, day) in [(1, 3), (1, 20), (3, 5)] {
      let noon = Timestamp(utc: CivilTime(year: 2024, month: month, day: day, hour: 12))
      let messages = (0..<40).map {
        NewMessage("number \($0)", from: "ann", at: noon.advanced(byMilliseconds: Int64($0)))
      }
      _ = try fixture.store.append(messages, to: general)
    }
    var screen = try fixture.screen(rows: 23, columns: 80)
    screen.type("/map")
    // The first row is that of dates, then come the names of months and the year.
    screen.handle(click(2, 8))
    #expect(screen.status.contains("2024-01-03 · 40 messages"), "\(screen.terminal.picture)")
    screen.handle(click(2, 12))
    #expect(screen.status.contains("2024-01-03"), "February has no messages")
    let bars = try #require(screen.lines.firstIndex { $0.hasPrefix("── ") }) + 2
    screen.handle(click(bars, 2 + 19 * 2))
    #expect(screen.status.contains("2024-01-20 · 40 messages"), "\(screen.terminal.picture)")
    screen.handle(click(bars, 2))
    #expect(screen.status.contains("2024-01-20") && screen.session.reader.cover.isShown)
    screen.handle(click(bars, 2 + 19 * 2, isDouble: true))
    #expect(!screen.session.reader.cover.isShown && screen.status.contains(" 41 of 120"), "\(screen.status)")
  }

  @Test func `a double click shows a message whole, or opens its conversation`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    let row = try #require(screen.lines.firstIndex { $0.contains("message 97") })
    screen.handle(click(row))
    #expect(!screen.session.reader.cover.isShown)
    screen.handle(click(row, isDouble: true))
    #expect(screen.lines.contains("message 97 of apples"), "\(screen.terminal.picture)")
    screen.type("q")
    screen.type("/open *")
    screen.finish(screen.handle(click(row, isDouble: true)))
    #expect(screen.session.context.conversation.name == "general", "\(screen.terminal.picture)")
  }

  @Test func `a click beside the messages, or over a question, does nothing`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 8, columns: 80)
    for row in [-1, 6, 7, 100] { screen.handle(click(row, isDouble: true)) }
    #expect(!screen.session.reader.cover.isShown)
    screen.type(":w")
    screen.handle(click(2, isDouble: true))
    #expect(screen.session.question != nil && !screen.session.reader.cover.isShown)
  }

  @Test func `a view reads clicks, too`() {
    var keys = ViewKeys()
    #expect(keys.append("\u{1B}[<0;10;5M\u{1B}[<0;10;5m".utf8) == [.click(MouseClick(row: 4, column: 9))])
  }
}
