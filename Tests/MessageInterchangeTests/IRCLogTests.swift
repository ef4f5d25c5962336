import Foundation
import MessageInterchange
import MessageModel
import Testing

@Suite struct IRCLogTests {
  @Test func `a log of Ubuntu gives its messages, actions and events with the minutes they fell in`() throws {
    let picture = try ImportPicture([Fixture.path("irc/ubuntu/2024-02-28.txt")])
    #expect(picture.files.map(\.format) == ["irc-ubuntu"])
    try expectGolden(picture.text, "irc/ubuntu-2024-02-28.golden")
  }

  @Test(arguments: [
    "weechat", "irssi", "znc", "hexchat", "mirc", "eggdrop", "energymech", "limnoria", "dircproxy",
    "collected", "chatterino", "thelounge", "bot", "html", "meetbot", "irclog2html",
  ])
  func `a log tells by itself which program wrote it, and gives all that it says`(program: String) throws {
    let picture = try ImportPicture([Fixture.path("irc/\(program)")], .berlin)
    #expect(Set(picture.files.map(\.format)) == ["irc-\(program)"])
    try expectGolden(picture.text, "irc/\(program).golden")
  }

  @Test func `a log of justlog names the channel in each line`() throws {
    let picture = try ImportPicture([Fixture.path("irc/justlog")])
    #expect(picture.files.map(\.format) == ["irc-justlog"])
    #expect(
      picture.messages.map(\.text) == [
        "2024-4-9 12:0:0 second #lanterns text <ann> |hi there|",
        "2024-4-9 12:0:10 second #lanterns text <bob> |hello: you|",
        "2024-4-10 8:30:0 second #tides system - |ann has been timed out for 600 seconds|",
        "2024-4-10 8:31:0 second #tides text <cleo> |back|",
      ])
  }

  @Test func `a day that its place tells is not left because a clock ran back`() throws {
    for zone in [ImportOptions.utc, .berlin] {
      let picture = try ImportPicture([Fixture.path("irc/days")], zone)
      var clock = WallClock(zone: zone.timeZone)
      let days = picture.messages.map { clock.civil(at: $0.time).day }
      #expect(days == [30, 30, 30, 30, 30, 30, 31])
      #expect(picture.conversations == ["tea"])
    }
  }

  @Test(arguments: [
    "2016/10/30.log", "2016-10/30.log", "2016/10-30.log", "2016/10/30/tea.log", "tea.2016-10-30.log",
    "2016-10-30/tea.log", "tea/20161030.log", "tea.log.30Oct2016",
  ])
  func `the day is told by name and folders alike`(path: String) throws {
    try Fixture.withFolder { folder in
      let log = "[02:59:59] <ann> a\n[02:00:03] <ben> b\n[10:06:00] <ann> c\n"
      try Fixture.write(Array(log.utf8), to: "\(folder)/tea/\(path)")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.time.utc.day) == [30, 30, 30])
      #expect(picture.conversations == ["tea"])
    }
  }

  @Test(arguments: [
    (
      "irc-irssi", "--- Log opened Sun Oct 30 01:00:00 2016\n02:59 <a> x\n02:00 <a> x\n00:01 <a> x\n",
      [30, 30, 30]
    ),
    (
      "irc-irssi",
      "--- Log opened Sat Oct 29 01:00:00 2016\n23:59 <a> x\n--- Day changed Sun Oct 30 2016\n02:59 <a> x\n01:00 <a> x\n",
      [29, 30, 30]
    ),
    (
      "irc-irssi",
      "--- Log opened Sa Okt 29 01:00:00 2016\n23:59 <a> x\n--- Day changed So Okt 30 2016\n02:59 <a> x\n01:00 <a> x\n",
      [29, 30, 30]
    ),
    (
      "irc-mirc",
      "Session Start: Sun Oct 30 01:00:00 2016\n[02:59] <a> x\n[02:00] <a> x\n[23:59] <a> x\n[00:01] <a> x\n",
      [30, 30, 30, 31]
    ),
    (
      "irc-mirc",
      "Session Start: Sun Oct 30 01:00:00 2016\n[23:59] <a> x\nSession Time: Mon Oct 31 00:00:00 2016\n[00:01] <a> x\n",
      [30, 31]
    ),
    (
      "irc-eggdrop",
      "[00:00] --- Sun Oct 30 2016\n[02:59] <a> x\n[02:00] <a> x\n[00:00] --- Mon Oct 31 2016\n[00:01] <a> x\n",
      [30, 30, 31]
    ),
    (
      "line",
      "[LINE] a\n\n2016/10/30(Sun)\n10:05\ta\tx\n10:00\ta\tx\n08:00\ta\tx\n2016/10/31(Mon)\n00:01\ta\tx\n",
      [30, 30, 30, 31]
    ),
  ])
  func `a day that a line of the log tells is not left because a clock ran back`(
    format: String, log: String, days: [Int]
  ) throws {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(log.utf8), to: folder + "/tea.log")
      let picture = try ImportPicture([folder], ImportOptions(format: format, timeZone: .gmt))
      #expect(picture.messages.map(\.time.utc.day) == days)
    }
  }

  @Test func `where nothing tells the day of a log but its beginning, time decides`() throws {
    try Fixture.withFolder { folder in
      let log = "[23:50] <ann> a\n[00:10] <ann> b\n[22:00] <ann> c\n[21:00] <ann> d\n"
      try Fixture.write(Array(log.utf8), to: folder + "/tea.log")
      let options = ImportOptions(timeZone: .gmt, day: CivilTime(year: 2016, month: 10, day: 29))
      let picture = try ImportPicture([folder], options)
      #expect(picture.messages.map(\.time.utc.day) == [29, 30, 30, 31])
    }
  }

  @Test(arguments: ["masks", "xchat"])
  func `logs of HexChat and XChat are known by their first line, in any language`(folder: String) throws {
    let picture = try ImportPicture([Fixture.path("irc/\(folder)")])
    #expect(Set(picture.files.map(\.format)) == ["irc-hexchat"])
    #expect(!picture.messages.contains { $0.kind == .unknown })
    try expectGolden(picture.text, "irc/\(folder).golden")
  }

  @Test func `logs whose names hold no channel are called what they say themselves, or after their names`()
    throws
  {
    let picture = try ImportPicture([Fixture.path("irc/masks")])
    #expect(
      picture.messages.filter { $0.body.hasPrefix("hello") }.map(\.conversation) == ["#one", "two_log"])
  }

  @Test func `notices, what was said to one person and changes of modes are what they are`() throws {
    let picture = try ImportPicture(
      [Fixture.path("irc/masks/logs/_one_log_2025-05-20.log")], ImportOptions(timeZone: .gmt, me: "ann"))
    #expect(
      picture.messages.dropFirst(2).map { "\($0.kind.name) \($0.sender ?? "-")" } == [
        "notice ChanServ", "text ann", "notice ann", "notice ben", "mode ChanServ", "mode ann", "mode ann",
        "mode ann", "system -", "kick ann", "action ann", "text cam", "text ann",
      ])
  }

  @Test func `a message of many lines is one message, also where a batch ends`() throws {
    try Fixture.withFolder { folder in
      let message = "2024-05-01 12:00:00\tann\tone\ntwo\nthree\n"
      try Fixture.write(
        Array(String(repeating: message, count: 17_000).utf8), to: folder + "/irc.libera.#c.weechatlog")
      let picture = try ImportPicture([folder])
      #expect(picture.batches.count > 1)
      #expect(picture.messages.count == 17_000)
      #expect(picture.messages.allSatisfy { $0.body == "one\ntwo\nthree" })
    }
  }

  @Test func `carriage returns are no part of a text, and a skipped hour moves on`() throws {
    let picture = try ImportPicture([Fixture.path("irc/ubuntu/2024-03-31.crlf.txt")], .berlin)
    #expect(
      picture.messages.map(\.text) == [
        "2024-3-31 0:59:0 minute ubuntu text <ann> |lines that end in two characters|",
        "2024-3-31 1:30:0 minute ubuntu text <ann> |a time that clocks in Berlin skip|",
        "2024-3-31 1:0:0 minute ubuntu text <ann> |  three spaces before this|",
      ])
  }

  @Test func `on a clock face one o'clock comes after twelve`() throws {
    let picture = try ImportPicture([Fixture.path("irc/ubuntu/2005-07-06_14.raw.txt")])
    #expect(picture.messages.map(\.time.utc.hour) == [11, 12, 13])
    #expect(picture.conversations == ["ubuntu"])
  }

  @Test func `a folder of days is a conversation named after the folder above the dates`() throws {
    let picture = try ImportPicture([Fixture.path("irc/raku")])
    #expect(picture.files.map(\.format) == ["irc-raku", "irc-raku"])
    #expect(picture.conversations == ["camelia"])
    try expectGolden(picture.text, "irc/raku.golden")
  }

  @Test func `each run of entries comes from one file`() throws {
    let picture = try ImportPicture([Fixture.path("irc/raku")])
    #expect(
      picture.batches.map(\.runs) == [
        [
          ImportedMessages.Run(file: 0, entries: 0..<9, isContinuation: false),
          ImportedMessages.Run(file: 1, entries: 9..<11, isContinuation: false),
        ]
      ])
  }

  @Test func `a long file goes on in the next batch`() throws {
    try Fixture.withFolder { folder in
      let line = Array("[12:00] <ann> again\n".utf8)
      try Fixture.write(Array(repeatElement(line, count: 17_000).joined()), to: folder + "/#c/2024-05-01.txt")
      let picture = try ImportPicture([folder])
      let following = repeatElement([true], count: picture.batches.count - 1)
      #expect(picture.batches.count > 1)
      #expect(picture.batches.map { $0.runs.map(\.isContinuation) } == [[false]] + following)
      #expect(picture.batches.map(\.entries.count).reduce(0, +) == 17_000)
      #expect(picture.conversations == ["#c"])
    }
  }

  @Test func `times without a day are skipped with the way out`() throws {
    try Fixture.withFolder { folder in
      try Fixture.write(
        Array("[12:00] <ann> when?\n=== ben [b@host]  has joined #c\n".utf8), to: folder + "/log.txt")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.isEmpty)
      #expect(
        picture.skipped.map(\.reason) == [
          "no day for this time (give it with --date)", "no time in this line",
        ])
      let dated = try ImportPicture(
        [folder], ImportOptions(timeZone: .gmt, day: CivilTime(year: 2024, month: 5, day: 1)))
      #expect(dated.messages.map(\.kind) == [.text, .join])
    }
  }

  @Test func `of a log with events alone only the day is known`() throws {
    try Fixture.withFolder { folder in
      try Fixture.write(
        Array("=== ben [b@host]  has joined #c\n[12:00] <a> b\n".utf8), to: folder + "/c/2024-05-01.txt")
      try Fixture.write(Array("=== ben [b@host]  has left #c\n".utf8), to: folder + "/c/2024-05-02.txt")
      let picture = try ImportPicture([folder], ImportOptions(format: "irc-ubuntu", timeZone: .gmt))
      #expect(
        picture.messages.map(\.text) == [
          "2024-5-1 12:0:0 minute c join <ben> |[b@host]  has joined #c|",
          "2024-5-1 12:0:0 minute c text <a> |b|",
          "2024-5-2 0:0:0 day c part <ben> |[b@host]  has left #c|",
        ])
    }
  }

  @Test func `a chosen conversation and the original lines are kept`() throws {
    let options = ImportOptions(conversation: "mine", timeZone: .gmt, keepsOriginal: true)
    let picture = try ImportPicture([Fixture.path("irc/raku/camelia/2025")], options)
    #expect(picture.conversations == ["mine"])
    #expect(picture.messages.first?.details?.source?.original == "[00:00] <ann> a happy new year")
  }

  @Test(.enabled(if: Fixture.hasShared("irc-ubuntu"), "needs the shared logs of Ubuntu"))
  func `the logs of Ubuntu give every line`() throws {
    let picture = try ImportPicture([Fixture.shared("irc-ubuntu")])
    #expect(picture.conversations == ["irc-ubuntu"])
    #expect(picture.skipped.isEmpty)
    #expect(picture.messages.count == 123_611)
    #expect(picture.kinds[.text] == 111_385)
    #expect(picture.kinds[.action] == 223)
    #expect(picture.eventCount == 12_002)
    #expect(picture.kinds[.unknown] == 1)
  }

  @Test(.enabled(if: Fixture.hasShared("irc-raku"), "needs the shared logs of Raku"))
  func `the logs of a year of Raku give every line out of their archive`() throws {
    let picture = try ImportPicture([Fixture.shared("irc-raku/raku-2024.tar.xz")])
    #expect(picture.conversations == ["raku"])
    #expect(picture.skipped.isEmpty)
    #expect(picture.messages.count == 60_779)
  }
}
