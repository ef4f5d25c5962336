import ShellTesting
import TestSupport
import Testing

/// A window asks the terminal for the colour of its ground.
struct GroundQuestionTests {
  private let question = "\u{1B}]11;?"

  private func written(_ terminal: PseudoTerminal) -> String {
    String(decoding: terminal.output, as: UTF8.self)
  }

  @Test func `the answer chooses the colours, and what is typed around it comes into the line`() throws {
    let fixture = try ShellFixture(count: 3)
    let terminal = try fixture.start()
    // It waits in the terminal when the question comes.
    try terminal.type("he\u{1B}]11;rgb:ffff/fafa/f0f0\u{1B}\\l\u{1B}[?62;22clo")
    try terminal.wait(for: "> hello")
    let written = written(terminal)
    #expect(written.contains(question) && written.contains("38;5;242m"))
  }

  @Test(arguments: ["\u{7}", "\u{1B}\\"]) func `an answer that comes late is no key`(end: String) throws {
    let fixture = try ShellFixture(count: 3)
    for arguments in [[], ["--inline"]] {
      let terminal = try fixture.start(arguments)
      try terminal.wait(for: "message 3")
      try terminal.type("ab\u{1B}]11;rgb:ffff/ffff/ffff\(end)\u{1B}[?62;22cc")
      try terminal.wait(for: "> abc")
    }
  }

  @Test func `a view takes no answer for its keys`() throws {
    let fixture = try ShellFixture(count: 100)
    let terminal = try fixture.start(["--view"])
    try terminal.type("g\u{1B}]11;rgb:00/00/00\u{7}\u{1B}[?62;22c")
    try terminal.wait(for: "the first message") { $0.lines.contains { $0.hasSuffix("message 1") } }
    try terminal.type("\u{1B}]11;rgb:00/00/00\u{1B}\\\u{1B}[?62;22cG")
    try terminal.wait(for: "message 100")
  }

  @Test func `nothing is asked where nothing can answer`() throws {
    let fixture = try ShellFixture(count: 3)
    #expect(try !fixture.runProcess(["tail"]).output.contains(question))
    #expect(try !fixture.runProcess([], input: "/older 2\n").output.contains(question))
    let terminal = try fixture.start(["--color", "never"])
    try terminal.wait(for: "message 3")
    #expect(!written(terminal).contains(question))
  }

  @Test func `GNU screen hands the question through, and is not asked for the mouse`() throws {
    let fixture = try ShellFixture(count: 3, environment: ["STY": "1.x", "TERM": "screen-256color"])
    let terminal = try fixture.start()
    try terminal.wait(for: "message 3")
    #expect(written(terminal).contains("\u{1B}P\u{1B}]11;?\u{7}\u{1B}\\"))
    #expect(!written(terminal).contains("\u{1B}[?1000h"))
  }
}
