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

  @Test func `an option that means nothing is answered with what it may be`() throws {
    let fixture = try ShellFixture(count: 1)
    let order = try fixture.run(["import", "--date-order", "dym", "x"])
    #expect(order.status == 64 && order.errors.contains("one of: dmy, mdy, ymd"))
    let map = try fixture.run(["import", "--map", "time", "x"])
    #expect(map.status == 64 && map.errors.contains("--map time=ts,sender=user,text=body"))
  }
}
