import Foundation
import ShellTesting
import TestSupport
import Testing

/// What `tail`, `export` and `search` print on a terminal and into pipes, and in which colours.
@Suite(.serialized) struct PrintingTests {
  private static let long = "a text that is longer than the row of the terminal in which it is shown"

  /// A conversation of three messages on two days.
  private func fixture() throws -> ShellFixture {
    let fixture = try ShellFixture(count: 1, texts: [Self.long])
    try fixture.add(
      """
      {"conversation":"general","time":"2024-05-03T12:00:00.000Z","sender":"\\u001b[31m小林","text":"霧\\u001b[2J \
      https://example.org/"}

      """)
    return fixture
  }

  /// Adds a second conversation, with a message between those of the first.
  private func addOther(to fixture: ShellFixture) throws {
    try fixture.add(
      #"{"conversation":"other","time":"2024-05-02T09:00:00.000Z","sender":"mira","text":"a text of hers"}"#
        + "\n")
  }

  /// Runs a command in a terminal and returns what it showed.
  private func show(
    _ arguments: [String], at fixture: ShellFixture, columns: Int = 50, environment: [String: String] = [:]
  ) throws -> (lines: [String], output: String) {
    let (screen, output, status) = try fixture.show(arguments, columns: columns, environment: environment)
    #expect(status == 0 && screen.title == nil && screen.unknownSequences.isEmpty)
    var lines = screen.lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return (lines, output)
  }

  @Test(arguments: [["tail"], ["export", "--format", "text"]])
  func `on a terminal senders have colours, days are parted and lines hang from the time`(
    command: [String]
  ) throws {
    let shown = try show(command, at: try fixture())
    #expect(
      shown.lines == [
        "── Wednesday, 2024-05-01 ─────────────────────────", "2024-05-01 00:00:00  alice  message 1",
        "2024-05-01 00:01:00  bob  a text that is longer",
        "                     than the row of the terminal",
        "                     in which it is shown", "── Friday, 2024-05-03 ────────────────────────────",
        "2024-05-03 12:00:00  ␛[31m小林  霧␛[2J", "                     https://example.org/",
      ])
    #expect(shown.output.contains("\u{1B}[1;38;5;"))
    let narrow = try show(command, at: try fixture(), columns: 24)
    #expect(narrow.lines.suffix(3) == ["2024-05-03 12:00:00", "  ␛[31m小林  霧␛[2J", "  https://example.org/"])
  }

  @Test(arguments: [["tail"], ["search", "text"]])
  func `no colour is written where none is wanted, and the width is kept all the same`(
    command: [String]
  ) throws {
    let fixture = try fixture()
    for (option, environment) in [
      ("auto", ["NO_COLOR": "1"]), ("auto", ["TERM": "dumb"]), ("never", [:]),
    ] {
      let shown = try show(command + ["--color", option], at: fixture, environment: environment)
      #expect(!shown.output.contains("\u{1B}"))
      #expect(shown.lines.contains("                     in which it is shown"))
    }
    #expect(
      try show(command + ["--color", "always"], at: fixture, environment: ["NO_COLOR": "1"]).output.contains(
        "\u{1B}[1;38;5;"))
  }

  @Test(arguments: [
    ["tail"], ["export"], ["search", "text"], ["search", "text", "--context", "1"], ["show", "#0"],
    ["conversations"], ["senders"],
  ])
  func `what is piped is plain, or the same in colour when that is asked for`(command: [String]) throws {
    let fixture = try fixture()
    var command = command
    let first = try fixture.run(["export", "--format", "jsonl", "--limit", "1"]).output
    if command[0] == "show" { command[1] = "#" + first.dropFirst(7).prefix { $0 != "\"" } }
    let plain = try fixture.run(command)
    let colored = try fixture.run(command + ["--color", "always"])
    #expect(plain.status == 0 && colored.status == 0)
    #expect(!plain.output.contains("\u{1B}") && colored.output.contains("\u{1B}["))
    #expect(colored.output.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.output)
    #expect(try fixture.run(["--color", "always"] + command).output == colored.output)
  }

  @Test func `hits are reversed on a terminal, in rows that hang from the time`() throws {
    let fixture = try fixture()
    try addOther(to: fixture)
    let (screen, _, status) = try fixture.show(["search", "text"], rows: 12, columns: 60)
    #expect(status == 0)
    #expect(
      screen.lines.prefix(3) == [
        "other  2024-05-02 09:00:00  mira  a text of hers",
        "general  2024-05-01 00:01:00  bob  a text that is longer",
        "                              than the row of the terminal",
      ])
    let reversed = screen.cells[0].filter(\.rendition.standsOut).map(\.text).joined()
    #expect(reversed == "text")
  }

  @Test func `messages of several conversations say which one they are of`() throws {
    let fixture = try fixture()
    let alone = try fixture.run(["export"]).output
    try addOther(to: fixture)
    #expect(try fixture.run(["export", "-c", "general"]).output == alone)
    #expect(
      try fixture.run(["export"]).output == """
        ==> general <==
        \(alone)
        ==> other <==
        2024-05-02 09:00:00  mira  a text of hers

        """)
    let mixed = try fixture.run(["export", "--merge", "--offset", "1", "--limit", "2"]).output
    #expect(
      mixed == """
        general  2024-05-01 00:01:00  bob  \(Self.long)
        other  2024-05-02 09:00:00  mira  a text of hers

        """)
    #expect(try fixture.run(["tail", "--all"]).output.contains("\nother  2024-05-02 09:00:00  mira  a text"))
    let shown = try show(["export", "--from", "mira", "--from", "alice"], at: fixture)
    #expect(
      shown.lines == [
        "── general ───────────────────────────────────────",
        "── Wednesday, 2024-05-01 ─────────────────────────",
        "2024-05-01 00:00:00  alice  message 1", "", "── other ─────────────────────────────────────────",
        "── Thursday, 2024-05-02 ──────────────────────────", "2024-05-02 09:00:00  mira  a text of hers",
      ])
  }

  @Test func `a screen is as many messages as it has room for`() throws {
    let fixture = try ShellFixture(count: 20, texts: [Self.long])
    let (screen, _, status) = try fixture.show(["tail"], rows: 8, columns: 50)
    #expect(status == 0)
    #expect(screen.lines.first == "── Wednesday, 2024-05-01 ─────────────────────────")
    #expect(screen.contains("message 20") && !screen.contains("message 17"))
  }
}
