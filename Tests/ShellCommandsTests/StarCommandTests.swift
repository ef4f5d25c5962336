import Foundation
import ShellTesting
import Testing

/// `scrollback star` and `unstar`, and which exports have stars.
@Suite(.serialized) struct StarCommandTests {
  private static let lines = """
    {"id":"7022857420800000","conversation":"tea","time":"2024-05-01T12:00:00.000Z","sender":"ann","kind":"text","text":"kettle","starred":"2024-05-02T08:00:00.123Z"}
    {"id":"7022857666560000","conversation":"tea","time":"2024-05-01T12:01:00.000Z","sender":"bob","kind":"text","text":"cup"}

    """

  @Test func `what an import brings is found, and an export of it is the same bytes`() throws {
    let fixture = try ShellFixture(holding: Self.lines)
    #expect(try fixture.run(["export", "--format", "jsonl", "--all"]).output == Self.lines)
    let found = try fixture.run(["search", "--json", "is:starred"])
    #expect(found.output.contains("\"starred\":\"2024-05-02T08:00:00.123Z\""), "\(found)")
    #expect(try fixture.run(["search", "--json", "--", "-is:starred"]).output.contains("cup"))
    for format in ["text", "markdown", "html", "csv", "mbox"] {
      let export = try fixture.run(["export", "--format", format, "--all"])
      #expect(
        export.status == 0 && !export.output.contains("star") && !export.output.contains("★"), "\(format)")
    }
  }

  @Test func `stars are given and taken away by ids, all or none`() throws {
    let fixture = try ShellFixture(holding: Self.lines)
    let starred = try fixture.run(["star", "#7022857666560000", "7022857420800000"])
    #expect(starred.errors == "starred 1 message\n", "\(starred)")
    #expect(try fixture.run(["show", "#7022857666560000"]).output.contains("starred"))
    #expect(try fixture.run(["filters", "save", "kept", "is:starred"]).status == 0)
    #expect(try fixture.run(["filters"]).output.contains("2"))
    let missing = try fixture.run(["unstar", "#7022857666560000", "#5"])
    #expect(missing.status == 1 && missing.errors.contains("#5"), "\(missing)")
    #expect(
      try fixture.run(["unstar", "#7022857666560000", "#7022857420800000"]).errors
        == "removed the stars of 2 messages\n")
    #expect(try fixture.run(["search", "is:starred"]).status == 1)
    #expect(try fixture.run(["check"]).status == 0)
    let wrong = try fixture.run(["search", "is:read"])
    #expect(wrong.errors.contains("is: does not take 'read'") && wrong.errors.contains("starred"), "\(wrong)")
  }
}
