import Foundation
import ShellTesting
import TestSupport
import Testing

/// Servers, workspaces and groups that have one name, as they come from the formats of their platforms.
@Suite struct SameNameTests {
  private static let root = GoldenFile.root.appending(path: "Fixtures/same-names")

  private func path(_ name: String) -> String { Self.root.appending(path: name).path }

  /// The names of the conversations with how many messages each has.
  private func names(_ fixture: ShellFixture) throws -> [String] {
    let lines = try fixture.run(["conversations", "--json"]).output.split(separator: "\n")
    return lines.compactMap { line in
      line.firstMatch(of: /"name":"(.*?)".*?"messages":(\d+)/).map { "\($0.1) \($0.2)" }
    }.sorted()
  }

  @Test(arguments: [
    ("discord", ["House > general 2", "general 2"]),
    ("discord-html", ["House > general 2", "general 2", "ideas > question 1", "question 1"]),
    ("discord-csv", ["House > general 2", "general 2"]), ("slack", ["House > general 2", "general 2"]),
    ("telegram", ["Tea (2) 2", "Tea 2"]),
  ])
  func `two of one name come in as two, and again as nothing`(folder: String, expected: [String]) throws {
    let fixture = try ShellFixture(count: 0)
    try fixture.run(["import", "--quiet", path(folder)])
    #expect(try names(fixture) == expected)
    try fixture.run(["import", "--quiet", path(folder)])
    #expect(try names(fixture) == expected)
    // One after the other is the same.
    let other = try ShellFixture(count: 0)
    for part in try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted() {
      try other.run(["import", "--quiet", path("\(folder)/\(part)")])
    }
    #expect(try names(other).count == expected.count)
    #expect(try fixture.run(["check", "--quiet"]).status == 0)
    // Our own lines carry it: they come in as two elsewhere, and go out as the same bytes.
    let exported = try fixture.run(["export", "--json"]).output
    #expect(exported.contains(#""conversationSource":{"platform":""#))
    #expect(try fixture.run(["tail", "--all", "--json", "-n", "100"]).output.count == exported.count)
    let again = try ShellFixture(holding: exported)
    #expect(try again.run(["export", "--json"]).output == exported)
    // And over a store that has but one of them.
    let both = try ShellFixture(count: 0)
    let last = try #require(try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted().last)
    try both.run(["import", "--quiet", path("\(folder)/\(last)")])
    try both.add(exported)
    #expect(try names(both).count == expected.count)
  }

  @Test(arguments: ["jsonl", "csv"])
  func `an id of a table that is used again drops nothing`(format: String) throws {
    let fixture = try ShellFixture(count: 0)
    let rows = [("1", "tea", "05-01"), ("1", "coffee", "06-01"), ("1", "tea", "07-01")]
    let lines =
      format == "csv"
      ? "id,channel,time,sender,text\n"
        + rows.map { "\($0.0),\($0.1),2024-\($0.2)T10:00:00Z,Ann,ok\n" }.joined()
      : rows.map {
        #"{"id":"\#($0.0)","channel":"\#($0.1)","time":"2024-\#($0.2)T10:00:00Z","sender":"Ann","text":"ok"}"#
          + "\n"
      }.joined()
    let file = fixture.folder.appending(path: "rows.\(format)")
    try Data(lines.utf8).write(to: file)
    let command = [
      "import", "--map", "time=time,sender=sender,text=text,conversation=channel,id=id", file.path,
    ]
    try fixture.run(command)
    #expect(try names(fixture) == ["coffee 1", "tea 2"])
    try fixture.run(command)
    #expect(try names(fixture) == ["coffee 1", "tea 2"])
    // An export of it warrants no more of its ids than it does: in a store that has others of them, nothing is dropped.
    let other = try ShellFixture(count: 0)
    try Data(lines.replacing("tea", with: "milk").replacing("10:00", with: "11:00").utf8).write(to: file)
    try other.run(command)
    let exported = try fixture.run(["export", "--json"]).output
    for _ in 0..<2 {
      try other.add(exported)
      #expect(try names(other) == ["coffee 2", "milk 2", "tea 2"])
    }
  }
}
