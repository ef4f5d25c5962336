import ChatSession
import MessageModel
import TestSupport
import Testing

/// The tour of `scrollback demo`.
struct TourTests {
  @Test func `a step stays until its key is used`() {
    var tour = Tour()
    #expect(tour.line == "1 of 10: PageUp — older messages")
    for event in [ReplEvent.key(.pageNewer), .line("hello"), .typed(""), .storeChanged] {
      tour.note(event, isCovered: false)
    }
    #expect(tour.line == "1 of 10: PageUp — older messages")
    tour.note(.key(.pageOlder, count: 3), isCovered: false)
    #expect(tour.line == "2 of 10: Alt-m — the messages over time")
  }

  @Test func `its ten keys lead through it, one after the other`() {
    let events: [(event: ReplEvent, isCovered: Bool)] = [
      (.key(.pageOlder), false), (.key(.map), false), (.line(""), true), (.key(.back), false),
      (.key(.newest), false), (.line("/search soup"), false), (.key(.previousHit), false),
      (.key(.switcher), false), (.line(""), true),
    ]
    var tour = Tour()
    for (number, step) in events.enumerated() {
      #expect(tour.line?.hasPrefix("\(number + 1) of 10: ") == true)
      tour.note(step.event, isCovered: step.isCovered)
    }
    #expect(tour.line?.hasPrefix("10 of 10: Ctrl-D") == true)
  }

  @Test func `Enter skips a step, but not where it chooses in a list`() {
    var tour = Tour()
    tour.note(.line(""), isCovered: true)
    #expect(tour.line?.hasPrefix("1 of 10") == true)
    for _ in 1...10 { tour.note(.line(" "), isCovered: false) }
    #expect(tour.line == nil)
    tour.note(.line(""), isCovered: false)
    #expect(tour.line == nil)
  }

  @Test func `it has a row above the messages, which it gives back at its end`() throws {
    let fixture = try StoreFixture()
    var context = try fixture.context()
    context.tour = Tour()
    var screen = StoreFixture.Screen(
      fixture: fixture, session: try Session(context, rows: 8, columns: 60),
      terminal: TerminalModel(rows: 8, columns: 60))
    func top() -> String { screen.terminal.text(ofRow: 0) }
    #expect(top().hasPrefix(" 1 of 10: PageUp — older messages") && top().contains("Enter skips"))
    #expect(screen.session.reader.view.height == 5)
    screen.handle(.key(.pageOlder))
    #expect(top().hasPrefix(" 2 of 10: Alt-m"))
    #expect(screen.terminal.text(ofRow: 5).hasSuffix("message 95 of apples"))
    for _ in 2...10 { screen.type("") }
    #expect(screen.session.context.tour == nil && screen.session.reader.view.height == 6)
    #expect(top().contains("message "))
  }
}
