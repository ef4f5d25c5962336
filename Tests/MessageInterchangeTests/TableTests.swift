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

  @Test(arguments: [
    ("csv", "when,who,what\n2024-05-01 10:00,ann,hello\n"),
    ("tsv", "when\twho\twhat\n2024-05-01 10:00\tann\thello\n"),
    ("json-lines", #"{"when":"2024-05-01 10:00","who":"ann","what":"hello"}"#),
    ("json", #"[{"when":"2024-05-01 10:00","who":"ann","what":"hello"}]"#),
  ])
  func `a format is told by the names that the user mapped, too`(format: String, text: String) throws {
    let options = ImportOptions(
      timeZone: .gmt, columns: ["time": "when", "sender": "who", "text": "what"])
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: folder + "/table")
      let picture = try ImportPicture([folder], options)
      #expect(picture.files.map(\.format) == [format])
      #expect(picture.messages.map(\.text) == ["2024-5-1 10:0:0 minute table text <ann> |hello|"])
    }
  }

  @Test(arguments: [
    ("13/06/2024 11:00", ImportOptions.DateOrder.dmy, "2024-6-13 11:0:0 minute"),
    ("06/05/2024 11:00:09", .dmy, "2024-5-6 11:0:9 second"),
    ("06/05/2024, 12:30 AM", .mdy, "2024-6-5 0:30:0 minute"),
    ("6-13-24 1:05 pm", .mdy, "2024-6-13 13:5:0 minute"),
    ("24.6.13", .ymd, "2024-6-13 0:0:0 day"),
    ("2024/06/13 23:59", .dmy, "2024-6-13 23:59:0 minute"),
    ("2024-06-05 11:00", .dmy, "2024-6-5 11:0:0 minute"),
  ])
  func `numbers of a date come in the order that the user says`(
    written: String, order: ImportOptions.DateOrder, time: String
  ) throws {
    let options = ImportOptions(timeZone: .gmt, dateOrder: order)
    try Fixture.withFolder { folder in
      try Fixture.write(Array("time,sender,text\n\"\(written)\",ann,x\n".utf8), to: folder + "/t.csv")
      try Fixture.write(Array(#"{"ts":"\#(written)","user":"ann","text":"x"}"#.utf8), to: folder + "/t.json")
      let picture = try ImportPicture([folder], options)
      #expect(picture.messages.map(\.text) == Array(repeating: "\(time) t text <ann> |x|", count: 2))
    }
  }

  @Test(arguments: [
    "31/31/2024", "13/06/2024 25:00", "13/06/2024 11:00 x", "13/06", "1/2/3/4", "2024-13-01", "5 May 24 x",
    "2024-03-02 10:11:12 LMT", "Smith, 5 May 2024", "10:11", "2024-W54-1", "2023-366",
  ])
  func `what is no date in any order is none`(written: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("time,sender,text\n\"\(written)\",ann,x\n".utf8), to: folder + "/t.csv")
      let picture = try ImportPicture([folder], ImportOptions(timeZone: .gmt, dateOrder: .dmy))
      #expect(
        picture.skipped.map(\.reason) == ["its time '\(written)' is not understood: use --time-format"])
      #expect(picture.skipped.map(\.line) == [2])
    }
  }

  @Test func `a date in numbers whose order nothing tells is skipped with the way out`() throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("time,sender,text\n13/06/2024 11:00,ann,x\n".utf8), to: folder + "/t.csv")
      let skipped = try ImportPicture([folder]).skipped
      #expect(
        skipped.map(\.reason) == [
          "ambiguous date '13/06/2024 11:00': use --date-order dmy, mdy or ymd"
        ])
    }
  }

  @Test(arguments: [
    ("2024-03-02T10:11:12Z", "10:11:12 second"), ("2024-03-02 10:11:12 UTC", "10:11:12 second"),
    ("2024-03-02T10:11:12.345678+00:00", "10:11:12.345 millisecond"),
    ("2024-03-02T10:11:12,5Z", "10:11:12.500 millisecond"), ("2024-03-02 10:11:12 +0000", "10:11:12 second"),
    ("2024-03-02 12:11:12 +0200", "10:11:12 second"), ("2024-03-02T05:11:12-05", "10:11:12 second"),
    ("2024-03-02T11:11:12+01:00[Europe/Berlin]", "10:11:12 second"), ("20240302T101112Z", "10:11:12 second"),
    ("20240302T1011", "10:11:0 minute"), ("20240302101112", "10:11:12 second"),
    ("2024-03-02T10Z", "10:0:0 minute"),
    ("2024-W09-6T10:11", "10:11:0 minute"), ("2024W096T101112", "10:11:12 second"),
    ("2024-062T10:11:12", "10:11:12 second"), ("2024-03-01T24:00:00Z", "0:0:0 second"),
    ("2024-03-02", "0:0:0 day"), ("20240302", "0:0:0 day"),
    ("Sat, 02 Mar 2024 10:11:12 GMT", "10:11:12 second"),
    ("Sat, 2 Mar 2024 11:11:12 +0100", "10:11:12 second"),
    ("2 Mar 2024 10:11:12 +0000 (UTC)", "10:11:12 second"), ("Sat Mar  2 10:11:12 2024", "10:11:12 second"),
    ("Sat Mar 2 11:11:12 2024 +0100", "10:11:12 second"), ("Sat Mar  2 05:11:12 EST 2024", "10:11:12 second"),
    ("Sat Mar 02 2024 11:11:12 GMT+0100 (Central European Standard Time)", "10:11:12 second"),
    ("2024/03/02 10:11:12", "10:11:12 second"), ("2024/3/2", "0:0:0 day"),
    ("2024.03.02 10:11", "10:11:0 minute"),
    ("02/Mar/2024:10:11:12 +0000", "10:11:12 second"), ("2 Mar 2024", "0:0:0 day"),
    ("March 2, 2024 10:11 AM", "10:11:0 minute"), ("2nd March 2024, 10:11", "10:11:0 minute"),
    ("2. März 2024, 10:11", "10:11:0 minute"), ("2 mars 2024 à 10:11", "10:11:0 minute"),
    ("2 de marzo de 2024 10:11", "10:11:0 minute"), ("2024年3月2日 10:11", "10:11:0 minute"),
    ("2 марта 2024 г., 10:11", "10:11:0 minute"),
    (" 2024-03-02 10:11:12 ", "10:11:12 second"), ("1709374272", "10:11:12 second"),
    ("1709374272345", "10:11:12.345 millisecond"), ("1709374272.5", "10:11:12.500 millisecond"),
    ("1709374272345678", "10:11:12.345 millisecond"),
  ])
  func `times are read as programs and people write them`(written: String, time: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("time,sender,text\n\"\(written)\",ann,x\n".utf8), to: folder + "/t.csv")
      let picture = try ImportPicture([folder], ImportOptions(timeZone: .gmt))
      #expect(picture.messages.map(\.text) == ["2024-3-2 \(time) t text <ann> |x|"])
    }
  }

  @Test(arguments: [
    ("%d.%m.%Y %Hh%M", "02.03.2024 10h11", "10:11:0 minute"),
    ("%d.%m.%Y %Hh%M", "2.3.2024 9h05", "9:5:0 minute"),
    ("%y%m%d-%H%M%S", "240302-101112", "10:11:12 second"), ("%m|%d|%Y", "3|2|2024", "0:0:0 day"),
    ("%B %e %Y %I:%M %p", "März 2 2024 08:11 PM", "20:11:0 minute"),
    ("%A, %d %b %Y, %l:%M %p", "sábado, 2 mar 2024, 8:11 p. m.", "20:11:0 minute"),
    ("%s", "1709374272", "10:11:12 second"), ("@%s", "@1709374272", "10:11:12 second"),
    ("%Y.%j %T", "2024.062 10:11:12", "10:11:12 second"), ("%D %R", "3/2/24 10:11", "10:11:0 minute"),
    ("%d/%m/%Y %H:%M:%S.%f%z", "02/03/2024 11:11:12.25+01:00", "10:11:12.250 millisecond"),
    ("%d/%m/%Y %H:%M %Z", "02/03/2024 11:11 CET", "10:11:0 minute"),
    ("100%% %F", "100% 2024-03-02", "0:0:0 day"),
    // Others are read in the usual ways.
    ("%d.%m.%Y", "2024-03-02 10:11", "10:11:0 minute"),
  ])
  func `other notations of times are described by the user`(format: String, written: String, time: String)
    throws
  {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("time,sender,text\n\"\(written)\",ann,x\n".utf8), to: folder + "/t.csv")
      try Fixture.write(Array(#"{"ts":"\#(written)","user":"ann","text":"x"}"#.utf8), to: folder + "/t.json")
      let picture = try ImportPicture([folder], ImportOptions(timeZone: .gmt, timeFormat: format))
      #expect(picture.messages.map(\.text) == Array(repeating: "2024-3-2 \(time) t text <ann> |x|", count: 2))
    }
  }

  @Test(arguments: [
    ("%d.%m.%Y", "31.02.2024"), ("%d.%m.%Y", "2.3.2024 "), ("%d.%m.%Y %H:%M", "1.3.2024 25:00"),
    ("%I:%M %p %F", "10:11 x 2024-03-02"), ("%j %Y", "366 2023"), ("%F %z", "2024-03-02 +9900"),
    ("%s", "x"), ("%F %Z", "2024-03-02 LMT"),
  ])
  func `a time that is not written so is reported`(format: String, written: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("time,sender,text\n\"x\(written)\",ann,x\n".utf8), to: folder + "/t.csv")
      let picture = try ImportPicture([folder], ImportOptions(timeZone: .gmt, timeFormat: "x" + format))
      #expect(
        picture.skipped.map(\.reason) == ["its time 'x\(written)' is not understood: use --time-format"])
    }
  }

  @Test func `a weekday tells the order of a date's numbers`() throws {
    try Fixture.withFolder { folder in
      let rows = ["Mon, 03/04/2024", "Wed, 03/04/2024", "mercredi 03/04/2024 10:00"].map {
        "\"\($0)\",ann,x\n"
      }
      try Fixture.write(Array(("time,sender,text\n" + rows.joined()).utf8), to: folder + "/t.csv")
      let picture = try ImportPicture([folder], ImportOptions(timeZone: .gmt))
      #expect(picture.messages.map { [$0.time.utc.month, $0.time.utc.day] } == [[3, 4], [4, 3], [4, 3]])
    }
  }

  @Test func `a notation without a day takes it from the user, or is refused`() throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array("time,sender,text\n10h11,ann,x\n".utf8), to: folder + "/t.csv")
      var options = ImportOptions(timeZone: .gmt, timeFormat: "%Hh%M")
      let error = #expect(throws: InterchangeError.self) { try ImportPicture([folder], options) }
      #expect(error?.kind == .invalidOption && error?.cause == "it has no day")
      options.day = CivilTime(year: 2024, month: 3, day: 2)
      #expect(
        try ImportPicture([folder], options).messages.map(\.text) == [
          "2024-3-2 10:11:0 minute t text <ann> |x|"
        ])
      options.timeFormat = "%F %Q"
      let unknown = #expect(throws: InterchangeError.self) { try ImportPicture([folder], options) }
      #expect(unknown?.cause == "%Q is not known in it")
    }
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
      messages.filter { !$0.body.contains("\r") && !$0.body.isEmpty }.map(\.text)
        == again.filter { !$0.body.contains("a return") && !$0.isNamedOnly }.map(\.text))
  }

  @Test(arguments: [TableExport.Style.csv, .tsv])
  func `a message without text keeps its files in a table`(style: TableExport.Style) throws {
    var record = ExportRecord(id: Message.ID(rawValue: 4_096), conversation: "c", text: "")
    record.attachments = [.init(name: "=tea.jpg"), .init(name: "cup.jpg")]
    var export = TableExport(style, options: ExportOptions(defusesFormulas: true))
    var bytes: [UInt8] = []
    export.writeHeader(to: &bytes)
    export.write(record, to: &bytes)
    try Fixture.withFolder { folder in
      try Fixture.write(bytes, to: folder + (style == .csv ? "/table.csv" : "/table.tsv"))
      let again = try ImportPicture([folder]).messages
      #expect(again.map(\.body) == [""])
      #expect(again.first?.details?.attachments.map(\.name) == ["=tea.jpg", "cup.jpg"])
    }
  }

  @Test func `formulas are defused when that is asked for`() {
    let record = ExportRecord(id: Message.ID(rawValue: -4_096), conversation: "c", text: "=1+1\u{1B}")
    var export = TableExport(
      .csv, options: ExportOptions(defusesFormulas: true))
    var bytes: [UInt8] = []
    export.write(record, to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "-4096,c,1969-12-31T23:59:59.999Z,millisecond,,text,'=1+1\u{1B},,,,,,\r\n")
  }

  @Test(arguments: [TableExport.Style.csv, .tsv])
  func `a table gives the same messages again, defused or not`(style: TableExport.Style) throws {
    let texts = [
      "=HYPERLINK(\"x\")", "+1+cmd|x", "-2+3", "@x", "\ttab", "'=x", "''@x", "'quoted'", "-1", "'-1", "plain",
    ]
    for defuses in [false, true] {
      var bytes: [UInt8] = []
      var export = TableExport(style, options: ExportOptions(defusesFormulas: defuses))
      export.writeHeader(to: &bytes)
      for (index, text) in texts.enumerated() {
        export.write(
          ExportRecord(id: Message.ID(rawValue: Int64(index + 1) << 12), conversation: "=c", text: text),
          to: &bytes)
      }
      try Fixture.withFolder { folder in
        try Fixture.write(bytes, to: folder + (style == .csv ? "/table.csv" : "/table.tsv"))
        let picture = try ImportPicture([folder])
        #expect(picture.messages.map(\.body) == texts && picture.conversations == ["=c"])
      }
    }
  }

  @Test func `a quoted cell between tabs has line ends and tabs in it, where the file has quotes`() throws {
    let quoted = try ImportPicture([Fixture.path("tables/quoted.tsv")])
    #expect(quoted.messages.map(\.body) == ["first line\nsecond \"line\"", "plain", "a\ttab"])
    let plain = try ImportPicture([Fixture.path("tables/unquoted.tsv")])
    #expect(plain.messages.map(\.body) == ["\"never closed", "\"closed\" and more", "\"whole\""])
    #expect(quoted.skipped.isEmpty && plain.skipped.isEmpty)
  }

  @Test func `columns without names are told by their numbers, and a row of names over them is no message`()
    throws
  {
    let map = ["time": "3", "sender": "5", "text": "7", "conversation": "2"]
    let options = ImportOptions(timeZone: .gmt, columns: map)
    let picture = try ImportPicture([Fixture.path("tables/no-header.tsv")], options)
    #expect(picture.files.map(\.format) == ["tsv"] && picture.skipped.isEmpty)
    #expect(
      picture.messages.map(\.body) == ["hello", "hi"] && picture.messages.map(\.sender) == ["ann", "bob"])
    #expect(picture.conversations == ["harbour/pier"])
    try Fixture.withFolder { folder in
      let options = ImportOptions(timeZone: .gmt, columns: ["time": "1", "sender": "2", "text": "3"])
      for (first, count) in [("when,who,what\n", 1), ("", 1), ("2024-05-01 9:99,bob,broken\n", 1)] {
        let text = first + "2024-05-01 10:00,ann,hello\n"
        try Fixture.write(Array(text.utf8), to: folder + "/table.csv")
        let picture = try ImportPicture([folder], options)
        #expect(picture.messages.map(\.body) == Array(repeating: "hello", count: count))
        #expect(picture.skipped.count == (first.hasPrefix("2024") ? 1 : 0))
      }
    }
  }
}
