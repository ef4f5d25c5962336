import Foundation
import ShellTesting
import Testing

/// `scrollback delete --leave-note`, and deleted messages in what is exported and shown.
@Suite(.serialized) struct DeleteCommandTests {
  private static let lines = """
    {"id":"7022857420800000","conversation":"tea","time":"2024-05-01T12:00:00.000Z","sender":"ann","kind":"text","deleted":{"time":"2024-05-02T08:00:00.123Z","by":"ann","id":"U1"}}
    {"id":"7022857666560000","conversation":"tea","time":"2024-05-01T12:01:00.000Z","sender":"bob","kind":"text","text":"a zebraquartz cup","replyTo":"7022857420800000"}

    """

  @Test func `what an import brings is shown, and an export of it is the same bytes`() throws {
    let fixture = try ShellFixture(holding: Self.lines)
    #expect(try fixture.run(["export", "--format", "jsonl", "--all"]).output == Self.lines)
    for format in ["text", "markdown", "html", "csv", "mbox"] {
      #expect(
        try fixture.run(["export", "--format", format, "--all"]).output.contains("deleted by ann"),
        "\(format)")
    }
    #expect(try fixture.run(["tail", "-n", "5"]).output.contains("[deleted by ann]"))
    #expect(try fixture.run(["show", "#7022857420800000"]).output.contains("deleted"))
    let answer = try fixture.run(["tail", "-n", "5", "--json"]).output
    #expect(
      answer.contains(#""deleted":{"time":"2024-05-02T08:00:00.123Z","by":"ann","id":"U1"}"#), "\(answer)")
  }

  @Test func `a note is left, no text, and importing the history again restores nothing`() throws {
    let fixture = try ShellFixture(holding: Self.lines)
    let removed = try fixture.run(["delete", "--leave-note", "#7022857666560000"])
    #expect(removed.errors == "removed the contents of 1 message\n", "\(removed)")
    try fixture.add(Self.lines)
    let export = try fixture.run(["export", "--format", "jsonl", "--all"]).output
    #expect(export.split(separator: "\n").count == 2 && !export.contains("zebraquartz"), "\(export)")
    #expect(export.contains(#""replyTo":"7022857420800000","deleted":{"time":""#), "\(export)")
    #expect(try fixture.run(["search", "zebraquartz"]).status == 1)
    #expect(try fixture.run(["delete", "--leave-note", "#7022857666560000"]).status == 0)
    #expect(try fixture.run(["edit", "#7022857666560000", "tea"]).status != 0)
    #expect(try fixture.run(["delete", "--leave-note", "#5"]).status == 1)
    #expect(try fixture.run(["check"]).status == 0)
  }
}
