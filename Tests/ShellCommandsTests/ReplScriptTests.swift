import ChatSession
import Foundation
import MessageStorage
import ShellTesting
import Testing

/// `open` without a terminal.
@Suite(.serialized) struct ReplScriptTests {
  @Test func `commands from a pipe print plain lines`() throws {
    let answer = try ShellFixture().run(["-c", "general"], input: "/goto 50%\n/older 2\n/quit\n")
    #expect(
      answer.output == """
        2024-05-01 01:40:00  alice  message 101
        2024-05-01 01:38:00  alice  message 99
        2024-05-01 01:39:00  bob  message 100

        """)
    #expect(answer.errors == "" && answer.status == 0)
  }

  @Test func `the first failure ends a script with its line and code`() throws {
    let fixture = try ShellFixture()
    let script = "/top\n/nosuch\n/bottom\n"
    let answer = try fixture.run([], input: script)
    #expect(answer.output.hasSuffix("message 1\n") && answer.status == 64)
    #expect(answer.errors.hasPrefix("scrollback: line 2: there is no command '/nosuch'"))
    let whole = try fixture.run(["--keep-going"], input: script)
    #expect(whole.output.hasSuffix("message 200\n") && whole.status == 64)
  }

  @Test func `a log piped in by mistake is not appended`() throws {
    let fixture = try ShellFixture()
    #expect(try fixture.run([], input: "12:00 <alice> hi\n").status == 64)
    #expect(try fixture.run(["tail", "-n", "1"]).output.hasSuffix("message 200\n"))
  }

  @Test func `a conversation that is not there is named with its neighbour`() throws {
    let answer = try ShellFixture().run(["open", "genral"])
    #expect(answer.errors.contains("did you mean 'general'?") && answer.status == 1)
  }

  @Test func `a view from a pipe only reads`() throws {
    let fixture = try ShellFixture()
    for command in ["/delete #1", "/reply #1 no", "/undo", "/import \(fixture.folder.path)"] {
      let answer = try fixture.run(["--view"], input: "/top\n\(command)\n")
      #expect(answer.errors.contains("nothing is written in a view") && answer.status == 64, "\(command)")
    }
    // Marks are no messages: they are set in a view as they are on its screen.
    let marked = try fixture.run(["--view"], input: "/goto 7\n/mark here\n/bottom\n/goto 'here\n")
    #expect(marked.output.hasSuffix("message 7\n") && marked.status == 0)
    #expect(try fixture.run(["--view"], input: "/bottom\n").output.hasSuffix("message 200\n"))
  }

  @Test func `the mark of a message of which only the day is known has that day alone, in any zone`() throws {
    let fixture = try ShellFixture(
      holding: #"{"conversation":"c","time":"2019-03-04T00:00:00Z","precision":"day","text":"dear Ann"}"#)
    let marks = try fixture.run(
      ["--view", "-c", "c", "--time-zone", "America/New_York"], input: "/top\n/mark letter\n/marks\n")
    #expect(marks.output.hasSuffix("'letter  c  2019-03-04\n"), "\(marks)")
  }

  @Test func `without a name what was open last is opened, unless it is empty and others are not`() throws {
    let fixture = try ShellFixture()
    let store = try SynchronousMessageStore(path: fixture.store)
    _ = try store.makeConversation(named: "notes")
    let path = store.path
    store.close()
    StateFolder(environment: fixture.environment).rememberOpen("notes", in: path)
    #expect(try fixture.run([], input: "/bottom\n").output.hasSuffix("message 200\n"))
    _ = try fixture.run(["append", "-c", "notes", "a note"])
    #expect(try fixture.run([], input: "/bottom\n").output.hasSuffix("a note\n"))
    StateFolder(environment: fixture.environment).rememberOpen("general", in: path)
    #expect(try fixture.run([], input: "/bottom\n").output.hasSuffix("message 200\n"))
  }

  @Test func `a number that is not taken is told the numbers that are`() throws {
    let answer = try ShellFixture().run([], input: "/older 10001\n")
    #expect(
      answer.errors == """
        scrollback: line 1: /older takes a number from 1 to 10,000, not '10001'
          try: /older [N]

        """)
    #expect(try ShellFixture().run([], input: "/older 1,000\n").output.split(separator: "\n").count == 200)
  }

  @Test func `what a script sets holds in it alone, and says so`() throws {
    let fixture = try ShellFixture()
    let answer = try fixture.run([], input: "/set time-zone Asia/Tokyo\n/set time-zone\n")
    #expect(answer.output == "time-zone = Asia/Tokyo (in this script alone)\ntime-zone = Asia/Tokyo\n")
    #expect(try fixture.run([], input: "/set time-zone\n").output != "time-zone = Asia/Tokyo\n")
  }
}
