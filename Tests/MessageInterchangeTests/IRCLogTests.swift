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
    "collected",
  ])
  func `a log tells by itself which program wrote it, and gives all that it says`(program: String) throws {
    let picture = try ImportPicture([Fixture.path("irc/\(program)")], .berlin)
    #expect(Set(picture.files.map(\.format)) == ["irc-\(program)"])
    try expectGolden(picture.text, "irc/\(program).golden")
  }

  @Test func `a message of many lines is one message, also where a batch ends`() throws {
    try Fixture.withFolder { folder in
      let message = "2024-05-01 12:00:00\tann\tone\ntwo\nthree\n"
      try Fixture.write(
        Array(String(repeating: message, count: 40_000).utf8), to: folder + "/irc.libera.#c.weechatlog")
      let picture = try ImportPicture([folder])
      #expect(picture.batches.count > 1)
      #expect(picture.messages.count == 40_000)
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

  @Test func `each run of drafts comes from one file`() throws {
    let picture = try ImportPicture([Fixture.path("irc/raku")])
    #expect(
      picture.batches.map(\.runs) == [
        [
          ImportBatch.Run(file: 0, drafts: 0..<9, isContinuation: false),
          ImportBatch.Run(file: 1, drafts: 9..<11, isContinuation: false),
        ]
      ])
  }

  @Test func `a long file goes on in the next batch`() throws {
    try Fixture.withFolder { folder in
      let line = Array("[12:00] <ann> again\n".utf8)
      try Fixture.write(Array(repeatElement(line, count: 40_000).joined()), to: folder + "/#c/2024-05-01.txt")
      let picture = try ImportPicture([folder])
      let following = repeatElement([true], count: picture.batches.count - 1)
      #expect(picture.batches.count > 1)
      #expect(picture.batches.map { $0.runs.map(\.isContinuation) } == [[false]] + following)
      #expect(picture.batches.map(\.drafts.count).reduce(0, +) == 40_000)
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
          "nothing tells the day of this time (--date does)", "nothing tells the time of this line",
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
