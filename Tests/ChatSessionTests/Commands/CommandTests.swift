import ChatSession
import Testing

/// All commands, as help lists them.
struct CommandTests {
  private static let names = HelpText.commandLines.map {
    String($0.dropFirst().prefix { $0 != " " })
  }

  private static let absurd = [
    "", " ", "-1", "0", "99999999999999999999", "#", "#x", "#1", "a", "zzzz", "on", "off", "%", "'", "\"",
    "a b c",
    "\u{1B}[2J", "\u{0}", "👍", "a \u{7}", "#1 👍", "--into", "../../nowhere", "/dev/null",
    String(repeating: "x", count: 5_000),
    "-99999999999999999999h", "from:", "regex:(", "set", "me \u{202E}", "time-zone ../../etc/passwd",
  ]

  @Test func `help tells of each command`() throws {
    #expect(Self.names.count > 30)
    for name in Self.names {
      let lines = try HelpText.lines(about: name)
      #expect(lines.count >= 2 && lines[0].hasPrefix("/\(name)"))
    }
  }

  @Test(arguments: names.filter { $0 != "export" })
  func `absurd arguments are answered or explained, on a screen and in a script`(name: String) throws {
    let fixture = try StoreFixture(count: 20)
    var screen = try fixture.screen(rows: 8, columns: 100)
    for arguments in Self.absurd {
      let line = "/\(name) \(arguments)"
      let outcome = screen.type(line)
      #expect(outcome.line == nil || ["edit", "quote"].contains(name))
      #expect(screen.terminal.unknownSequences.isEmpty && screen.terminal.title == nil, "\(line)")
      #expect(screen.terminal.lines.last == "", "\(line)")
      screen.handle(.interrupted)
      let answer = try fixture.transcript(line)
      #expect(!answer.contains("\u{1B}") && !answer.contains("\u{7}"), "\(line): \(answer)")
    }
  }

  @Test func `a view speaks of its own keys and commands`() throws {
    var screen = try StoreFixture().view(rows: 60, columns: 100)
    screen.handle(.line("/help"))
    let help = screen.lines.joined(separator: "\n")
    for key in ["j k", "d u", "space b", "g G", "50%", "/WORDS ?WORDS", "n N", "mx 'x", "q   "] {
      #expect(help.contains("\n\(key)") || help.hasPrefix(key), "\(key)")
    }
    #expect(help.contains(":goto DATE"))
    for other in ["appended", "Alt-Enter", "delete", ":import", "/goto", "/search", "Tab"] {
      #expect(!help.contains(other), "\(other)")
    }
    screen.handle(.line("/help goto"))
    #expect(screen.lines[2].hasPrefix("  :goto 2024-05-01 "))
    for (event, message) in [
      (ReplEvent.key(.repeatHit), " no search yet — try: /WORDS"),
      (.line("/o"), " ':o' could be :older, :open"),
      (.line("/goto x"), " :goto cannot use 'x' — try: :goto DATE |"),
      (.line("/mark a"), " mark 'a set; :goto 'a returns here"),
      (.line("/open gezral"), " no conversation 'gezral'"),
    ] {
      screen.handle(event)
      #expect(screen.status.hasPrefix(message), "\(screen.status)")
    }
  }

  @Test(arguments: names)
  func `a command in a view writes nothing`(name: String) throws {
    let fixture = try StoreFixture(count: 20)
    let before = try fixture.transcript("/older 30")
    var session = try Session(try fixture.context(), rows: 10, columns: 80, isReadOnly: true)
    for arguments in ["", "b", "b text", "text", "/etc/hostname"] where name != "export" {
      let outcome = session.handle(.line("/\(name) \(arguments)"))
      #expect(name == "search" || !outcome.jobs.contains { $0.lane == .transfer })
    }
    _ = session.handle(.line("text without a slash"))
    #expect(try fixture.transcript("/older 30") == before)
  }
}
