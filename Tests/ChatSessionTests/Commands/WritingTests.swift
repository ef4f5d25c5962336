import ChatSession
import Foundation
import MessageModel
import TerminalText
import Testing

struct WritingTests {
  @Test func `an edit brings the old text into the line and Enter saves it`() throws {
    var screen = try StoreFixture().screen()
    let line = try #require(screen.type("/edit f").line)
    #expect(line.hasPrefix("/edit #") && line.hasSuffix(" message 100 of pears"))
    let outcome = screen.type(line.replacing("pears", with: "plums\nand figs"))
    #expect(outcome.line == nil)
    #expect(screen.lines[4].hasSuffix("bob  message 100 of plums"))
    #expect(screen.lines[5].hasSuffix("and figs (edited)"))
  }

  @Test func `what was written with a file attached is undone before what was written earlier`() throws {
    let fixture = try StoreFixture()
    let file = fixture.folder.appendingPathComponent("notes.txt")
    try Data("some notes".utf8).write(to: file)
    var screen = try fixture.screen()
    screen.type("hello")
    screen.finish(screen.type("/attach \(file.path) look"))
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.contains("look") })
    screen.type("/undo")
    screen.finish(screen.handle(.storeChanged))
    #expect(screen.lines.contains { $0.contains("hello") } && !screen.lines.contains { $0.contains("look") })
    let script = try fixture.transcript("/attach \(file.path) once more\n/undo\n/bottom")
    #expect(script.contains("hello") && !script.contains("once more"), "\(script)")
  }

  @Test func `a message shown whole has its earlier texts, the last one first`() throws {
    var screen = try StoreFixture().screen(rows: 12, columns: 80)
    let newest = try #require(screen.session.context.conversation.newest)
    screen.type("/edit #\(newest) better")
    screen.type("/view #\(newest)")
    let lines = screen.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    #expect(lines.count == 4 && lines[0].hasSuffix("bob · edited"), "\(lines)")
    #expect(lines.dropFirst() == ["better", "until 2024-05-15 12:00:00", "message 100 of pears"])
  }

  @Test func `what is attached is saved into a folder that is made for it`() throws {
    let fixture = try StoreFixture()
    let file = fixture.folder.appendingPathComponent("notes.txt")
    try Data("some notes".utf8).write(to: file)
    var screen = try fixture.screen(columns: 200)
    screen.finish(screen.type("/attach \(file.path) look"))
    screen.finish(screen.handle(.storeChanged))
    let newest = try #require(try fixture.context().conversation.newest)
    let folder = fixture.folder.appendingPathComponent("a/new/folder")
    screen.type("/save #\(newest) \(folder.path)")
    #expect(screen.status.hasPrefix(" saved "), "\(screen.status)")
    #expect(try Data(contentsOf: folder.appendingPathComponent("notes.txt")) == Data("some notes".utf8))
  }

  @Test func `a quote that is not closed is said`() throws {
    var screen = try StoreFixture().screen(columns: 120)
    for line in ["/import \"old chats.zip", "/export \"may.csv", "/attach \"old photo.jpg look"] {
      screen.type(line)
      #expect(screen.status.hasPrefix(" a quote is not closed in '\""), "\(screen.status)")
    }
  }

  @Test func `each change can be undone, the last first`() throws {
    var screen = try StoreFixture().screen()
    screen.type("hello")
    screen.type("/edit f good bye")
    screen.type("/delete d")
    #expect(screen.status == " deleted; /undo brings it back")
    screen.type("/react c 👍")
    #expect(screen.lines.contains { $0.hasSuffix("👍 1") })
    for undone in ["the reaction to #", "the deletion of #", "the edit of #", "message #"] {
      screen.type("/undo")
      #expect(screen.status.hasPrefix(" undone: \(undone)"), "\(screen.status)")
    }
    screen.type("/undo")
    #expect(screen.status.hasPrefix(" there is nothing to undo"))
    screen.handle(.key(.redraw))
    #expect(screen.status.contains("100 of 100") && screen.lines[5].contains("message 100 of pears"))
    #expect(!screen.lines.joined().contains("👍"))
  }

  @Test func `the same reaction again takes it back`() throws {
    var screen = try StoreFixture().screen()
    screen.type("/react f 🎉")
    #expect(screen.lines[5].hasSuffix("🎉 1"))
    screen.type("/react f 🎉")
    #expect(!screen.lines.joined().contains("🎉"))
  }

  @Test func `a change that cannot be made says why, and the next line is a fresh one`() throws {
    var screen = try StoreFixture().screen()
    #expect(screen.type("/edit #7 lost?").line == nil)
    #expect(screen.status.contains("no message #7"))
    #expect(screen.type("/react f \(String(repeating: "x", count: 40))").line == nil)
    #expect(screen.status.hasPrefix(" a reaction is an emoji"))
    screen.handle(.typed("/delete"))
    #expect(screen.type("/delete q").line == nil && screen.status.contains("has the letter 'q'"))
    // It stays in sight while the next line is typed.
    screen.handle(.typed("hello"))
    #expect(screen.status.contains("has the letter 'q'"))
  }

  @Test func `a text is copied by the terminal, or printed`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen()
    let outcome = screen.type("/copy f")
    #expect(
      outcome.clipboard == "message 100 of pears"
        && screen.status == " copied 20 characters · the terminal (OSC 52)")
    #expect(TerminalSequences.copy("\u{1B}\u{7}") == "\u{1B}]52;c;Gwc=\u{7}")
    let id = try #require(try fixture.context().conversation.newest)
    #expect(try fixture.transcript("/copy #\(id)") == "message 100 of pears\n")
  }

  @Test func `a script changes messages by their ids`() throws {
    let fixture = try StoreFixture(count: 2)
    let id = try #require(try fixture.context().conversation.newest)
    let answer = try fixture.transcript(
      """
      /edit #\(id) other words
      /react #\(id) ✅
      /bottom
      /view #\(id)
      /delete #\(id)
      /bottom
      /undo
      /bottom
      /edit #\(id)
      """)
    #expect(
      answer == """
        2024-05-01 13:00:00  bob  other words
        #\(id) · 2024-05-01 13:00:00 · text · bob · edited
        other words
        ✅ carol
        2024-05-01 12:00:00  alice  message 1 of apples
        2024-05-01 13:00:00  bob  other words
        ! line 9: /edit needs a text
          try: /edit #ID TEXT

        """)
  }
}
