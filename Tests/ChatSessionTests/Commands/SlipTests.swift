import Foundation
import MessageModel
import MessageStorage
import TestSupport
import Testing

@testable import ChatSession

/// A line never becomes a message by mistake.
struct SlipTests {
  @Test(arguments: [
    "q", " quit ", "EXIT", ":q", ":wq", "help", "?", ":goto 2012", ":nosuch", ":q!", ":w", ":x", ":e", ":1",
    ":/foo", ":?foo", ":50%", ":!ls", ":w notes.txt", ":%s/a/b/",
  ])
  func `what people type elsewhere to leave or to be helped is questioned, and Enter sends it`(
    line: String
  ) throws {
    var screen = try StoreFixture().screen(columns: 100)
    var printer = try StoreFixture().printer()
    let shown = line.trimmingCharacters(in: .whitespaces)
    #expect(screen.type(line).leaves == false)
    #expect(
      screen.status.hasPrefix(" '\(shown)' is not sent yet. Enter: send it as a message · "),
      "\(screen.status)")
    #expect(screen.lines[5].hasSuffix("message 100 of pears"))
    screen.type("")
    #expect(screen.lines[5].contains("carol  ") && screen.lines[5].hasSuffix(shown), "\(screen.lines[5])")
    _ = printer.printed()
    printer.type(line)
    #expect(printer.printed().hasPrefix("'\(shown)' is not sent yet. Enter: send it as a message"))
    #expect(printer.session.prompt == "Enter to send > ")
    printer.type("n")
    #expect(!printer.printed().contains("carol") && printer.session.prompt == "> ")
  }

  @Test(arguments: ["q", "quit", "exit", ":q"])
  func `the same again leaves`(line: String) throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.type(line)
    #expect(screen.type(line).leaves)
  }

  @Test func `the same again carries a command out, and another line is one of its own`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.type(":goto 2")
    screen.type(":goto 2")
    #expect(screen.status.contains(" 2 of 100"))
    screen.type(":/apples")
    #expect(screen.status.contains("again: /search apples"), "\(screen.status)")
    screen.finish(screen.type(":/apples"))
    #expect(screen.status.contains("apples* · hit"))
    screen.type("/bottom")
    // One line is one thing: who types on has not sent anything yet.
    screen.type("help")
    #expect(screen.type("hello there").line == "hello there")
    #expect(screen.status == " not sent yet: Enter sends this line" && screen.session.question == nil)
    #expect(screen.lines[5].hasSuffix("message 100 of pears"))
    screen.type("hello there")
    #expect(screen.lines[5].hasSuffix("carol  hello there"))
    screen.type("?")
    screen.type("/top")
    #expect(screen.status.contains(" 1 of 101") && screen.session.question == nil)
    screen.type("?")
    screen.handle(.key(.escape))
    #expect(screen.session.question == nil)
  }

  @Test(arguments: [
    "quiet", "q?", "help me", ":)", ":D", ":-/", ":tada:", ":lol: yes", "::", ":", "exit now", ":P so", ":/",
    ":+1:", ":'(", ":-D", ":-3", ":$", ":/ well",
  ])
  func `what only looks a little like that is a message`(line: String) throws {
    var screen = try StoreFixture().screen(columns: 100)
    screen.type(line)
    #expect(screen.lines[5].hasSuffix("carol  \(line)"), "\(screen.terminal.picture)")
  }

  @Test func `exit leaves, and has to be written out`() throws {
    var screen = try StoreFixture().screen(columns: 100)
    #expect(screen.type("/exit").leaves)
    #expect(screen.type("/exi").leaves == false)
    #expect(try CommandParser.command(in: "/ex x.jsonl") == CommandParser.command(in: "/export x.jsonl"))
  }

  @Test func `an action is written as one`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 100)
    screen.type("/me waves")
    #expect(screen.lines[5].hasSuffix("*  carol waves"), "\(screen.terminal.picture)")
    screen.type("/undo")
    #expect(screen.lines[5].hasSuffix("message 100 of pears"))
    screen.type("/me")
    #expect(screen.status == " /me needs a text — try: /me TEXT")
    #expect(try fixture.transcript("/me nods\n/bottom").hasSuffix("* carol nods\n"))
  }

  // MARK: Imported conversations

  /// Imports two files of one conversation, and opens it.
  private func opened() throws -> StoreFixture.Screen {
    let fixture = try StoreFixture()
    let folder = fixture.folder.appendingPathComponent("logs")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for day in 1...2 {
      let line = """
        {"conversation":"old","time":"2004-05-0\(day)T12:00:00Z","sender":"eve","text":"long ago \(day)"}

        """
      try line.write(
        to: folder.appendingPathComponent("\(day).jsonl"), atomically: true, encoding: .utf8)
    }
    var screen = try fixture.screen(columns: 100)
    screen.finish(screen.type("/import \(folder.path)"))
    screen.type("/open old")
    return screen
  }

  @Test(arguments: ["hello", "/me hello", "/reply #\(Message.ID(rawValue: 1)) hello"])
  func `the first write into an imported conversation asks once`(line: String) throws {
    var screen = try opened()
    let asked = " 'old' was imported from 2 files. Write to it? y or n, then Enter"
    screen.type(line)
    #expect(screen.status == asked)
    screen.type("n")
    #expect(screen.status.contains("2 of 2"))
    screen.type(line)
    screen.type("what else")
    #expect(screen.status.hasSuffix("imported from 2 files. Write to it? — try: yes or no"))
    screen.type("/top")
    #expect(screen.status.contains("of 2") && screen.session.question == nil)
  }

  @Test func `to edit, to delete and to react in an imported conversation asks once, too`() throws {
    var screen = try opened()
    for (line, asked) in [
      ("/edit a better", "Edit a message of it"), ("/delete a", "Delete a message of it"),
      ("/react a 👍", "React in it"),
    ] {
      screen.type(line)
      #expect(screen.status == " 'old' was imported from 2 files. \(asked)? y or n, then Enter")
      screen.type("n")
      #expect(screen.lines.contains { $0.hasSuffix("eve  long ago 1") }, "\(screen.terminal.picture)")
    }
    // It is the conversation of the message that counts, wherever one is, and an id that stands for the letter.
    let id = try #require(screen.session.reader.sight.visible?.lowerBound)
    screen.type("/open general")
    screen.type("/edit #\(id) better")
    #expect(screen.status.hasPrefix(" 'old' was imported from 2 files. Edit a message of it?"))
    screen.type("y")
    screen.type("/delete a")
    #expect(screen.status == " deleted; /undo brings it back")
    screen.type("/open old")
    #expect(screen.lines.contains { $0.hasSuffix("eve  better (edited)") }, "\(screen.terminal.picture)")
    screen.type("/edit #\(id) best")
    #expect(screen.session.question == nil && screen.lines.contains { $0.hasSuffix("eve  best (edited)") })
    let script = try screen.fixture.transcript("/edit #\(id) as a script says\n/view #\(id)")
    #expect(script.contains("as a script says"), "\(script)")
    // Who agreed to edits was not asked about anything else.
    for (line, asked) in [
      ("hello", "Write to it"), ("/react a 👍", "React in it"), ("/delete a", "Delete a message of it"),
    ] {
      screen.type(line)
      #expect(screen.status.hasPrefix(" 'old' was imported from 2 files. \(asked)?"), "\(screen.status)")
      screen.type("y")
      #expect(screen.session.question == nil)
    }
  }

  @Test func `who has agreed is told as whom they write, and how to take it back`() throws {
    var screen = try opened()
    screen.type("hello")
    screen.type("y")
    #expect(screen.status == " appended as carol · /undo" && screen.lines.contains { $0.hasSuffix("hello") })
    screen.type("again")
    #expect(screen.status == " appended as carol · /undo" && screen.lines.contains { $0.hasSuffix("again") })
    screen.type("/undo")
    #expect(screen.status.hasPrefix(" undone: message #") && screen.status.hasSuffix(" 'again'"))
    screen.type("/undo")
    #expect(!screen.lines.contains { $0.hasSuffix("hello") })
    screen.type("/open general")
    screen.type("here nobody asks")
    #expect(screen.lines[5].hasSuffix("here nobody asks") && screen.status.contains("101 of 101"))
    screen.type("/open old")
    screen.type("still agreed")
    #expect(screen.status == " appended as carol · /undo")
  }

  @Test func `nobody is asked whether to write to a store that can only be read`() throws {
    let fixture = try StoreFixture()
    let file = fixture.folder.appendingPathComponent("old.jsonl")
    try #"{"conversation":"old","time":"2004-05-01","sender":"eve","text":"so"}"#.write(
      to: file, atomically: true, encoding: .utf8)
    var writer = try fixture.screen(columns: 100)
    writer.finish(writer.type("/import \(file.path)"))
    let store = try SynchronousMessageStore(
      path: fixture.store.path, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let old = try #require(try store.conversation(named: "old"))
    let context = ReplContext(
      store: store, conversation: old, me: "carol", zone: .gmt, now: { Timestamp(millisecondsSince1970: 0) })
    var screen = StoreFixture.Screen(
      fixture: fixture, session: try Session(context, rows: 8, columns: 200),
      terminal: TerminalModel(rows: 8, columns: 200))
    #expect(screen.type("hello").line == "hello", "it comes back into the line")
    #expect(screen.status.contains("was opened for reading only"), "\(screen.status)")
  }

  @Test func `a conversation of an import that brought others says so`() throws {
    let fixture = try StoreFixture()
    let file = fixture.folder.appendingPathComponent("all.jsonl")
    try ["old", "older"].map {
      #"{"conversation":"\#($0)","time":"2004-05-01","sender":"eve","text":"so"}"# + "\n"
    }
    .joined().write(to: file, atomically: true, encoding: .utf8)
    var screen = try fixture.screen(columns: 100)
    screen.finish(screen.type("/import \(file.path)"))
    screen.type("/open older")
    screen.type("hello")
    #expect(
      screen.status == " 'older' was imported with other conversations. Write to it? y or n, then Enter")
  }

  @Test func `without a window it is asked, too, and in a script it is not`() throws {
    let screen = try opened()
    var printer = try screen.fixture.printer()
    printer.type("/open old")
    _ = printer.printed()
    printer.type("hello")
    #expect(printer.printed() == "'old' was imported from 2 files. Write to it? y or n, then Enter\n")
    #expect(printer.session.prompt == "y/n > ")
    printer.type("y")
    #expect(printer.printed().contains("hello") && printer.session.prompt == "> ")
    let script = try screen.fixture.transcript("/open old\n/me nods\n/bottom")
    #expect(script.hasSuffix("* carol nods\n") && !script.contains("append"))
  }
}
