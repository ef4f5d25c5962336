import ChatSession
import TestSupport
import Testing

struct TypedSearchTests {
  /// Has a line be typed, and does on this thread what that asks for on another.
  private func type(_ line: String, on screen: inout StoreFixture.Screen) {
    screen.finish(screen.handle(.typed(line)))
  }

  @Test func `from the third letter on the newest hit is shown, with a count`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    let before = screen.terminal.lines
    for line in ["/", "/s", "/search", "/search ", "/search a", "/search ap"] {
      type(line, on: &screen)
      #expect(screen.terminal.lines == before, "\(line)")
    }
    type("/search app", on: &screen)
    #expect(screen.lines.contains { $0.hasSuffix("message 99 of apples") })
    #expect(screen.status.hasSuffix("'app*' 1 of 50"))
    type("/search app 4", on: &screen)
    #expect(screen.status.hasSuffix("'app' 0 hits") || screen.status.hasPrefix(" nothing found"))
    type("/search apples 41", on: &screen)
    type("/search apples 41 ", on: &screen)
    #expect(screen.status.hasSuffix("'apples 41' 1 of 1"), "\(screen.status)")
    #expect(screen.lines.contains { $0.hasSuffix("message 41 of apples") })
  }

  @Test func `what is not typed any more returns to the place before`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.finish(screen.type("/goto 50"))
    let before = screen.terminal.lines
    for ending in [ReplEvent.typed("/search "), .typed(""), .interrupted, .line("")] {
      type("/search \"message 17\"", on: &screen)
      #expect(screen.lines.contains { $0.hasSuffix("message 17 of apples") }, "\(screen.terminal.picture)")
      screen.finish(screen.handle(ending))
      #expect(screen.terminal.lines == before, "\(ending)")
    }
    screen.finish(screen.type("/back"))
    #expect(screen.status.contains("100 of 100"), "typing leaves no trace for /back")
  }

  @Test func `a search that is finished begins where the reader was`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.finish(screen.type("/goto 50"))
    type("/search apples OR \"message 90\"", on: &screen)
    screen.finish(screen.type("/search pears"))
    #expect(screen.lines[2].hasSuffix("message 54 of pears"), "\(screen.terminal.picture)")
    screen.finish(screen.type("/back"))
    #expect(screen.status.contains(" 50 of 100"))
  }

  @Test func `the search before comes back with its hits`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    screen.finish(screen.type("/search pears"))
    let before = screen.terminal.lines
    type("/search apples", on: &screen)
    #expect(screen.status.hasSuffix("'apples*' 1 of 50"))
    type("/sea", on: &screen)
    #expect(screen.terminal.lines == before && screen.status.hasSuffix("'pears*' 1 of 50"))
  }

  @Test func `each key calls off the search for what was typed before it`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    let first = screen.handle(.typed("/search app"))
    #expect(first.jobs.map(\.lane) == [.typing])
    let second = screen.handle(.typed("/search appl"))
    #expect(second.stops.isSuperset(of: [.typing, .count]) && second.jobs.count == 1)
    // The answer to the first comes too late.
    screen.finish(first)
    #expect(screen.status.contains("'appl*' … hits"))
    #expect(screen.handle(.key(.pageOlder)).stops.contains(.typing))
    let reports = Reports()
    second.jobs[0].run(report: { reports.add($0) }, isCancelled: { true })
    #expect(reports.all.isEmpty)
  }

  @Test func `keys go from hit to hit while it is typed`() throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    type("/search apples", on: &screen)
    screen.finish(screen.handle(.key(.previousHit)))
    screen.finish(screen.handle(.key(.previousHit)))
    #expect(screen.lines.contains { $0.hasSuffix("message 95 of apples") })
    type("", on: &screen)
    #expect(screen.status.contains("100 of 100"))
  }

  @Test(arguments: ["/search regex:a+b", "//search abc", "search abc", "/goto abc", "/search \u{1B}[2J"])
  func `other lines look for nothing that harms`(line: String) throws {
    var screen = try StoreFixture().screen(rows: 8, columns: 80)
    type(line, on: &screen)
    #expect(screen.terminal.unknownSequences.isEmpty)
  }
}
