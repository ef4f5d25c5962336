import Testing

@testable import ChatSession

/// `/help`.
@Suite struct HelpTests {
  @Test func `all commands and keys are on one screen of 24 rows and 80 columns`() throws {
    let lines = HelpOverview.lines
    #expect(lines.count <= 22 && lines.allSatisfy { $0.count <= 78 }, "\(lines.joined(separator: "\n"))")
    #expect(lines[0].hasPrefix("Keys"))
    let named = Set(lines.flatMap { $0.matches(of: /\/([a-z]+)/).map { String($0.1) } })
    for entry in CommandTable.entries { #expect(named.contains(entry.name), "\(entry.name)") }
    var screen = try StoreFixture().screen(rows: 24, columns: 80)
    screen.type("/help")
    #expect(screen.lines.prefix(lines.count).map { $0 } == lines.map { $0 }, "\(screen.terminal.picture)")
  }

  @Test func `a word is looked for in names, summaries and examples, names first`() throws {
    let found = try HelpText.lines(about: "clipboard")
    #expect(found.contains { $0.hasPrefix("/copy") } && found.contains { $0.hasPrefix("/url") })
    #expect(!found.contains { $0.hasPrefix("/goto") })
    #expect(try HelpText.lines(about: "mar").first?.hasPrefix("/mark") == true)
    #expect(try HelpText.lines(about: "goto").first == "/goto DATE | NUMBER | PERCENT | #ID | 'MARK | unread")
    #expect(try HelpText.lines(about: "cnvs").first?.hasPrefix("/conversations") == true)
    #expect(throws: UsageError.self) { try HelpText.lines(about: "xyzzy") }
  }

  @Test func `what is typed over help narrows the commands, and Enter explains the chosen one`() throws {
    var screen = try StoreFixture().screen(rows: 24, columns: 80)
    screen.type("/help")
    screen.handle(.typed("clipb"))
    #expect(screen.lines[0].hasPrefix("/copy") && screen.lines[2].isEmpty, "\(screen.terminal.picture)")
    screen.handle(.key(.rowNewer))
    screen.type("clipb")
    #expect(screen.lines[0].hasPrefix("/copy [LETTER"), "\(screen.terminal.picture)")
    #expect(screen.lines[1] == "  the text of a message into the clipboard")
    screen.type("/help")
    screen.type("goto")
    #expect(screen.lines[0].hasPrefix("/goto DATE"))
    screen.handle(.key(.escape))
    #expect(screen.lines[21 - 1].contains("message 100"), "\(screen.terminal.picture)")
  }

  @Test func `where there is nothing to read, three lines say how to import, to write and to leave`() {
    #expect(HelpText.firstStart.count == 3)
    for (line, word) in zip(HelpText.firstStart, ["/import", "write", "leave"]) {
      #expect(line.contains(word) && line.count <= 78)
    }
  }
}
