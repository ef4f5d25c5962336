import Foundation
import ShellTesting
import Testing

/// `import --dry-run` and the options that say what a file means.
@Suite(.serialized) struct ImportPreviewTests {
  @Test func `a dry run says what would be imported and changes nothing`() throws {
    let fixture = try ShellFixture(count: 2)
    let before = try fixture.run(["conversations"]).output
    let table = fixture.folder.appendingPathComponent("table.csv")
    let rows = "when,who,what\n2024-05-01 10:00,ann,first\nnever,ann,second\n2024-05-02 10:00,bo,third\n"
    try rows.write(to: table, atomically: true, encoding: .utf8)
    let options = [
      "--format", "csv", "--map", "time=when,sender=who,text=what", "--into", "tea", "--time-zone",
      "Europe/Berlin",
    ]
    let answer = try fixture.run(["import", "--dry-run"] + options + [table.path])
    #expect(
      answer.output == """
        format  a table of comma-separated values  (--format csv, 1 file)
        times without a zone  Europe/Berlin  (--time-zone ZONE)

        conversation  messages  first             last
        tea                  2  2024-05-01 10:00  2024-05-02 10:00

        would import 2 (2 text) · skip 1 · duplicates are not looked up
        would skip \(table.path):3: its time 'never' is not understood: use --time-format

        """)
    #expect(answer.status == 3)
    #expect(try fixture.run(["conversations"]).output == before)
    #expect(try fixture.run(["import"] + options + [table.path]).errors.contains("imported 2 (2 text)"))
  }

  @Test func `a dry run writes what would be skipped to a file, too`() throws {
    let fixture = try ShellFixture(count: 1)
    let table = fixture.folder.appendingPathComponent("table.csv")
    try "time,sender,text\nnever,ann,x\n2024-05-01,ann,y\n".write(
      to: table, atomically: true, encoding: .utf8)
    let rejects = fixture.folder.appendingPathComponent("rejects").path
    #expect(try fixture.run(["import", "--dry-run", "--rejects", rejects, table.path]).status == 3)
    let kept = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(kept == "# \(table.path):2: its time 'never' is not understood: use --time-format\nnever,ann,x\n")
    let answer = try fixture.run(["import", "--dry-run", "--rejects", "/nowhere/at/all", table.path])
    #expect(answer.status == 73 && answer.output.isEmpty)
  }

  @Test func `conversations of one name and time are listed by their messages`() throws {
    let fixture = try ShellFixture(count: 1)
    let file = fixture.folder.appendingPathComponent("tea.jsonl")
    let lines = (1...8).flatMap { channel in
      (1...channel).map { number in
        #"{"conversation":"tea","conversationSource":{"platform":"slack","id":"C\#(channel)"},"#
          + #""sender":"ann","time":"2024-05-01T10:00:00Z","text":"\#(number)"}"#
      }
    }
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    let output = try fixture.run(["import", "--dry-run", file.path]).output
    let rows = output.split(separator: "\n").filter { $0.hasPrefix("tea ") }
    #expect(rows.map { $0.split(separator: " ")[1] } == (1...8).map { "\($0)" })
  }

  @Test func `an option that means nothing is answered with what it may be`() throws {
    let fixture = try ShellFixture(count: 1)
    let order = try fixture.run(["import", "--date-order", "dym", "x"])
    #expect(order.status == 64 && order.errors.contains("one of: dmy, mdy, ymd"))
    let map = try fixture.run(["import", "--map", "time", "x"])
    #expect(map.status == 64 && map.errors.contains("--map time=ts,sender=user,text=body"))
  }

  // MARK: What was not understood

  /// The report of a chat as Messenger exports it.
  private func report(of messages: [String]) throws -> String {
    let fixture = try ShellFixture(count: 1)
    let file = fixture.folder.appendingPathComponent("message_1.json")
    let text =
      #"{"participants":[{"name":"Ann"},{"name":"ben"}],"messages":[\#(messages.joined(separator: ","))],"title":"Ann"}"#
    try text.write(to: file, atomically: true, encoding: .utf8)
    let output = try fixture.run(["import", "--dry-run", "--report", file.path]).output
    let start = try #require(
      output.range(of: "\nrecords that were not understood") ?? output.range(of: "\nevery"))
    return String(output[start.lowerBound...].dropFirst())
  }

  private func share(_ more: String = "", at time: Int = 1_709_164_800_123) -> String {
    #"{"sender_name":"ben","timestamp_ms":\#(time),"type":"Share"\#(more)}"#
  }

  @Test func `a report shows keys and types of what was not understood, and nothing of its contents`() throws
  {
    let answer = try report(of: [
      share(), share(#","seen":{"ben":1,"cid":2,"dot":3},"zest":{"ben":true}"#),
      #"{"sender_name":"ben","content":"a secret word"}"#, share(),
      #"{"sender_name":"ben","timestamp_ms":1709164800124,"content":"understood"}"#,
    ])
    #expect(
      answer == """
        records that were not understood, by their shape; * is a key that may be data
        messenger
              2  {sender_name: string, timestamp_ms: number, type: string}
              1  {content: string, sender_name: string}
              1  {seen: {*: number}, sender_name: string, timestamp_ms: number, type: string, zest: {*: boolean}}
        Nothing of their contents is in this report. Look for names among the keys before you send it.

        """)
  }

  @Test func `a report says so if everything was understood, and needs a dry run`() throws {
    #expect(
      try report(of: [#"{"sender_name":"ben","timestamp_ms":1709164800124,"content":"tea"}"#])
        == "every record was understood\n")
    let fixture = try ShellFixture(count: 1)
    let answer = try fixture.run(["import", "--report", "x.json"])
    #expect(answer.status == 64 && answer.errors.contains("--report needs --dry-run"))
  }

  @Test func `a report of a file of no known format shows its beginning by signs`() throws {
    let fixture = try ShellFixture(count: 1)
    let file = fixture.folder.appendingPathComponent("notes.txt")
    try "Ann, on 3 May: \u{1B}[31mhello\n".write(to: file, atomically: true, encoding: .utf8)
    let output = try fixture.run(["import", "--dry-run", "--report", file.path]).output
    #expect(output.contains("no known format\n      1  a, a 9 a: ?[99a\n"))
  }

  @Test func `a report stays short, whatever the shapes and however hostile the keys`() throws {
    let many = (0..<3_000).map { number in
      let key = String(number, radix: 26).map {
        Character(Unicode.Scalar(UInt8(97 + ($0.hexDigitValue ?? 16))))
      }
      return share(
        #","u\u001b[31m\#(number)":1,"k\#(String(key))\#(number % 7)":[\#(number % 2 == 0 ? "1" : "null")]"#)
    }
    let answer = try report(of: many)
    #expect(answer.split(separator: "\n").count < 40)
    #expect(answer.contains("of other shapes\n"))
    #expect(answer.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(!answer.contains("[31m"))
  }
}
