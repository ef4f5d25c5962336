import MessageModel
import Testing

@testable import ChatSession

/// A question is answered by the next line; this one is made up.
struct QuestionTests {
  private let question = Question(
    text: "write to it?",
    answers: [.init(word: "yes", command: .message("as asked")), .init(word: "no", command: nil)],
    remedy: "--yes")

  @Test func `on the screen a question stands in the status line until it is answered`() throws {
    var screen = try StoreFixture().screen()
    try screen.session.emit(Effects(.question(question)))
    screen.handle(.timePassed)
    #expect(screen.status == " write to it? y or n, then Enter")
    #expect(screen.type("perhaps").line == nil)
    #expect(screen.status == " write to it? — try: yes or no")
    screen.handle(.key(.pageOlder))
    #expect(screen.status == " write to it? y or n, then Enter" && !screen.lines.joined().contains("perhaps"))
    screen.type("yes")
    #expect(screen.lines[5].hasSuffix("carol  as asked") && screen.status.contains("101 of 101"))
    screen.type("yes")
    #expect(screen.lines[5].hasSuffix("carol  yes"))
  }

  @Test func `what is longer than the status line goes on above it`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(rows: 16, columns: 40)
    let words = (1...12).map { "word\($0)" }.joined(separator: " ")
    try screen.session.emit(Effects(.notice(words)))
    screen.handle(.timePassed)
    #expect([screen.lines[13], screen.status].map { $0.trimmingPrefix(" ") }.joined(separator: " ") == words)
    #expect(screen.lines[12].contains("message"), "and covers no more than it needs")
    try screen.session.emit(Effects(.notice((1...100).map { "word\($0)" }.joined(separator: " "))))
    screen.handle(.timePassed)
    #expect(screen.status.hasSuffix("…") && screen.lines[10].contains("message"))
    var small = try fixture.screen(rows: 8, columns: 40)
    try small.session.emit(Effects(.notice(words)))
    small.handle(.timePassed)
    #expect(small.status.hasSuffix("…") && small.lines[5].contains("message"))
  }

  @Test(arguments: ["no", "N", "", "/top"])
  func `what does not agree puts a question away`(line: String) throws {
    var screen = try StoreFixture().screen()
    try screen.session.emit(Effects(.question(question)))
    #expect(screen.type(line).line == nil)
    #expect(screen.session.question == nil && screen.status.contains("of 100"))
  }

  @Test func `Ctrl-C puts a question away, and nothing else`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.finish(screen.type("/search apples"))
    try screen.session.emit(Effects(.question(question)))
    screen.handle(.interrupted)
    #expect(screen.status.contains("100") && screen.status.hasSuffix("of 50"))
  }

  @Test func `without a window a question is printed, and its answers stand before the line`() throws {
    var printer = try StoreFixture().printer()
    _ = printer.printed()
    try printer.session.emit(Effects(.question(question)))
    #expect(printer.printed() == "write to it? y or n, then Enter\n" && printer.session.prompt == "y/n > ")
    printer.type("perhaps")
    #expect(printer.printed().hasPrefix("! write to it?"))
    printer.type("y")
    #expect(printer.printed().hasSuffix("carol  as asked\n") && printer.session.prompt == "> ")
  }

  @Test func `where nobody can answer, what asks is refused`() throws {
    let fixture = try StoreFixture()
    var script = try Session(try fixture.context(), write: { _ in }, complain: { _ in })
    #expect(throws: question.refusal) { try script.emit(Effects(.question(question))) }
    var view = try fixture.view(rows: 8, columns: 60)
    #expect(throws: question.refusal) { try view.session.emit(Effects(.question(question))) }
    #expect(
      question.refusal.description == """
        this has to be asked first: write to it?
          cause: nobody is there to answer
          try: --yes
        """)
  }
}
