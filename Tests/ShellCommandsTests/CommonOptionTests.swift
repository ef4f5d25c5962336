import Foundation
import ShellTesting
import Testing

/// Options mean the same in all commands.
@Suite(.serialized) struct CommonOptionTests {
  private func numbers(_ fixture: ShellFixture, _ arguments: [String]) throws -> [String] {
    let result = try fixture.run(arguments)
    #expect(result.status == 0, "\(arguments): \(result)")
    return result.output.split(separator: "\n").map { String($0.split(separator: " ").last ?? "") }
  }

  @Test func `limit, offset and order are known wherever messages are shown`() throws {
    let fixture = try ShellFixture(count: 50)
    #expect(try numbers(fixture, ["tail", "--limit", "2"]) == ["49", "50"])
    #expect(try numbers(fixture, ["tail", "-n", "2", "--offset", "3", "--newest-first"]) == ["47", "46"])
    #expect(try numbers(fixture, ["export", "--limit", "2", "--offset", "1"]) == ["2", "3"])
    #expect(try numbers(fixture, ["search", "message", "--limit", "2", "--offset", "1"]) == ["49", "48"])
    #expect(try numbers(fixture, ["search", "message", "--oldest-first", "--limit", "2"]) == ["1", "2"])
    let scanned = ["search", "--regex", "message .0$", "--oldest-first", "--offset", "1"]
    #expect(try numbers(fixture, scanned) == ["20", "30", "40", "50"])
    #expect(try numbers(fixture, ["search", "message", "--matching", "7"]) == ["7"])
    #expect(try fixture.run(["search", "message", "--offset", "50"]).status == 1)
    for wrong in [
      ["tail", "-n", "-1"], ["tail", "--offset", "-1"], ["tail", "-f", "--newest-first"],
      ["search", "x", "--offset", "-1"], ["search", "x", "--context", "1", "--oldest-first"],
      ["export", "--json", "--format", "csv"], ["stats", "--sizes", "-c", "general"],
    ] {
      #expect(try fixture.run(wrong).status == 64, "\(wrong)")
    }
  }

  @Test func `a time may begin with a minus sign, a zone may be an offset`() throws {
    let fixture = try ShellFixture(count: 3)
    #expect(try numbers(fixture, ["tail", "--since", "-900000h", "-n", "1"]) == ["3"])
    #expect(try fixture.run(["append", "--time", "-2h", "--from", "eve", "earlier"]).status == 0)
    func clock(_ zone: String) throws -> String {
      String(try fixture.run(["export", "--limit", "1", "--time-zone", zone]).output.dropFirst(11).prefix(5))
    }
    let (utc, india) = (try clock("UTC"), try clock("+05:30"))
    #expect(utc != india && utc.suffix(2) != india.suffix(2))
    #expect(try fixture.run(["export", "--time-zone", "+25:00"]).status == 64)
  }

  @Test func `conversations, senders and figures are told of one conversation or all`() throws {
    let fixture = try ShellFixture(count: 4)
    try fixture.run(["append", "-c", "other", "--create", "--from", "zoe", "hello"])
    let all = try fixture.run(["senders"]).output
    let own = try fixture.run(["senders", "-c", "other"]).output
    #expect(all.contains("alice") && all.contains("zoe") && own == "zoe  1\n", "\(own)")
    let list = try fixture.run(["conversations", "--json"]).output
    #expect(list.contains(#""name":"other","messages":1"#) && list.contains(#""senders":1,"#), "\(list)")
    #expect(
      try fixture.run(["stats", "-c", "other", "--json"]).output.hasPrefix(#"{"messages":1,"senders":1,"#))
    #expect(try fixture.run(["stats", "-c", "nowhere"]).status == 1)
  }

  @Test(.disabled(if: geteuid() == 0, "root may write to anything"))
  func `a store that cannot be written to can be checked`() throws {
    let fixture = try ShellFixture(count: 4)
    try fixture.run(["compact"])
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: fixture.store)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.store) }
    let checked = try fixture.run(["check"])
    #expect(checked.status == 0 && checked.errors.contains("no problems"), "\(checked)")
  }
}
