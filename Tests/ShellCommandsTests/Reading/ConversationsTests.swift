import Foundation
import ShellTesting
import TerminalText
import Testing

/// `conversations`, and words that are nearly commands.
struct ConversationsTests {
  @Test(arguments: [("minute", "04:00.000"), ("second", "04:05.000"), ("day", nil)])
  func `first and last are the times of the messages, no more exact than they are known`(
    precision: String, time: String?
  ) throws {
    let fixture = try ShellFixture(
      holding: """
        {"conversation":"c","time":"2024-05-02T00:04:05.000Z","precision":"\(precision)","text":"1"}
        {"conversation":"c","time":"2024-05-02T00:04:05.000Z","precision":"\(precision)","text":"2"}

        """)
    let exported = try fixture.run(["export", "--format", "jsonl"]).output.matches(of: /"time":"([^"]*)"/)
    let listed = try fixture.run(["conversations", "--json"]).output.matches(of: /"(?:first|last)":"([^"]*)"/)
    #expect(listed.map(\.1) == exported.map(\.1) && listed.count == 2)
    #expect(listed[0].1 == "2024-05-02T00:\(time ?? "00:00.000")Z")
    let table = try fixture.run(["conversations", "--time-zone", "America/New_York"]).output
    let times = time == nil ? "2024-05-02  2024-05-02" : "2024-05-01 20:04  2024-05-01 20:04"
    #expect(table == "c  2  \(times)  0 senders  2\n")
  }

  @Test func `a word that is nearly a command is told from a conversation`() throws {
    let fixture = try ShellFixture(count: 1)
    let wrong = try fixture.run(["serach", "foo"])
    #expect(wrong.status == 64)
    #expect(
      wrong.errors
        == "scrollback: no command 'serach' — did you mean 'search'?\n  try: scrollback --help\n")
    #expect(try fixture.run(["expotr", "--format", "jsonl"]).errors.contains("did you mean 'export'?"))
    #expect(try fixture.run(["serach"]).errors.contains("did you mean 'search'?"))
    #expect(try fixture.run(["general", "foo"]).errors.contains("open does not take 'foo'"))
    #expect(try fixture.run(["general"], input: "/top\n").status == 0)
  }

  @Test(arguments: [60, 80, 132]) func `the list fits into the terminal`(columns: Int) throws {
    let fixture = try ShellFixture(
      count: 3, texts: ["a long message that goes on and on, and on, to the end of it"])
    for name in ["日本語の長い名前の部屋ですよね、とても長い", String(repeating: "long ", count: 49)] {
      try fixture.run(["append", "-c", name, "--create", "--from", "zoe", "こんにちは、世界"])
    }
    let shown = try fixture.show(["conversations"], columns: columns)
    let lines = shown.output.split(separator: "\n").map { $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
    #expect(lines.count == 3)
    for line in lines { #expect(DisplayWidth.columns(of: line) <= columns, "\(line)") }
    let piped = try fixture.run(["conversations"]).output.split(separator: "\n")
    #expect(piped.contains { $0.hasPrefix("general  ") && $0.utf8.count < 200 })
    #expect(piped.contains { $0.contains(String(repeating: "long ", count: 48)) })
  }
}
