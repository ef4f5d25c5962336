import Foundation
import ShellTesting
import TestSupport
import Testing

/// Histories written to take a terminal over: nothing of them may reach it but visible symbols in their own rows.
@Suite(.serialized) struct TerminalAttackTests {
  /// Texts and names that have controlled terminals, pagers and chat programs.
  private static let attacks = [
    // Titles, clipboards, colours of the palette, answers typed in the reader's name.
    "\u{1B}]0;owned\u{7}", "\u{1B}]2;owned\u{1B}\\", "\u{1B}]52;c;b3duZWQ=\u{7}", "\u{1B}]4;1;?\u{7}",
    "\u{1B}]10;?\u{7}", "\u{1B}[c", "\u{1B}[>c", "\u{1B}[6n", "\u{1B}[21t", "\u{5}", "\u{1B}Z",
    "\u{1B}P$q\"p\u{1B}\\",
    "\u{1B}P+q544e\u{1B}\\", "\u{1B}]8;;file:///etc/passwd\u{1B}\\click\u{1B}]8;;\u{1B}\\",
    // Cursor, screen, modes, character sets, colours.
    "\u{1B}[2J\u{1B}[H", "\u{1B}[5;1Hover", "\u{1B}c", "\u{1B}#8", "\u{1B}(0qqq", "\u{E}qqq", "\u{1B}[?1049l",
    "\u{1B}[?25l", "\u{1B}[?7l", "\u{1B}[1;3r", "\u{1B}[4h", "\u{1B}[20h", "\u{1B}[31;5;7m",
    "\u{1B}[8mhidden",
    "\u{1B}[1A\u{1B}[2K", "\u{1B}7\u{1B}8", "\u{1B}D\u{1B}M", "\u{1B}[100S", "\u{1B}[1000000000b",
    "\u{1B}[?2004h",
    // The same in eight bits, cut short, and nested.
    "\u{9B}2J", "\u{9D}0;owned\u{9C}", "\u{90}q", "\u{85}next", "\u{1B}", "\u{1B}[", "\u{1B}]0;",
    "\u{1B}\u{1B}[2J",
    // Control characters.
    "a\rb", "a\u{8}\u{8}\u{8}b", "a\u{B}b\u{C}c", "\u{7}\u{7}\u{7}", "a\u{7F}b", "nul\u{0}nul", "\t\t\t\tend",
    // Direction and shape.
    "\u{202E}drawkcab", "\u{2066}\u{2067}\u{2068}isolates", "\u{200F}mark", "\u{61C}letter",
    "שלום \u{202D}olleh",
    "a" + String(repeating: "\u{301}", count: 2_000), String(repeating: "\u{200B}", count: 2_000) + "b",
    String(repeating: "\u{200D}", count: 2_000), "\u{FEFF}bom", "x\u{2028}y\u{2029}z",
    "\u{E0041}\u{E0042}tags",
    "👨\u{200D}👩\u{200D}👧\u{200D}👦👍🏽🇩🇪", "\u{FFF9}a\u{FFFA}b\u{FFFB}", "ﷺ﷽𒐫꧅",
    String(repeating: "👩‍👩‍👧", count: 500),
    // Lengths.
    String(repeating: "long", count: isLong ? 262_144 : 30_000),
    String(repeating: "\u{1B}[31m", count: isLong ? 50_000 : 5_000),
    String(repeating: "\n", count: 5_000), String(repeating: "世", count: isLong ? 100_000 : 10_000),
  ]

  /// A store of attacks, each as a text and as the name of its sender, and of bytes that are no UTF-8.
  private static func fixture() throws -> ShellFixture {
    try ShellFixture(named: "attacks", count: 3, prepare: addAttacks)
  }

