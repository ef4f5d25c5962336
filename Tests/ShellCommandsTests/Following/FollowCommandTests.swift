import Foundation
import ShellTesting
import Testing

/// `follow` and `sources`, as somebody types them.
@Suite struct FollowCommandTests {
  private static func log(_ fixture: ShellFixture, _ lines: String) throws -> String {
    let folder = fixture.folder.appending(path: "logs")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(lines.utf8).write(to: folder.appending(path: "tea.log"))
    return folder.path
  }

  private static let one = "2024-05-01 10:00:00\tann\tTea?\n"

  @Test func `what was named is remembered, listed and followed without naming it`() throws {
    let fixture = try ShellFixture(count: 0)
    let folder = try Self.log(fixture, Self.one)
    let first = try fixture.run(["follow", "--once", folder, "--time-zone", "UTC"])
    #expect(first.status == 0)
    #expect(first.errors.contains("imported 1 message from \(folder)"))
    let list = try fixture.run(["sources"]).output
    #expect(list.hasPrefix("1  1") && list.contains("irc-weechat") && list.contains("--time-zone UTC"))
    _ = try Self.log(fixture, Self.one + "2024-05-01 10:00:01\tbob\tYes!\n")
    #expect(try fixture.run(["follow", "--once"]).errors.contains("imported 1 message from"))
    #expect(
      try fixture.run(["tail", "-c", "tea", "--time-zone", "UTC"]).output.contains("10:00:01  bob  Yes!"))
    #expect(try fixture.run(["imports"]).output.split(separator: "\n").count == 1)
    #expect(try fixture.run(["check"]).status == 0)
    #expect(try fixture.run(["sources", "remove", "1"]).status == 0)
    #expect(try fixture.run(["sources"]).output.isEmpty)
    let nothing = try fixture.run(["follow"])
    #expect(nothing.status == 64 && nothing.errors.contains("there is nothing to follow"))
  }

  @Test func `a source says that a file is gone, and that its messages stay`() throws {
    let fixture = try ShellFixture(count: 0)
    let folder = try Self.log(fixture, Self.one)
    _ = try fixture.run(["follow", "--once", folder])
    #expect(!(try fixture.run(["sources"]).output.contains("gone")))
    try FileManager.default.removeItem(atPath: "\(folder)/tea.log")
    _ = try fixture.run(["follow", "--once"])
    #expect(try fixture.run(["sources"]).output.contains("(1 file is gone; its messages stay)"))
    #expect(try fixture.run(["sources", "--json"]).output.contains(#""goneFiles":1"#))
    #expect(try fixture.run(["tail", "-c", "tea"]).output.contains("Tea?"))
  }

  @Test func `sources go with a backup`() throws {
    let fixture = try ShellFixture(count: 0)
    let folder = try Self.log(fixture, Self.one)
    _ = try fixture.run(["follow", "--once", folder])
    let copy = fixture.folder.appending(path: "copy.db").path
    _ = try fixture.run(["backup", copy])
    #expect(try fixture.run(["sources", "--store", copy]).output.contains(folder))
    #expect(
      try fixture.run(["follow", "--once", "--store", copy, "--json"]).output == #"{"event":"caughtUp"}"#
        + "\n")
    _ = try fixture.run(["compact"])
    #expect(try fixture.run(["follow", "--once", "--json"]).output == #"{"event":"caughtUp"}"# + "\n")
  }

  @Test func `each event is an object`() throws {
    let fixture = try ShellFixture(count: 0)
    let folder = try Self.log(fixture, Self.one)
    let events = try fixture.run(["follow", "--once", "--json", folder]).output.split(separator: "\n")
    #expect(
      events == [
        #"{"event":"took","source":1,"path":"\#(folder)/tea.log","messages":1,"updated":0}"#,
        #"{"event":"caughtUp"}"#,
      ])
  }

  @Test func `what cannot be followed is refused`() throws {
    let fixture = try ShellFixture(count: 0)
    #expect(try fixture.run(["follow", "/nowhere/tea.log"]).status == 66)
    #expect(try fixture.run(["sources", "add", "-"]).status == 64)
    #expect(try fixture.run(["follow", "--me", "Ann"]).status == 64)
    #expect(try fixture.run(["sources", "remove", "7"]).status == 1)
    let folder = try Self.log(fixture, Self.one)
    #expect(
      try fixture.run(["follow", folder, "--format", "nothing"]).errors.contains("unknown format"))
  }

  @Test func `a service follows the store that it is printed for`() throws {
    let fixture = try ShellFixture(count: 0)
    let unit = try fixture.run(["follow", "--systemd", "--store", "/home/ann/50% of \"tea\".db"]).output
    #expect(unit.contains(#" "follow" "--quiet" "--store" "/home/ann/50%% of \"tea\".db""#))
    let strange = try fixture.run(["follow", "--systemd", "--store", "/a$HOME`x`\nExecStart=y.db"]).output
    #expect(strange.contains(#""/a$$HOME`x`\x0aExecStart=y.db""#))
    let list = try fixture.run(["follow", "--launchd", "--store", "/home/ann/a&b.db"]).output
    #expect(list.contains("<string>/home/ann/a&amp;b.db</string>"))
    #expect(try PropertyListSerialization.propertyList(from: Data(list.utf8), format: nil) is [String: Any])
  }
}
