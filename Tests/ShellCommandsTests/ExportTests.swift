import Foundation
import ShellTesting
import Testing

/// `export` as scripts meet it.
@Suite(.serialized) struct ExportTests {
  private static let formats = ["jsonl", "csv", "tsv", "text", "markdown", "html", "mbox"]

  /// The numbers of the messages in an export, in their order.
  private func numbers(in text: String) -> [Int] {
    text.matches(of: /message (\d+)/).compactMap { Int($0.1) }
  }

  @Test(arguments: formats)
  func `each format takes filters, a limit, an offset and both orders`(format: String) throws {
    let fixture = try ShellFixture(count: 1_200)
    func export(_ arguments: String...) throws -> [Int] {
      let answer = try fixture.run(["export", "--format", format] + arguments)
      #expect(answer.status == 0)
      return numbers(in: answer.output)
    }
    #expect(try export() == Array(1...1_200))
    #expect(try export("--newest-first") == (1...1_200).reversed())
    #expect(try export("--from", "alice", "--limit", "3", "--offset", "2") == [5, 7, 9])
    #expect(
      try export("--from", "alice", "--limit", "3", "--offset", "2", "--newest-first") == [
        1_195, 1_193, 1_191,
      ])
    #expect(try export("--matching", "77", "--limit", "700") == [77])
    #expect(
      try export("--since", "2024-05-01 10:00", "--until", "2024-05-01 10:02", "--kind", "text") == [
        601, 602,
      ])
    #expect(try export("--offset", "1199") == [1_200])
    #expect(try export("--offset", "5000").isEmpty)
    #expect(try export("--limit", "0").isEmpty)
  }

  @Test func `what is exported as JSON Lines and imported again is exported to the same bytes`() throws {
    let fixture = try ShellFixture(
      count: 50, texts: ["\u{202E}right to left", "=1+1", "a\u{0}b", "two\nlines", "潮汐 👍🏽"])
    let all = try fixture.run(["export", "--format", "jsonl"]).output
    let other = fixture.folder.appendingPathComponent("other.db").path
    #expect(try fixture.run(["import", "--store", other, "-"], input: all).status == 0)
    #expect(try fixture.run(["export", "--store", other, "--format", "jsonl"]).output == all)
    let reversed = try fixture.run(["export", "--format", "jsonl", "--newest-first"]).output
    #expect(reversed.split(separator: "\n").reversed().joined(separator: "\n") + "\n" == all)
  }

  @Test func `pieces laid out on several threads are what reading message by message gives`() throws {
    let fixture = try ShellFixture(count: 9_000)
    var lines = ""
    for number in 0..<400 {
      let details = [
        #""text":"edited","edits":[{"time":"2024-05-02T00:00:00.000Z","text":"before"}]"#,
        #""text":"liked","reactions":[{"emoji":"👍","senders":["alice"]}]"#,
        #""text":"\#(String(repeating: "long ", count: 2_000))""#,
        #""text":"from elsewhere","source":{"platform":"slack","id":"\#(number)"}"#,
      ]
      for (index, detail) in details.enumerated() {
        let time = "2024-05-0\(1 + number % 7)T01:02:03.\(100 + number)Z"
        lines += #"{"conversation":"\#(index < 2 ? "general" : "other")","time":"\#(time)",\#(detail)}\#n"#
      }
    }
    try fixture.add(lines)
    let slow = try fixture.run(["export", "--format", "jsonl", "--since", "1900-01-01"]).output
    #expect(slow.split(separator: "\n").count == 9_000 + 1_600)
    #expect(try fixture.run(["export", "--format", "jsonl"]).output == slow)
    let start = slow.split(separator: "\n").prefix(7_001).joined(separator: "\n") + "\n"
    #expect(try fixture.run(["export", "--format", "jsonl", "--limit", "7001"]).output == start)
  }

  @Test func `formulas stand in a table as they are, or defused when that is asked for`() throws {
    let fixture = try ShellFixture(count: 0, texts: ["=cmd|' /C calc'!A0", "-1", "+49 30", "@x", "plain"])
    func texts(_ arguments: String...) throws -> [String] {
      try fixture.run(["export", "--format", "csv"] + arguments).output
        .split(whereSeparator: \.isNewline).dropFirst()
        .map { String($0.split(separator: ",", omittingEmptySubsequences: false)[6]) }
    }
    #expect(try texts() == ["=cmd|' /C calc'!A0", "-1", "+49 30", "@x", "plain"])
    #expect(try texts("--defuse") == ["'=cmd|' /C calc'!A0", "-1", "'+49 30", "'@x", "plain"])
  }

  @Test func `a file whose ending is no format's is refused, and the formats are listed`() throws {
    let fixture = try ShellFixture(count: 1)
    for path in ["x.docx", "x.jsonl.gz"] {
      let answer = try fixture.run(["export", "-o", fixture.folder.path + "/" + path])
      #expect(answer.status == 64 && answer.errors.contains("mbox, site"))
      #expect(!FileManager.default.fileExists(atPath: fixture.folder.path + "/" + path))
    }
    #expect(try fixture.run(["export", "-o", fixture.folder.path + "/plain"]).status == 0)
    let unknown = try fixture.run(["export", "--format", "foo"])
    #expect(
      unknown.status == 64
        && unknown.errors.contains("one of: jsonl, csv, tsv, text, markdown, html, mbox, site"))
  }
}