  private static func addAttacks(to fixture: ShellFixture) throws {
    var bytes = Data()
    for (index, attack) in attacks.enumerated() {
      let line = [
        "conversation": "general", "sender": String(attack.prefix(200)), "text": attack,
        "time": "2024-06-0\(index / 50 + 1)T10:\(index % 50 + 10):00Z",
      ]
      bytes += try JSONEncoder().encode(line) + Data([0x0A])
    }
    bytes += Data(
      #"{"conversation":"general","sender":"bytes","time":"2024-06-09T10:00:00Z","text":"bad "#.utf8)
    bytes += Data([0xC3, 0x28, 0xFF, 0xFE, 0xE2, 0x82]) + Data("\"}\n".utf8)
    let file = fixture.folder.appendingPathComponent("attacks.jsonl")
    try bytes.write(to: file)
    try fixture.run(["import", "--quiet", file.path])
  }

  @Test(arguments: [(5, 20), (10, 40), (24, 80), (50, 132)])
  func `no message takes the terminal over, at any size`(rows: Int, columns: Int) throws {
    let fixture = try Self.fixture()
    let terminal = try fixture.open(rows: rows, columns: columns)
    for command in ["/top", "/goto 20", "/older 7", "/goto 50%", "/newer 20", "/goto 66", "/bottom"] {
      try terminal.type("\(command)\r")
      try terminal.type("\u{1B}[5~\u{1B}[6~\u{1B}[1;3A")
    }
    try terminal.type(
      "/search long OR bom\r/view a\r/conversations\r/filter from:alice\r/filter\r/top\rthe end")
    try terminal.wait(for: "the line typed last, and all done") {
      $0.lines.last?.contains("the end") == true && $0.text(ofRow: rows - 2).hasPrefix(" general")
    }
    try expectUntouched(terminal, rows: rows)
    // The first Ctrl-C may go to a count that is still under way.
    try terminal.type("\u{3}\u{3}")
    try terminal.wait(for: "an empty line") { $0.lines.last == ">" }
    try terminal.type("\u{4}")
    #expect(terminal.waitForExit() == 0)
    #expect(!terminal.screen.isAlternate && terminal.screen.modes.isEmpty)
  }

  @Test func `a view of them is as safe`() throws {
    let fixture = try Self.fixture()
    let terminal = try fixture.start(["--view"], rows: 20, columns: 60)
    try terminal.wait(for: "the first screen") { $0.isAlternate && $0.text(ofRow: 19) == ":" }
    try terminal.type("gddddddddddddddddddddddddddddG")
    try terminal.type("/\u{202E}x\u{9B}2J")
    try terminal.wait(for: "the prompt") { $0.lines.last?.hasPrefix("/") == true }
    #expect(terminal.screen.title == nil && terminal.screen.bells == 0)
    #expect(terminal.screen.unknownSequences.isEmpty)
  }

  @Test func `names of conversations, marks and files are as harmless`() throws {
    let fixture = try ShellFixture(count: 3)
    let name = "\u{1B}]0;owned\u{7}\u{1B}[2J"
    try fixture.run(["append", "-c", "evil\(name)", "--create", "--from", name, "hello"])
    let terminal = try fixture.open(["general"], rows: 12, columns: 100)
    try terminal.type("/open evil\t\r")
    try terminal.wait(for: " evil␛]0;owned␇␛[2J")
    for command in [
      "/mark x", "/marks", "/conversations", "/import /nowhere", "/open nothing",
      "/filter from:x\u{16}\u{1B}[2J",
    ] {
      try terminal.type("\(command)\r")
    }
    try terminal.type("the end")
    try terminal.wait(for: "> the end")
    #expect(terminal.screen.title == nil && terminal.screen.bells == 0)
    #expect(terminal.screen.unknownSequences.isEmpty)
  }

  @Test(arguments: ["--inline", "--plain"])
  func `without a window they are as harmless`(option: String) throws {
    let fixture = try Self.fixture()
    let terminal = try fixture.start([option], rows: 24, columns: 80)
    try terminal.wait(for: "the prompt") { $0.lines.contains(">") }
    try terminal.type(
      "/top\r/newer 100\r/goto 50%\r/view a\r/search long OR bom\r/conversations\rx\u{15}the end")
    try terminal.wait(for: "> the end")
    #expect(terminal.screen.title == nil && terminal.screen.bells == 0)
    #expect(terminal.screen.unknownSequences.isEmpty, "\(terminal.screen.unknownSequences)")
    #expect(!terminal.screen.isAlternate && terminal.screen.isCursorVisible)
    if option == "--plain" { #expect(!terminal.output.contains(0x1B)) }
  }

  @Test(arguments: ["", "--inline", "--plain"])
  func `a text in the line to be edited shows symbols, and stays as it is`(option: String) throws {
    let fixture = try ShellFixture(count: 3)
    let text = "a\u{1B}]0;owned\u{7}b\u{9B}31mc\u{202E}d\u{85}e\u{2066}f"
    try fixture.run(["append", "--from", "alice", text])
    let terminal = try fixture.start(option.isEmpty ? [] : [option], rows: 24, columns: 120)
    try terminal.wait(for: "alice  a")
    try terminal.type("/edit d\r")
    try terminal.wait(for: "a^[]0;owned^Gb⟨U+009B⟩31mc⟨U+202E⟩d⟨U+0085⟩e⟨U+2066⟩f")
    #expect(terminal.screen.title == nil && terminal.screen.unknownSequences.isEmpty)
    #expect(!String(decoding: terminal.output, as: UTF8.self).unicodeScalars.contains("\u{202E}"))
    // Two letters farther left, behind what takes more room than it is.
    try terminal.type("\u{2}\u{2}!\r")
    // It is in the line before it is in the store.
    try terminal.wait(for: "⟨U+0085⟩!")
    try terminal.wait(for: "edited")
    let message = try fixture.run(["tail", "-n", "1", "--json"]).output
    #expect(message.contains(#"b\u009b31mc\u202ed\u0085!e\u2066f"#), "\(message)")
  }

  @Test(arguments: [(5, 20), (12, 60), (24, 132)])
  func `what hangs on messages is as harmless`(rows: Int, columns: Int) throws {
    let fixture = try ShellFixture(count: 3)
    var lines = ""
    for (index, attack) in Self.attacks.enumerated() {
      let short = String(attack.prefix(300))
      let object: [String: Any] = [
        "conversation": "general", "id": "\(index)", "replyTo": "\(max(0, index - 1))", "sender": short,
        "text": short.isEmpty ? "x" : short,
        "time": "2024-06-0\(index / 50 + 1)T10:\(index % 50 + 10):00Z",
        "reactions": [["emoji": short, "senders": [short]]],
        "attachments": [["name": short, "type": "image/\(short)", "bytes": 5]],
      ]
      lines += String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
    }
    try fixture.add(lines)
    let terminal = try fixture.open(rows: rows, columns: columns)
    for command in [
      "/top", "/view a", "/goto 20", "/goto 50%", "/view b", "/bottom", "/filter has:reply", "/filter",
    ] {
      try terminal.type("\(command)\r\u{1B}[5~\u{1B}[6~\u{1B}[1;3A")
    }
    try terminal.type("the end")
    try terminal.wait(for: "the line typed last, and all done") {
      $0.lines.last?.contains("the end") == true && $0.text(ofRow: rows - 2).hasPrefix(" general")
    }
    try expectUntouched(terminal, rows: rows)
  }

  @Test func `a script prints symbols in their place`() throws {
    let fixture = try Self.fixture()
    let answer = try fixture.run(
      [], input: "/top\n/newer 100\n/filter text\n/conversations\n/memory\n/days\n")
    #expect(answer.status == 0, "\(answer.errors)")
    let hidden = answer.output.unicodeScalars.filter {
      $0.value < 0x20 && $0 != "\n" && $0 != "\t" || (0x7F...0x9F).contains($0.value)
        || (0x202A...0x202E).contains($0.value)
    }
    #expect(hidden.isEmpty, "\(hidden)")
  }

  @Test(arguments: ["jsonl", "csv", "tsv", "text", "markdown", "html", "mbox"])
  func `no format controls the terminal that it is written to, and a file has what was written`(
    format: String
  )
    throws
  {
    let fixture = try ShellFixture(count: 1)
    let attack = "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}x\ry\nz"
    let object: [String: Any] = [
      "conversation": attack, "id": "1", "sender": attack, "text": attack, "time": "2024-05-02T12:00:00Z",
      "reactions": [["emoji": attack, "senders": [attack]]],
      "attachments": [["name": attack]],
      "source": ["platform": "x", "id": attack],
    ]
    try fixture.add(
      String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n")
    func expectHarmless(_ arguments: [String]) throws {
      let terminal = try fixture.start(arguments, rows: 24, columns: 200)
      #expect(terminal.waitForExit() == 0)
      #expect(terminal.screen.title == nil && terminal.screen.unknownSequences.isEmpty)
      let bare = String(decoding: terminal.output, as: UTF8.self).replacing(/\u{1B}\[[0-9;]*m/, with: "")
      let hidden = bare.unicodeScalars.filter {
        $0.value < 0x20 && !"\t\r\n".unicodeScalars.contains($0) || (0x7F...0x9F).contains($0.value)
          || (0x202A...0x202E).contains($0.value)
      }
      #expect(hidden.isEmpty, "\(arguments) \(hidden)")
      #expect(
        !bare.unicodeScalars.split(separator: "x").contains {
          $0.first == "\r" && $0.dropFirst().first == "y"
        })
    }
    try expectHarmless(["export", "--format", format])
    try expectHarmless(["export", "--format", format, "--merge", "-o", "/dev/stdout"])
    if format == "mbox" || format == "csv" {
      let data = try fixture.run(["export", "--format", format]).output
      #expect(data.contains("\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}x\ry"))
    }
  }

  private func expectUntouched(_ terminal: PseudoTerminal, rows: Int) throws {
    let screen = terminal.screen
    #expect(screen.title == nil && screen.bells == 0 && screen.isAlternate && screen.isCursorVisible)
    #expect(screen.unknownSequences.isEmpty, "\(screen.unknownSequences)")
    #expect(screen.text(ofRow: rows - 2).hasPrefix(" general"), "\(screen.picture)")
    #expect(screen.cursor.row == rows - 1, "\(screen.picture)")
    #expect(!terminal.output.contains(0x05))
  }
}
