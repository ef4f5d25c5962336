import Testing

@testable import ChatSession

/// The way to the clipboard.
@Suite struct ClipboardTests {
  @Test(
    arguments: [
      (["TERM": "xterm-256color", "DISPLAY": ":0"], nil),
      (["TERM": "xterm-256color", "VTE_VERSION": "7000", "DISPLAY": ":0"], "xclip"),
      (
        ["TERM": "xterm-256color", "VTE_VERSION": "7000", "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"],
        "wl-copy"
      ),
      (["TERM": "tmux-256color", "TMUX": "/tmp/tmux,1,0", "DISPLAY": ":0"], "tmux"),
      (["TERM": "xterm-256color", "VTE_VERSION": "7000", "DISPLAY": ":0", "SSH_CONNECTION": "1 2 3 4"], nil),
      (["TERM": "linux"], nil),
    ] as [([String: String], String?)])
  func `the terminal does it, and a program where the terminal is known not to`(
    environment: [String: String], name: String?
  ) {
    #expect(Clipboard(environment: environment) { _ in true }.program?.name == name)
    #expect(Clipboard(environment: environment) { _ in false }.program == nil)
  }

  @Test func `messages are copied in a format of exports`() throws {
    var screen = try StoreFixture(count: 3).screen(rows: 12, columns: 100)
    let lines = try #require(screen.type("/copy a-c jsonl").clipboard)
    #expect(
      lines.split(separator: "\n").count == 3 && lines.hasPrefix("{") && lines.contains("message 2 of pears"))
    let markdown = try #require(screen.type("/copy c-a md").clipboard)
    #expect(markdown.contains("message 1 of apples") && markdown.contains("message 3 of apples"))
    screen.type("/copy a-c docx")
    #expect(screen.status.contains("/copy"), "\(screen.status)")
  }

  @Test func `messages are given to a command, and what it prints is shown`() throws {
    var screen = try StoreFixture(count: 3).screen(rows: 12, columns: 100)
    screen.finish(screen.type("/copy a-c | wc -l"))
    #expect(
      screen.lines.contains { $0.trimmingPrefix(while: { $0 == " " }) == "2" }, "\(screen.terminal.picture)")
    screen.type("q")
    screen.finish(screen.type("/copy a | cat >/dev/null"))
    #expect(screen.status.contains("gave 19 characters to 'cat >/dev/null'"), "\(screen.status)")
    screen.finish(screen.type("/copy a | exit 3"))
    #expect(screen.status.contains("ended with status 3"), "\(screen.status)")
    let first = try #require(screen.session.reader.sight.visible).lowerBound
    #expect(try screen.fixture.transcript("/copy #\(first) | cat") == "message 1 of apples\n")
  }

  @Test func `messages are quoted into the line, to write below them`() throws {
    let fixture = try StoreFixture(count: 2, text: { "first \($0)\n\nlast" })
    var screen = try fixture.screen(rows: 12, columns: 100)
    #expect(screen.type("/quote a").line == "> first 1\n>\n> last\n")
    #expect(screen.type("/quote a-b").line == "> alice: first 1\n>\n> last\n> bob: first 2\n>\n> last\n")
    screen.type("/open *")
    screen.type("/quote a")
    #expect(screen.status.contains("nothing is written here"), "\(screen.status)")
  }

  @Test func `keys select messages beyond the screen, which are copied and quoted without a letter`() throws {
    var screen = try StoreFixture().screen(rows: 12, columns: 100)
    screen.handle(.key(.pick))
    #expect(screen.status.hasPrefix(" 1 message selected"), "\(screen.status)")
    screen.handle(.key(.rowOlder, count: 3))
    screen.handle(.key(.pick))
    screen.handle(.key(.rowOlder, count: 20))
    #expect(screen.status.hasPrefix(" 21 messages selected"), "\(screen.status)")
    let text = try #require(screen.type("/copy").clipboard)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 21 && lines[0].contains("message 77 ") && lines[20].contains("message 97 "))
    #expect(screen.session.reader.pickedMessages == nil)
    screen.handle(.key(.newest))
    screen.handle(.key(.pickOlder))
    #expect(screen.type("/quote").line == "> message 100 of pears\n")
    screen.handle(.key(.pickOlder))
    screen.handle(.key(.pickOlder))
    screen.handle(.key(.pickNewer))
    screen.handle(.key(.pickOlder))
    #expect(screen.type("/quote").line == "> alice: message 99 of apples\n> bob: message 100 of pears\n")
  }

  @Test func `what is selected is marked, a page extends it, and Esc ends it`() throws {
    var screen = try StoreFixture().screen(rows: 12, columns: 100)
    func marked() -> Int {
      screen.session.reader.rowsDrawn(below: []).count { $0.spans.contains { $0.style.ground == .selection } }
    }
    screen.handle(.key(.pickOlder))
    #expect(marked() == 1)
    screen.handle(.key(.pageOlder))
    // A row is a date.
    #expect(marked() >= screen.session.reader.view.height - 1, "\(screen.terminal.picture)")
    screen.type("/copy jsonl")
    #expect(marked() == 0)
    screen.handle(.key(.pick))
    screen.handle(.key(.escape))
    #expect(marked() == 0 && screen.session.reader.pickedMessages == nil)
    screen.type("/copy")
    #expect(screen.status.contains("no messages are selected"), "\(screen.status)")
    #expect(try screen.fixture.transcript("/copy").contains("no messages are selected"))
  }

  @Test func `a text goes to the program, and the window says which`() throws {
    let fixture = try StoreFixture()
    var screen = try fixture.screen(columns: 100)
    screen.type("/copy a")
    #expect(screen.status.contains("· the terminal (OSC 52)"), "\(screen.status)")
  }
}
