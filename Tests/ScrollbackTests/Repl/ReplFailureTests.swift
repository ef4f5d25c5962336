import Foundation
import GRDB
import ShellTesting
import TestSupport
import Testing

/// What goes wrong, in the real program in a terminal: nothing typed is lost.
@Suite(.serialized) struct ReplFailureTests {
  @Test func `a store that another program keeps busy gives the line back`() throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.open(columns: 100)
    var options = Configuration()
    options.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: fixture.store, configuration: options)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    try terminal.type("what I wanted to say\r")
    try terminal.wait(for: "the line to come back") {
      $0.lines.last == "> what I wanted to say" && $0.lines.contains { $0.contains("cannot append") }
    }
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    try terminal.type("\r")
    try terminal.wait(for: "carol  what I wanted to say")
    #expect(terminal.screen.lines.last == ">")
  }

  @Test(arguments: [[], ["--inline"]])
  func `while another program writes one goes on typing, and Ctrl-C gives the line back`(
    options: [String]
  ) throws {
    let fixture = try ShellFixture()
    let terminal = try fixture.start(options, columns: 100)
    try terminal.wait(for: "the prompt") { $0.lines.contains(">") }
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: fixture.store, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    try terminal.type("what I wanted to say\r")
    try terminal.wait(for: "working … Ctrl-C stops it")
    try terminal.type("then")
    try terminal.wait(for: "what is typed") { $0.lines.contains { $0.hasSuffix("> then") } }
    try terminal.type("\u{15}")
    try terminal.wait(for: "an empty line") { $0.lines.last { !$0.isEmpty }?.hasSuffix(">") == true }
    try terminal.type("\u{3}")
    // In `--inline` the row that was sent stays above: the line is back when it is the last.
    try terminal.wait(for: "the line to come back") {
      $0.lines.last { !$0.isEmpty } == "> what I wanted to say"
    }
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    try terminal.type("\r")
    try terminal.wait(for: "carol  what I wanted to say")
  }

  @Test(arguments: [(5, 40), (24, 80), (50, 132)])
  func `a command that fails, at once or later on, is in the history, and the next line is a fresh one`(
    rows: Int, columns: Int
  ) throws {
    let fixture = try ShellFixture(count: 30)
    let terminal = try fixture.open(rows: rows, columns: columns)
    for (line, said) in [
      ("/import nowhere.jsonl", "cannot read"), ("/attach nowhere.png look", "cannot append"),
      ("/search regex:nowhere", "nothing found"), ("/nosuch", "there is no command"),
    ] {
      try terminal.type("\(line)\r")
      try terminal.wait(for: "an empty line, and why") {
        $0.lines.last == ">" && $0.lines.contains { $0.contains(said) }
      }
      // What went wrong stays in sight while something else is typed.
      try terminal.type("so")
      try terminal.wait(for: "what is typed") {
        $0.lines.last == "> so" && $0.lines.contains { $0.contains(said) }
      }
      try terminal.type("\u{15}\u{1B}[A")
      try terminal.wait(for: "the line of the history") { $0.lines.last == "> \(line)" }
      try terminal.type("\u{15}")
      try terminal.wait(for: "an empty line") { $0.lines.last == ">" }
    }
    #expect(terminal.screen.unknownSequences.isEmpty)
  }

  @Test func `a store that can only be read gives the line back`() throws {
    let fixture = try ShellFixture()
    // What others have added to is not written to.
    let other = try DatabaseQueue(path: fixture.store)
    try other.inDatabase { try $0.execute(sql: "CREATE TABLE stranger(a)") }
    try other.close()
    let terminal = try fixture.open(columns: 100)
    try terminal.type("what I wanted to say\r")
    try terminal.wait(for: "the line to come back") {
      $0.lines.last == "> what I wanted to say" && $0.lines.contains { $0.contains("cannot") }
    }
    try terminal.type("\u{15}/top\r")
    try terminal.wait(for: " 1 of 200")
  }

  @Test func `a full disk gives the line back`() throws {
    let fixture = try ShellFixture()
    try fixture.forgetImport()
    let program = BuiltProduct.path(of: "scrollback")
    // A file may grow to 128 blocks of 512 bytes: too few for this message.
    let terminal = try PseudoTerminal(
      running: "/bin/sh", ["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\"", program],
      environment: fixture.environment, rows: 12, columns: 100)
    terminal.belongings = fixture
    try terminal.wait(for: "200 of 200")
    let long = String(repeating: "long ", count: 800)
    for _ in 1...30 where !terminal.screen.lines.contains(where: { $0.contains("cannot") }) {
      try terminal.type(long + "end\r")
      try terminal.wait(for: "an answer") {
        $0.lines.last == ">" || $0.lines.contains { $0.contains("cannot") }
      }
    }
    try terminal.wait(for: "the line to come back") { $0.lines.last?.hasSuffix("end") == true }
    try terminal.type("\u{15}/top\r")
    try terminal.wait(for: " 1 of ")
  }

  @Test func `Ctrl-C stops an import, keeps whole messages, and the same again carries on`() throws {
    let fixture = try ShellFixture()
    let file = fixture.folder.appendingPathComponent("more.jsonl")
    let lines = (0..<40_000).map { index in
      let (hour, minute, second) = (index / 3_600 % 24, index / 60 % 60, index % 60)
      let time =
        "2024-06-1\(index / 86_400)T"
        + [hour, minute, second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      return """
        {"conversation":"general","time":"\(time)Z","sender":"eve","text":"more \(index)"}

        """
    }
    try lines.joined().write(to: file, atomically: true, encoding: .utf8)
    let terminal = try fixture.open(columns: 120)
    try terminal.type("/import \(file.path)\r")
    try terminal.wait(for: "progress") { $0.text(ofRow: 10).contains("import") }
    // The store can be read and the window moved meanwhile.
    try terminal.type("/goto 7\r")
    try terminal.wait(for: "message 7")
    try terminal.type("half a line")
    try terminal.wait(for: "> half a line")
    try terminal.type("\u{3}")
    try terminal.wait(for: "the import to end") { $0.text(ofRow: 10).contains("imported") }
    if terminal.screen.contains("stopped: imported") {
      #expect(terminal.screen.lines.last == "> half a line")
    }
    try terminal.type("\u{15}/import \(file.path)\r")
    try terminal.wait(for: "the rest") { $0.text(ofRow: 10).contains("of 40,000 records") }
    try terminal.type("/bottom\r")
    try terminal.wait(for: "40,200 of 40,200")
  }

  @Test(arguments: [([], SIGTERM), (["--inline"], SIGTERM), ([], SIGHUP), (["--plain"], SIGHUP)])
  func `a signal that ends it keeps the line being typed`(options: [String], signal: Int32) throws {
    let fixture = try ShellFixture(count: 30)
    let terminal = try fixture.start(options)
    try terminal.wait(for: "the prompt") { $0.contains("message 30") && $0.lines.contains(">") }
    try terminal.type("what I wanted to s")
    try terminal.wait(for: "> what I wanted to s")
    terminal.signal(signal)
    #expect(terminal.waitForExit() == 128 + signal)
    #expect(!terminal.screen.isAlternate && terminal.screen.modes.isEmpty)
    let next = try fixture.start(options)
    try next.wait(for: "the prompt") { $0.contains("message 30") && $0.lines.contains(">") }
    try next.type("\u{1B}[A")
    try next.wait(for: "> what I wanted to s")
    #expect(try fixture.run(["tail", "-n", "1"]).output.hasSuffix("message 30\n"))
  }

  @Test(arguments: [[], ["--inline"], ["--plain"]])
  func `a terminal that goes away leaves the line being typed`(options: [String]) throws {
    let fixture = try ShellFixture(count: 30)
    let terminal = try fixture.start(options)
    try terminal.wait(for: "the prompt") { $0.contains("message 30") && $0.lines.contains(">") }
    try terminal.type("what I wanted to s")
    try terminal.wait(for: "> what I wanted to s")
    terminal.hangUp()
    #expect(terminal.waitForExit() == 128 + SIGHUP)
    let history = fixture.folder.appendingPathComponent(".local/state/scrollback/history")
    #expect(try String(contentsOf: history, encoding: .utf8).hasSuffix("what I wanted to s\n"))
    #expect(try fixture.run(["tail", "-n", "1"]).output.hasSuffix("message 30\n"))
  }

  @Test(arguments: [(5, 30), (24, 80)])
  func `a terminal that reads slowly is not flooded`(rows: Int, columns: Int) throws {
    let terminal = try ShellFixture(count: 2_000).open(rows: rows, columns: columns)
    let before = terminal.output.count
    // Nothing is read from the terminal while all this is typed.
    for _ in 1...150 { try terminal.type("\u{1B}[5~\u{1B}[6~\u{1B}[5~") }
    try terminal.type("the end")
    try terminal.wait(for: "the line") { $0.lines.last == "> the end" }
    #expect(terminal.output.count - before < 450 * rows * columns / 3, "each key painted a screen")
    #expect(terminal.screen.unknownSequences.isEmpty)
  }

  @Test(
    arguments: [
      "/goto", "/goto 99999999999999999999", "/goto 101%", "/older -1", "/older 99999999", "/mark", "/edit",
      "/edit zz x", "/reply", "/react a", "/react a :nosuchemoji:", "/delete #0", "/filter from:",
      "/search \"", "/set nothing x", "/set time-zone Mars/Base", "/import",
      "/import /nowhere",
      "/export", "/follow maybe", "/view #-1", "/help nosuch", "/o", "/ ",
      "/open \u{16}\u{1B}[2J",
    ])
  func `absurd commands explain themselves`(line: String) throws {
    let terminal = try ShellFixture(count: 30).open(rows: 12, columns: 120)
    try terminal.type("\(line)\r")
    try terminal.wait(for: "an explanation, and an empty line") { screen in
      let status = screen.text(ofRow: 10)
      return !status.isEmpty && ![" general", " working"].contains { status.hasPrefix($0) }
        && screen.lines.last == ">"
    }
    #expect(terminal.screen.title == nil && terminal.screen.unknownSequences.isEmpty)
  }

  @Test(arguments: ["", "--view", "--inline"])
  func `a terminal that cannot be read ends the session with a sentence and a code`(option: String) throws {
    let fixture = try ShellFixture()
    let said = fixture.folder.appendingPathComponent("said").path
    let program = BuiltProduct.path(of: "scrollback")
    // Nobody is left who could bring it to the foreground: what it reads fails, and the terminal is still there.
    let script = """
      ( ( sleep 0.3; '\(program)' \(option) </dev/tty >/dev/tty 2>'\(said)'; echo "code $?" >>'\(said)' ) & )
      sleep 30
      """
    let terminal = try PseudoTerminal(
      running: "/bin/sh", ["-m", "-c", script], environment: fixture.environment, rows: 12, columns: 60)
    terminal.belongings = fixture
    var text = ""
    while !text.contains("code") {
      usleep(20_000)
      try terminal.type("x\r")
      text = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
    }
    #expect(text == "scrollback: cannot read the terminal\n  cause: Input/output error\ncode 74\n")
    terminal.signal(SIGKILL)
  }
}
