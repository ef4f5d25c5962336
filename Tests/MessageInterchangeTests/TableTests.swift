import Foundation
import MessageInterchange
import MessageModel
import Testing

@Suite struct TableTests {
  @Test func `a table tells its columns by their names`() throws {
    let picture = try ImportPicture([Fixture.path("tables/messages.csv")])
    #expect(picture.files.map(\.format) == ["csv"])
    try expectGolden(picture.text, "tables/messages.golden")
  }

  @Test func `semicolons and tabs separate cells, too`() throws {
    let semicolons = try ImportPicture([Fixture.path("tables/semicolons.csv")])
    #expect(semicolons.messages.map(\.body) == ["a, b"])
    let tabs = try ImportPicture([Fixture.path("tables/messages.tsv")], .berlin)
    #expect(
      tabs.messages.map(\.text) == [
        "2024-5-1 10:0:0 second messages text <ann> |\"quotes\" mean nothing, nor does \\n|"
      ])
  }

  @Test func `columns of other names are mapped by the user`() throws {
    let options = ImportOptions(
      format: "csv", timeZone: .gmt, columns: ["time": "when", "sender": "who", "text": "what"])
    let picture = try ImportPicture([Fixture.path("tables/mapped.csv")], options)
    #expect(picture.messages.map(\.text) == ["2024-5-1 0:0:0 second mapped text <ann> |mapped|"])
    let unmapped = try ImportPicture([Fixture.path("tables/mapped.csv")], ImportOptions(format: "csv"))
    #expect(unmapped.skipped.map(\.reason) == ["no column is known to hold the time"])
  }

  @Test func `JSON Lines of any kind are read by the usual names`() throws {
    let picture = try ImportPicture([Fixture.path("tables/loose.jsonl")])
    #expect(picture.files.map(\.format) == ["json-lines"])
    #expect(picture.messages.first?.details?.source == Message.Source(platform: "json-lines", id: "a1"))
    try expectGolden(picture.text, "tables/loose.golden")
  }

  @Test func `each message is a row of a table`() throws {
    let messages = try ImportPicture([Fixture.path("jsonl/canonical.jsonl")]).messages
    for (style, name) in [(TableExport.Style.csv, "csv"), (.tsv, "tsv")] {
      let table = String(decoding: exported(messages, by: TableExport(style)), as: UTF8.self)
      try expectGolden(table, "tables/canonical.\(name)")
    }
  }

  @Test(arguments: ["csv", "tsv"]) func `an exported table gives the same messages again`(name: String) throws
  {
    let messages = try ImportPicture([Fixture.path("jsonl/canonical.jsonl")]).messages
    let again = try ImportPicture([Fixture.path("tables/canonical.\(name)")]).messages
    #expect(
      messages.filter { !$0.body.contains("\r") }.map(\.text)
        == again.filter { !$0.body.contains("a return") }.map(\.text))
  }

  @Test func `formulas are defused when that is asked for`() {
    let record = ExportRecord(id: Message.ID(rawValue: -4_096), conversation: "c", text: "=1+1\u{1B}")
    var export = TableExport(
      .csv, options: ExportOptions(defusesFormulas: true, showsControlCharacters: true))
    var bytes: [UInt8] = []
    export.write(record, to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "-4096,c,1969-12-31T23:59:59.999Z,millisecond,,text,'=1+1␛,,,,\r\n")
  }
}
