import Foundation
import MessageModel
import Testing

@testable import ChatSession

/// Nothing is written while something else than the messages has the keyboard.
struct KeyboardTests {
  /// A state in which a line is no message: what leads there, and what is seen of it.
  private static let states: [(name: String, events: [ReplEvent])] = [
    ("the list of conversations", [.line("/conversations")]),
    ("the switcher", [.key(.switcher)]), ("the switcher, narrowed", [.line("/switch"), .typed("zzz")]),
    ("days", [.line("/days")]), ("months", [.line("/months")]), ("marks", [.line("/marks")]),
    ("help", [.line("/help")]), ("figures", [.line("/stats")]), ("memory", [.line("/memory")]),
    ("settings", [.line("/set")]), ("a message whole", [.line("/view a")]),
    ("hits", [.line("/hits apples")]), ("hits of nothing", [.line("/hits zzzz")]),
    ("hits to be typed", [.key(.hits)]), ("narrowed hits", [.line("/hits apples"), .typed("message")]),
    ("the preview of a hit", [.line("/hits apples"), .key(.rowNewer), .key(.pageNewer)]),
    ("the pictures", [.line("/gallery")]), ("some pictures", [.line("/gallery apples"), .key(.rowNewer)]),
    ("the map", [.line("/map")]), ("the map by a key", [.key(.map), .key(.dayOlder)]),
    ("a search that is typed", [.typed("/search pear")]),
    ("a search that finds nothing", [.typed("/search zzzz")]),
    ("a question on a slip", [.line(":w")]), ("a question on another", [.line("q"), .line(":x")]),
    ("a question about elsewhere", [.line("there"), .line("/open random"), .line("/undo")]),
    ("a list with something chosen", [.line("/days"), .key(.rowNewer)]),
    ("a list that was narrowed", [.line("/conversations"), .typed("zzz")]),
  ]

  @Test(arguments: states.indices, ["word", "two words", "//word", "wordy\nword", ":D"])
  func `a word that is typed where something else has the keyboard is not written`(
    state: Int, word: String
  ) throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 12, columns: 100)
    for event in Self.states[state].events { screen.finish(screen.handle(event)) }
    let before = try messages(fixture)
    // One after the other: what is left open has the keyboard still.
    for _ in 1...2 where hasKeyboard(screen.session) { screen.finish(screen.handle(.line(word))) }
    #expect(try messages(fixture) == before, "\(Self.states[state].name): \(screen.terminal.picture)")
  }

  @Test func `each of these states has the keyboard`() throws {
    for state in Self.states {
      var screen = try StoreFixture().screen(rows: 12, columns: 100)
      for event in state.events { screen.finish(screen.handle(event)) }
      #expect(hasKeyboard(screen.session), "\(state.name): \(screen.terminal.picture)")
    }
  }

  @Test(arguments: [ReplKey.map, .hits, .switcher])
  func `a line replies to the question, whatever list a key has opened since`(key: ReplKey) throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 12, columns: 100)
    let before = try messages(fixture)
    screen.type("q")
    screen.finish(screen.handle(.key(key)))
    #expect(screen.session.reader.cover.isShown && screen.session.question != nil)
    screen.finish(screen.type("n"))
    #expect(screen.session.question == nil && !screen.session.reader.cover.isShown)
    #expect(try messages(fixture) == before)
  }

  @Test func `without a window a question has the keyboard, too`() throws {
    let fixture = try StoreFixture()
    var printer = try fixture.printer()
    printer.type(":w")
    let before = try messages(fixture)
    #expect(printer.type("word").line == "word")
    #expect(try messages(fixture) == before)
    printer.type("word")
    #expect(try messages(fixture) == before + 1)
  }

  @Test func `the rest of a line whose list went away is no message, and the next one is`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 12, columns: 100)
    let scan = screen.type("/search regex:apples$")
    for list in ["/conversations", "/help"] {
      screen.type(list)
      screen.handle(.typed("gen"))
      // The hit that was looked for elsewhere is shown, and the list goes.
      var dropped: String?
      for job in scan.jobs {
        for report in job.reports() { dropped = screen.handle(.reported(report)).droppedLine ?? dropped }
      }
      guard screen.session.reader.cover.listing == nil else { continue }
      #expect(dropped == "gen")
      screen.handle(.typed("eral"))
      let before = try messages(fixture)
      #expect(screen.type("eral").line == "eral")
      #expect(try messages(fixture) == before && screen.status.contains("not sent yet"))
      screen.handle(.typed(""))
      screen.type("hello")
      #expect(try messages(fixture) == before + 1)
    }
  }

  private func hasKeyboard(_ session: Session<ScreenReader>) -> Bool {
    session.reader.cover.isShown || session.question != nil || session.typing != nil
  }

  private func messages(_ fixture: StoreFixture) throws -> Int {
    try fixture.store.page(PageRequest(.everything, fetchLimit: 0)).counts?.total ?? 0
  }
}
