import ChatSession
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// The messages over time as a picture, to choose a day from.
struct TimeMapTests {
  /// So many messages on a day each.
  private static let counts: [((year: Int, month: Int, day: Int), Int)] = [
    ((2019, 12, 31), 40), ((2020, 2, 1), 2), ((2020, 2, 29), 9), ((2022, 3, 5), 1), ((2022, 3, 20), 30),
  ]

  private func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture(count: 0)
    let general = try fixture.context().conversation.id
    for (date, count) in Self.counts {
      let noon = Timestamp(utc: CivilTime(year: date.year, month: date.month, day: date.day, hour: 12))
      let messages = (1...count).map { number in
        NewMessage(
          "\(date.year)-\(date.month)-\(date.day) number \(number)", from: "alice",
          at: noon.advanced(byMilliseconds: Int64(number)))
      }
      _ = try fixture.store.append(messages, to: general)
    }
    return fixture
  }

  private func screen(rows: Int = 24, columns: Int = 80) throws -> StoreFixture.Screen {
    var screen = try fixture().screen(rows: rows, columns: columns)
    screen.type("/map")
    return screen
  }

  @Test func `a row is a year and a cell a month, the darker the more`() throws {
    let screen = try screen()
    #expect(screen.lines[0].hasPrefix("      Jan Feb Mar"))
    #expect(screen.lines[1].hasPrefix("2019") && screen.lines[1].hasSuffix(" ██   40"))
    #expect(screen.lines[2].hasPrefix("2020   ··  ▓▓  ··") && screen.lines[2].hasSuffix("  11"))
    #expect(screen.lines[3].hasPrefix("2022   ··  ·· [██]"), "\(screen.terminal.picture)")
    #expect(screen.lines.contains { $0.hasPrefix("── Mar 2022 · 31 messages ──") })
    #expect(screen.status.hasPrefix(" Sunday, 2022-03-20 · 30 messages"))
  }

  @Test func `arrows choose days and months that have messages, and Enter goes there`() throws {
    var screen = try screen()
    let steps: [(ReplKey, String)] = [
      (.dayOlder, "2022-03-05 · 1 message"), (.dayOlder, "2020-02-29 · 9 messages"),
      (.dayOlder, "2020-02-01 · 2 messages"), (.rowOlder, "2019-12-31 · 40 messages"),
      (.dayOlder, "2019-12-31"), (.pageNewer, "2022-03-05"), (.pageOlder, "2020-02-01"),
      (.newest, "2022-03-20"), (.oldest, "2019-12-31"), (.dayNewer, "2020-02-01"),
    ]
    for (key, shown) in steps {
      screen.handle(.key(key))
      #expect(screen.status.contains(shown), "\(key)\n\(screen.terminal.picture)")
    }
    screen.type("")
    #expect(screen.lines.contains { $0.hasSuffix("2020-2-1 number 1") })
    #expect(screen.status.contains(" 41 of 82"))
    screen.type("/back")
    #expect(screen.status.contains(" 82 of 82"))
  }

  @Test func `it zooms into hours and minutes, and Enter goes to the chosen one`() throws {
    let fixture = try StoreFixture(count: 0)
    let general = try fixture.context().conversation.id
    let start = Timestamp(utc: CivilTime(year: 2022, month: 3, day: 20))
    // Three minutes of one hour, and a later hour.
    for (minute, count) in [(9 * 60 + 5, 1), (9 * 60 + 30, 60), (9 * 60 + 59, 2), (23 * 60 + 59, 1)] {
      let time = start.advanced(byMilliseconds: Int64(minute) * 60_000)
      _ = try fixture.store.append(
        (0..<count).map {
          NewMessage("at \(minute) \($0)", from: "ann", at: time.advanced(byMilliseconds: Int64($0)))
        },
        to: general)
    }
    var screen = try fixture.screen(rows: 24, columns: 80)
    screen.type("/map")
    #expect(screen.handle(.typed("+")).emptiesLine)
    #expect(
      screen.lines.contains { $0.hasPrefix("── 2022-03-20 · 64 messages ──") }, "\(screen.terminal.picture)")
    #expect(screen.status.hasPrefix(" Sunday, 2022-03-20 09:00 · 63 messages"), "\(screen.status)")
    screen.handle(.key(.dayNewer))
    #expect(screen.status.contains("23:00 · 1 message"))
    screen.handle(.key(.dayOlder))
    screen.handle(.key(.zoomIn))
    #expect(
      screen.lines.contains { $0.hasPrefix("── 2022-03-20 09:00 · 63 messages ──") },
      "\(screen.terminal.picture)")
    #expect(screen.status.contains("09:05 · 1 message"))
    screen.handle(.key(.dayNewer))
    #expect(screen.status.contains("09:30 · 60 messages"))
    screen.type("")
    #expect(screen.status.contains(" 2 of 64"), "\(screen.terminal.picture)")
    screen.type("/map")
    for key in ["+", "+", "-", "-", "-"] { screen.handle(.typed(key)) }
    #expect(screen.status.contains("Sunday, 2022-03-20 · 64 messages"), "\(screen.status)")
  }

  @Test func `it shows the hits of a search over time, and all messages again`() throws {
    var screen = try fixture().screen(rows: 24, columns: 80)
    screen.finish(screen.type("/search \"2020-2-29\""))
    screen.type("/map")
    #expect(screen.lines.contains { $0.hasPrefix("── ") && $0.contains("messages") })
    screen.handle(.key(.hits))
    #expect(screen.lines.contains { $0.hasPrefix("── Feb 2020 · 9 hits ──") }, "\(screen.terminal.picture)")
    #expect(screen.status.contains("2020-02-29 · 9 hits"))
    screen.handle(.key(.hits))
    #expect(screen.lines[1].hasPrefix("2019"), "\(screen.terminal.picture)")
  }

  @Test func `Escape and Ctrl-C put it away, and nothing is written`() throws {
    for event in [ReplEvent.interrupted, .key(.close), .key(.map)] {
      var screen = try screen()
      screen.handle(event)
      #expect(screen.status.contains("82 of 82"), "\(event)")
    }
    var screen = try screen()
    screen.type("no date")
    #expect(screen.status.contains("'no date' is not a date"))
    screen.type("2020-02-29")
    #expect(screen.status.contains(" 43 of 82"), "\(screen.terminal.picture)")
  }

  @Test func `a typed date without messages says which one is shown`() throws {
    var screen = try screen()
    screen.type("2020-01-15")
    #expect(
      screen.status == " no messages on 2020-01-15; this is the next one, of 2020-02-01", "\(screen.status)")
  }

  @Test(arguments: [(3, 10), (5, 20), (8, 34), (12, 60), (24, 66), (50, 200)])
  func `any size has room for what is chosen`(rows: Int, columns: Int) throws {
    var screen = try screen(rows: rows, columns: columns)
    #expect(screen.terminal.unknownSequences.isEmpty)
    screen.handle(.key(.oldest))
    screen.handle(.key(.dayNewer))
    screen.type("")
    #expect(screen.session.reader.view.current != nil)
  }

  @Test func `a script is told the same in lines`() throws {
    let text = try fixture().transcript("/map")
    #expect(text.contains("2019") && text.contains("  11\n") && text.contains("── Dec 2019 · 40 messages"))
  }

  @Test func `an empty conversation has none`() throws {
    var screen = try StoreFixture(count: 0).screen(rows: 20, columns: 80)
    screen.type("/map")
    #expect(screen.status.contains("there are no messages here"))
  }
}
