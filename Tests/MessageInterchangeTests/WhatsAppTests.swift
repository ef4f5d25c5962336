import Foundation
import MessageModel
import Testing

@testable import MessageInterchange

@Suite struct WhatsAppTests {
  @Test func `a chat from Android keeps long messages, attachments and quoted headers whole`() throws {
    let picture = try ImportPicture([Fixture.path("whatsapp/WhatsApp Chat with Harbour.txt")])
    #expect(picture.files.map(\.format) == ["whatsapp"])
    #expect(
      picture.messages.compactMap { $0.details?.attachments.first?.name } == ["IMG-20240101-WA0001.jpg"])
    try expectGolden(picture.text, "whatsapp/android.golden")
  }

  @Test func `a chat from an iPhone is read in spite of its invisible marks`() throws {
    let picture = try ImportPicture([Fixture.path("whatsapp/ios-de._chat.txt")], .berlin)
    #expect(picture.messages.compactMap { $0.details?.attachments.first?.name } == ["00000012-PHOTO.jpg"])
    try expectGolden(picture.text, "whatsapp/ios.golden")
  }

  @Test func `marks of direction at the ends of a name and around its parts are no part of it`() throws {
    let names = [
      "\u{202A}+254 700 000000\u{202C}", "+254 700 000000\u{202C}", "\u{200E}+254 700 \u{2066}000000\u{2069}",
      "\u{200F}\u{202B}+254 \u{202D}700 000000\u{202C}\u{200E}", "\u{2067}+254 700 000000\u{2068}",
      "+254 700 000000",
    ]
    let text = names.enumerated().map { "[29/06/2020, 19:03:0\($0)] \($1): tea?\n" }.joined()
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: folder + "/tea/_chat.txt")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.sender) == names.map { _ in "+254 700 000000" })
    }
  }

  @Test func `a name is known without a blank after its colon, and neither an event nor an address is one`()
    throws
  {
    let lines = [
      ("Ada Bee: hello", "Ada Bee", "hello"), ("Bo:no blank here", "Bo", "no blank here"),
      ("Ada Bee:see this: tea", "Ada Bee", "see this: tea"), ("ada:known later", "ada", "known later"),
      ("ada: hi", "ada", "hi"), ("\u{202A}+49 170 0000000\u{202C}:tea", "+49 170 0000000", "tea"),
      ("Missed voice call at 10:30", nil, "Missed voice call at 10:30"),
      ("10:30 is fine", nil, "10:30 is fine"), ("Https://host.example", nil, "Https://host.example"),
      ("Ada Bee created group a:b", nil, "Ada Bee created group a:b"),
      ("Ada Bee created group \"A:b\"", nil, "Ada Bee created group \"A:b\""),
      ("Ada :)", nil, "Ada :)"), ("bo:unknown", nil, "bo:unknown"),
      ("Bo:Bee: a name with a colon", "Bo:Bee", "a name with a colon"),
      ("Ada Bee:Co: as well", "Ada Bee:Co", "as well"), ("Ada Bee:Co: twice", "Ada Bee:Co", "twice"),
    ]
    func messages(_ start: String, _ end: String) throws -> [ImportPicture.Line] {
      let text = lines.enumerated().map { "\(start)02:28:\($0 + 10)\(end)\($1.0)\n" }.joined()
      return try Fixture.withFolder { folder in
        try Fixture.write(Array(text.utf8), to: folder + "/tea/_chat.txt")
        return try ImportPicture([folder]).messages
      }
    }
    let bracketed = try messages("[2026/7/9 ", "] ")
    #expect(bracketed.map(\.sender) == lines.map(\.1) && bracketed.map(\.body) == lines.map(\.2))
    let dashed = try messages("2026/7/9 ", " - ")
    #expect(dashed[1].sender == nil && dashed[1].kind == .system && dashed[2].sender == "Ada Bee:see this")
  }

  @Test(arguments: [
    ("es", "2019-12-31 21:29:0|2020-1-1 0:5:0"), ("old", "2019-9-17 8:30:52|2019-9-18 16:50:32"),
    ("zh", "2024-10-31 15:50:46|2024-10-31 3:50:46"), ("fr", "2018-5-2 18:0:0|2018-5-13 18:1:0"),
    ("ar", "2023-12-31 23:59:0"),
  ])
  func `headers are read in many languages`(language: String, times: String) throws {
    let picture = try ImportPicture([Fixture.path("whatsapp/\(language).txt")])
    #expect(
      picture.messages.map {
        $0.text.prefix { $0 != "m" }.split(separator: " ").prefix(2).joined(separator: " ")
      }
      .joined(separator: "|") == times)
    #expect(picture.messages.allSatisfy { $0.sender == "Ann" })
  }

  @Test func `day and month are told by the whole file, or by the user`() throws {
    let path = Fixture.path("whatsapp/ambiguous.txt")
    #expect(try ImportPicture([path]).messages.map(\.time.utc.month) == [1, 1, 2])
    let chosen = try ImportPicture([path], ImportOptions(timeZone: .gmt, dateOrder: .mdy))
    #expect(chosen.messages.map(\.time.utc.month) == [2, 3, 4])
  }

  @Test(arguments: ["el", "tr", "ms", "vi", "th", "fa", "hu", "fi", "es", "ko", "hi", "sq", "bg", "en"])
  func `the halves of the day are told in the words of many languages`(language: String) throws {
    let picture = try ImportPicture([Fixture.path("whatsapp/half-days/\(language).txt")])
    #expect(picture.files.map(\.format) == ["whatsapp"] && picture.skipped.isEmpty)
    #expect(
      picture.messages.map { "\($0.time.utc.hour):\($0.time.utc.minute) \($0.body)" }
        == ["9:5 morning", "0:10 night", "12:20 noon", "22:30 evening"])
  }

  @Test func `parts of the day that are finer than halves tell the hour, too`() throws {
    let picture = try ImportPicture([Fixture.path("whatsapp/half-days/zh._chat.txt")])
    #expect(picture.messages.map(\.time.utc.hour) == [3, 9, 12, 22])
  }

  @Test func `a year in two digits may come first`() throws {
    let picture = try ImportPicture([Fixture.path("whatsapp/year-first._chat.txt")])
    #expect(
      picture.messages.map { String($0.text.prefix { $0 != "s" }) } == [
        "2021-1-13 9:5:3 ", "2021-1-25 12:30:0 ", "2021-2-3 0:15:59 ", "2021-2-14 23:59:1 ",
      ])
    #expect(picture.messages.map(\.sender) == ["林", "霞", "林", "霞"])
  }

  @Test func `a word beside a time that may be a half of the day is reported where it is not known`() throws {
    let picture = try ImportPicture([Fixture.path("whatsapp/strange-word.txt")])
    #expect(picture.messages.map(\.body) == ["morning", "night"])
    #expect(
      picture.skipped.map { "\($0.line ?? 0): \($0.reason)" } == [
        "2: 'ψψ' is not known to be a half of the day", "3: no message begins in or before it",
      ])
  }

  @Test func `a word beside times of 24 hours is no half of the day`() throws {
    try Fixture.withFolder { folder in
      let text = "[14.5.24, 10:30:00 zeit] Ann: one\n[14.5.24, 22:30:00 zeit] Ann: two\n"
      try Fixture.write(Array(text.utf8), to: folder + "/_chat.txt")
      let picture = try ImportPicture([folder], ImportOptions(format: "whatsapp", timeZone: .gmt))
      #expect(picture.messages.map(\.time.utc.hour) == [10, 22])
    }
  }

  @Test(arguments: [
    "[2019-04-29 12:00:00] #lanterns ann: hi there\n[2019-04-29 12:00:10] #lanterns bob: hello\n",
    "[2019-04-29 12:00:00] [Server thread/INFO]: <ann> hi\n",
    "2019-04-29 12:00:00 INFO - main: started\n2019-04-29 12:00:01 WARN - main: slow\n",
    "[2019-04-29 12:00:00 INFO] main: started\n", "[2019-04-29 12:00:00] <ann> hi\n",
  ])
  func `what other programs write is not taken for a chat`(text: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: folder + "/log.txt")
      #expect(
        try !ImportPicture([folder], ImportOptions(timeZone: .gmt)).files.map(\.format).contains("whatsapp"))
    }
  }

  private func formats(of text: String, in name: String) throws -> (
    formats: [String], reasons: [String], count: Int
  ) {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/\(name)")
      let picture = try ImportPicture([folder], ImportOptions(timeZone: .gmt))
      return (picture.files.map(\.format), picture.skipped.map(\.reason), picture.messages.count)
    }
  }

  @Test(arguments: [
    "2014-01-01 08:04:58 - INFO something\n",
    "2014-01-01 08:04:58 - root - INFO - started\nTraceback:\n  x = 1\n",
    "2014-01-01 08:04:58 - INFO one\n2014-01-01 08:04:59 - ERROR two: three\n",
    "[2014-01-01 08:04:58] app.INFO: one {\"a\":1}\n[2014-01-01 08:04:59] app.ERROR: two []\n",
    "[2014-01-01 08:04:58] INFO: one\n[2014-01-01 08:04:59] WARNING: two\n",
    "[2014-01-01 08:04:58] INFO one\n[2014-01-01 08:04:59] TRACE two\n",
    "2014/01/01 08:04:58: INFO: one\n2014/01/01 08:04:59: FATAL: two\n",
    "01/02/2014 08:04:58 - info: one\n01/02/2014 08:04:59 - warn: two\n",
    "2014-01-01 08:04:58 - started\n2014-01-01 08:04:59 - listening on port 8080\n",
    "[2014-01-01 08:04:58] started\n[2014-01-01 08:04:59] listening on port 8080\n",
    "2014-01-01T08:04:58Z INFO main: one\n",
  ])
  func `the log of a program is called one, and nothing of it is read as a chat`(text: String) throws {
    let found = try formats(of: text, in: "app.log")
    #expect(found.formats.isEmpty && found.reasons == [UnreadFormat.programLog.reason])
  }

  @Test(arguments: [
    "2014-01-01 08:04:58 - INFO something\n2014-01-01 08:04:59 - ERROR no tea: none\n",
    "2014-01-01 08:04:58 - started\n",
  ])
  func `what looks like the log of a program is read by whoever names the format`(text: String) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(text.utf8), to: "\(folder)/app.log")
      let picture = try ImportPicture([folder], ImportOptions(format: "whatsapp", timeZone: .gmt))
      #expect(picture.messages.count == text.split(separator: "\n").count && picture.skipped.isEmpty)
    }
  }

  @Test(arguments: [
    "31/12/2019, 14:14 - Ann: hello\n", "31.12.19, 14:14 - Ann: hello\n", "12/31/19, 2:14 PM - Ann: hello\n",
    "2019-12-31, 14:14 - Ann: hello\n", "2019-12-31 14:14 - Ann: hello\n", "2019/12/31 14:14 - Ann: hello\n",
    "13.6.2018 klo 21.25.15 - Ann: hello\n", "31/12/2019 14:14:40: Ann: hello\n",
    "31. 12. 2019. 14:14 - Ann: hello\n",
    "[31/12/2019, 2:14:40 p.m.] Ann: hello\n", "[2019-12-31 14:14:40] Ann B: hello\n",
    "[31.12.19, 14:14:40] Ann: hello\n",
    "31/12/2019, 14:14 - Ann: INFO: read this\n", "31/12/2019, 14:14 - Ann: ERROR\n",
    "31/12/2019, 14:14 - Info Desk: hello\n31/12/2019, 14:15 - Ann: hi\n",
    "2019-12-31, 14:14 - Messages are end-to-end encrypted.\n",
    "2019-12-31, 14:14 - Ann created group \"Tea: all\"\n",
    "[2019-12-31 14:14:40] Ann created this group\n[2019-12-31 14:14:41] Ann B: hello\n",
  ])
  func `every way in which WhatsApp writes its lines is known beside those of programs`(text: String) throws {
    let found = try formats(of: text, in: "family.txt")
    #expect(found.formats == ["whatsapp"] && found.reasons.isEmpty)
    #expect(found.count == text.split(separator: "\n").count)
  }

  @Test(arguments: ["WhatsApp Chat with INFO.txt", "_chat.txt"])
  func `somebody who is called as a severity may speak in a chat`(name: String) throws {
    #expect(try formats(of: "31/12/2019, 14:14 - INFO: hello\n", in: name).formats == ["whatsapp"])
  }

  @Test func `a table with times and severities is a table`() throws {
    let table = "time,level,sender,text\n2014-01-01 08:04:58, INFO,ann,hi\n2014-01-01 08:04:59, WARN,bo,hi\n"
    #expect(try formats(of: table, in: "a.csv").formats == ["csv"])
    #expect(try formats(of: table.replacingOccurrences(of: ",", with: "\t"), in: "a.tsv").formats == ["tsv"])
  }
}
