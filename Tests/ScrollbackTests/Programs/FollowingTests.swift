import Foundation
import ShellTesting
import TestSupport
import Testing

/// What `tail -f` prints on a terminal.
@Suite(.serialized) struct FollowingTests {
  @Test func `following parts a day that begins from the one before, at the width there is`() throws {
    let fixture = try ShellFixture(count: 1)
    let terminal = try fixture.start(["tail", "-f"], rows: 12, columns: 60)
    try terminal.wait(for: "alice  message 1")
    terminal.resize(rows: 12, columns: 40)
    try fixture.run(["append", "--from", "carol", "a message of today"])
    try terminal.wait(for: "a message of today")
    let rules = terminal.screen.lines.filter { $0.hasPrefix("── ") }
    #expect(rules.count == 2 && rules[1].count == 40, "\(terminal.screen.picture)")
    terminal.signal(SIGINT)
    _ = terminal.waitForExit()
  }

  @Test func `following all conversations tells which one a message is of from the first on`() throws {
    let fixture = try ShellFixture(count: 1)
    let terminal = try fixture.start(["tail", "-f", "--all"], rows: 12, columns: 60)
    try terminal.wait(for: "general  2024-05-01 00:00:00  alice  message 1")
    try fixture.run(["append", "-c", "other", "--create", "--from", "carol", "elsewhere"])
    try terminal.wait(for: "elsewhere")
    #expect(terminal.screen.lines.contains { $0.hasPrefix("other  ") && $0.hasSuffix("carol  elsewhere") })
    terminal.signal(SIGINT)
    _ = terminal.waitForExit()
  }
}
