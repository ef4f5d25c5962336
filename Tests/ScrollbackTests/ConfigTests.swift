import Foundation
import ShellTesting
import TestSupport
import Testing

/// What is set is kept in one file, which people may write, too.
@Suite(.serialized) struct ConfigTests {
  private let fixture: ShellFixture

  init() throws { fixture = try ShellFixture(count: 20) }

  private var file: URL { fixture.folder.appending(path: ".config/scrollback/config") }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

  @Test func `/set changes its line, and no other`() throws {
    try write("# mine\n\nme=kim\nfuture = 7\ndensity = compact\n")
    let terminal = try fixture.start()
    try terminal.wait(for: "there is no setting 'future'")
    try terminal.type("/set density roomy\r")
    try terminal.wait(for: "density = roomy")
    try terminal.type("/set time-format 12\r")
    try terminal.wait(for: "time-format = 12")
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(try text == "# mine\n\nme=kim\nfuture = 7\ndensity = roomy\ntime-format = 12\n")
    let state = fixture.folder.appending(path: ".local/state/scrollback/settings")
    #expect(!FileManager.default.fileExists(atPath: state.path))
  }

  @Test func `what cannot be kept for the next run says so`() throws {
    try write("")
    let folder = file.deletingLastPathComponent()
    // A file where the folder should be: nobody can write into it, whoever they are.
    try FileManager.default.removeItem(at: folder)
    try Data().write(to: folder)
    let terminal = try fixture.start(columns: 200)
    try terminal.wait(for: "20 of 20")
    try terminal.type("/set density roomy\r")
    try terminal.wait(for: "set for this session alone; cannot write '")
    try terminal.type("/set mouse off\r")
    // The window is opened anew.
    try terminal.wait(for: "set for this session alone: ")
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
  }

  @Test func `names and values that are none are told when a window opens`() throws {
    try write("colour = never\nmouse = perhaps\nwords\n")
    let terminal = try fixture.start(columns: 200)
    try terminal.wait(for: "there is no setting 'colour' (did you mean color?)")
    #expect(terminal.screen.contains("'words'") && terminal.screen.contains("mouse is on or off"))
    #expect(try text == "colour = never\nmouse = perhaps\nwords\n")
  }

  @Test func `what earlier versions kept is taken over, once`() throws {
    let old = fixture.folder.appending(path: ".local/state/scrollback/settings")
    try Data("me\0dave\0time-zone\0Asia/Tokyo\0".utf8).write(to: old)
    try write("time-zone = UTC\n")
    let terminal = try fixture.open()
    try terminal.type("hello\r")
    try terminal.wait(for: "dave  hello")
    #expect(try text == "time-zone = UTC\nme = dave\n")
    #expect(!FileManager.default.fileExists(atPath: old.path))
  }

  @Test func `the looks of messages are as set: time, density`() throws {
    try write("time-format = seconds\ndensity = roomy\n")
    let terminal = try fixture.open()
    try terminal.wait(for: "00:19:00")
    let rows = (0..<12).map { terminal.screen.text(ofRow: $0) }
    let first = try #require(rows.firstIndex { $0.contains("message 19") })
    #expect(rows[first + 1].filter { $0.isLetter }.isEmpty && rows[first + 2].contains("message 20"))
    try terminal.type("/set time-format 12\r")
    try terminal.wait(for: "12:19a")
  }

  @Test func `a mouse that is off leaves the wheel to the terminal, at once and in the next run`() throws {
    let first = try fixture.open()
    #expect(String(decoding: first.output, as: UTF8.self).contains("\u{1B}[?1000h"))
    try first.type("/set mouse off")
    try first.wait(for: "> /set mouse off")
    try first.type("\r")
    // Between two lines the terminal is not readline's, and takes the key for the end of a line.
    try first.wait(for: "the next line") { $0.contains("mouse = off") && $0.lines.last == ">" }
    try first.type("\u{4}")
    #expect(first.waitForExit() == 0)
    let second = try fixture.open()
    #expect(!String(decoding: second.output, as: UTF8.self).contains("\u{1B}[?1000h"))
  }

  @Test func `the name and the colours that were set are those of commands, too`() throws {
    try write("me = dave\ncolor = always\n")
    try fixture.run(["append", "-c", "general", "by whom?"])
    let answer = try fixture.run(["tail", "-1"]).output
    #expect(answer.contains("\u{1B}[") && answer.contains("dave"))
    #expect(try !fixture.run(["tail", "-1", "--color", "never"]).output.contains("\u{1B}["))
  }
}
