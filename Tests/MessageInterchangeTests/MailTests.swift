import Foundation
import MessageInterchange
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@Suite struct MailTests {
  @Test func `a mailbox and a maildir give their mails`() throws {
    let picture = try ImportPicture([Fixture.path("mail")])
    #expect(Set(picture.files.map(\.format)) == ["mbox"])
    let lines = String(decoding: exported(picture.messages, by: JSONLinesExport()), as: UTF8.self)
    let references = picture.messages.compactMap { line in
      line.details?.thread.map { "\(line.details?.source?.id ?? "") in \($0)\n" }
    }
    try expectGolden(picture.text + lines + references.joined(), "mail.golden")
  }

  @Test(arguments: [
    ("&lt;tea&gt; &amp;amp; &quot;x&apos;&nbsp;&#65;&#x42;&#X43;", "<tea> &amp; \"x' ABC"),
    ("&#55357;&#56832;", "😀"), ("&#55357;x", "\u{FFFD}x"), ("&#56832;", "\u{FFFD}"),
    ("&#99999999;", "\u{FFFD}"), ("&tea; & &#; &#xZ; &amp", "&tea; & &#; &#xZ; &amp"),
  ])
  func `references to characters are read, also halves of one`(html: String, text: String) throws {
    let bodies = try bodies(
      """
      From ann@host.example Sat Jun  1 08:00:00 2013
      Content-Type: text/html

      <p>\(html)</p>
      """)
    #expect(bodies == [text])
  }

  @Test func `a mail begins at its dated line, with or without an empty line before it`() throws {
    let bodies = try bodies(
      """
      From ann@host.example Sat Jun  1 08:00:00 2013
      Subject: one

      one
      From ben@host.example Sat Jun  1 08:00:00 2013
      Subject: two

      two
      From - Sat Jun  1 08:00 2013
      X-Mozilla-Status: 0001

      three
      From 123@xxx Sat Jun 01 08:00:00 +0000 2013
      X-GM-THRID: 123

      four
      From host!ann Sat, 1 Jun 2013 08:00:00 +0200 remote from host
      Received: by host

      five
      From "Ann Bee"@host.example Sat Jun  1 08:00:00 EST 2013\r
      Subject: six\r
      \r
      six\r
      From ann@host.example Sat Jun  1 08:00:00 2013\r
      Subject: seven\r
      \r
      seven
      """)
    #expect(bodies == ["one", "two", "three", "four", "five", "six", "seven"])
  }

  @Test(arguments: [
    "From it, I would like to build one\nproblems: two", "From the archives\nSubject: old",
    "From ann@host.example, who knows\nDate: tomorrow", "From Ann\nTo: the others",
    "From 1 May 2013 on\nhttp://host.example", "From ann@host.example Sat Jun  1 08:00:00 2013\nno header",
    "From Sat Jun 1\nTo: Sun",
  ])
  func `a sentence that begins with From begins no mail`(sentence: String) throws {
    let bodies = try bodies(
      """
      From ann@host.example Sat Jun  1 08:00:00 2013
      Subject: one

      first

      \(sentence)

      last
      """)
    #expect(bodies == ["first\n\n\(sentence)\n\nlast"])
  }

  @Test(arguments: [
    ("Mon, 14 Oct 2002 12:50:13 0200", "2002-10-14 10:50:13"),
    ("Mon, 14 Oct 2002 12:50:13 530", "2002-10-14 7:20:13"),
    ("Mon Oct 14 12:50:13 0200 2002", "2002-10-14 10:50:13"),
    ("Mon Oct 14 12:50:13 2002", "2002-10-14 12:50:13"),
    ("Mon Oct 14 12:50:13 EDT 2002", "2002-10-14 16:50:13"),
    ("Thu, 26 Jun 2003 19:03:36 +02120", "2003-6-26 19:3:36"),
    ("Thu, 26 Jun 2003 19:03:36 +02120 (MEST)", "2003-6-26 17:3:36"),
    ("Thu, 26 Jun 2003 19:03:36 -800", "2003-6-27 3:3:36"),
    ("Wed, 14 Jul 2004 16:50:16 +01", "2004-7-14 15:50:16"),
    ("Wed, 14 Jul 2004 16:50:16 -1", "2004-7-14 17:50:16"),
    ("Wed, 14 Jul 2004 16:50:16 +05:30", "2004-7-14 11:20:16"),
    ("Wed, 14 Jul 2004 16:50:16 +9900", "2004-7-14 16:50:16"),
    ("Wed, 14 Jul 2004 16:50:16 +0170", "2004-7-14 16:50:16"),
    ("Wed Jul 14 2004 16:50:16 GMT+0200 (CEST)", "2004-7-14 14:50:16"),
    ("Wed, 14 Jul 2004 16:50:16 GMT -0100", "2004-7-14 17:50:16"),
    ("Mon, 21 Oct 2002 15:02:34 +50579034", "2002-10-21 15:2:34"),
    ("Wed, 31 Dec 1997 17:43:56 -75200 (PST)", "1998-1-1 1:43:56"),
    ("07-Jul-2010 22:14:03 EDT", "2010-7-8 2:14:3"),
    ("Jul-07-2010 22:14:03", "2010-7-7 22:14:3"), ("7-Jul-10 10:14:03 PM", "2010-7-7 22:14:3"),
    ("2010-07-07T22:14:03.250-04:00", "2010-7-8 2:14:3"), ("2010/07/07 12:14 AM", "2010-7-7 0:14:0"),
    ("31.12.2010 22:14:03", "2010-12-31 22:14:3"), ("12/31/2010 22:14:03Z", "2010-12-31 22:14:3"),
    ("14 Sep 00 00:58:52 MDT", "2000-9-14 6:58:52"), ("Thu, 28 Sep 00 10:12:51 EST", "2000-9-28 15:12:51"),
    ("28 Sep 99 10:12:51 UT", "1999-9-28 10:12:51"), ("28 Sep 102 10:12:51", "2002-9-28 10:12:51"),
    ("Di, 05 Mrz 2024 10:00:00 +0100", "2024-3-5 9:0:0"),
    ("mar. 5 avr. 2022 10:00:00 +0200", "2022-4-5 8:0:0"),
    ("mardi 5 avril 2022 10:00:00", "2022-4-5 10:0:0"),
    ("martes, 5 de abril de 2022 10:00", "2022-4-5 10:0:0"),
    ("Пт, 01 дек 2023 10:00:00 +0300", "2023-12-1 7:0:0"), ("śr., 1 lis 2023 10:00:00", "2023-11-1 10:0:0"),
    ("(old) Thu, 28th Sept. 2000 10.12.51 (new (nested) one)", "2000-9-28 10:12:51"),
  ])
  func `a date means what its program meant`(written: String, meant: String) throws {
    let mailbox = "From ann@host.example Tue Jun  1 08:00:00 2004\nSubject: x\nDate: \(written)\n\ntext\n"
    #expect(try times(mailbox) == [meant])
  }

  @Test(arguments: [
    "05/06/2010 10:00:00", "Thu Jan 01 00:00:10 +0000", "yesterday", "31 Feb 2010", "99:99 1 May 2010",
  ])
  func `a date that tells no day gives way to the line that begins the mail`(written: String) throws {
    let mailbox = "From ann@host.example Tue Jun  1 08:00:00 2004\nSubject: x\nDate: \(written)\n\ntext\n"
    #expect(try times(mailbox) == ["2004-6-1 8:0:0"])
  }

  @Test func `no mail is a century away from its neighbours`() throws {
    func mail(_ date: String, _ envelope: String = "") -> String {
      "From ann@host.example \(envelope)\nSubject: x\nDate: \(date)\n\ntext\n\n"
    }
    let near = "Mon, 14 Oct 2002 12:00:00 +0000"
    // Only the century is wrong; the archive took the date for true.
    let later = mail("Tue, 15 Oct 2102 12:00:00 +0000", "Fri Oct 15 12:00:00 2102")
    let earlier = mail("Tue, 15 Oct 1902 12:00:00 +0000")
    let century = mail("Tue, 15 Oct 19102 12:00:00 +0000")
    // All of it is, and the mail came at a known time.
    let unset = mail("Fri, 1 Jan 1904 00:00:00 +0000", "Wed Oct 16 12:00:00 2002")
    let mailbox =
      later + [mail(near), mail(near), mail(near), later, earlier, century, unset, mail(near)].joined()
    let (tuesday, monday) = ("2002-10-15 12:0:0", "2002-10-14 12:0:0")
    #expect(
      try times(mailbox) == [
        tuesday, monday, monday, monday, tuesday, tuesday, tuesday, "2002-10-16 12:0:0", monday,
      ])
    // Of one mail alone, the line that begins it is the neighbour.
    #expect(try times(mail("Tue, 15 Oct 2102 12:00:00", "Tue Oct 15 12:00:00 2002")) == [tuesday])
    #expect(try times(mail("Tue, 15 Oct 1974 12:00:00", "Tue Oct 15 12:00:00 2024")) == ["1974-10-15 12:0:0"])
  }

  @Test(arguments: [
    ("Ann <ann@host.example>", "Ann", "ann@host.example"),
    ("\"Bee, Ann \\\"Tea\\\"\" <ann@host.example>", "Bee, Ann \"Tea\"", "ann@host.example"),
    ("Bee, Ann <ann@host.example>, Ben <ben@host.example>", "Bee, Ann", "ann@host.example"),
    ("ann@host.example, ben@host.example", "ann@host.example", "ann@host.example"),
    ("'Ann' <ann@host.example>", "Ann", "ann@host.example"),
    ("\"'Ann'\" <ann@host.example>", "Ann", "ann@host.example"),
    ("\"Ann <ann@host.example>", "Ann", "ann@host.example"),
    ("<ann@host.example>", "ann@host.example", "ann@host.example"),
    ("\"ann@host.example\" <ann@host.example>", "ann@host.example", "ann@host.example"),
    ("\"Ann <the first>\" <ann@host.example>", "Ann <the first>", "ann@host.example"),
    ("Ann (at work) <ann@host.example>", "Ann (at work)", "ann@host.example"),
    ("<ann@host.example> (Ann)", "Ann", "ann@host.example"),
    ("(Ann) <ann@host.example>", "Ann", "ann@host.example"),
    ("ann@host.example (Ann (Tea) Bee)", "Ann (Tea) Bee", "ann@host.example"),
    ("ann at host.example (Ann \\\"Tea\\\" Bee)", "Ann \"Tea\" Bee", nil),
    ("ann at host.example (\\\"Ann Bee\\\")", "Ann Bee", nil),
    ("ann at host.example (Ann :()", "Ann :(", nil),
    ("ann at host.example (Bee, A, B <ann@host.example>)", "Bee, A, B", "ann@host.example"),
    ("ann at host.example", "ann at host.example", nil), ("Ann", "Ann", nil),
    ("=?iso-8859-8-i?B?4Onm6SD46Q==?= <ann@host.example>", "איזי רי", "ann@host.example"),
    ("ann at host.example (=?iso-8859-1?Q?=22S=F8ren_Buhl=22?=)", "Søren Buhl", nil),
    ("=?utf-8?Q?Ann_=28Tea=2C_=3Cx=3E=29?= <ann@host.example>", "Ann (Tea, <x>)", "ann@host.example"),
    ("=?utf-8?B?w6TDtsM=?= =?UTF-8?B?vA==?= <ann@host.example>", "äöü", "ann@host.example"),
    ("=?x-sjis?B?k/qWew==?= <ann@host.example>", "日本", "ann@host.example"),
    ("=?ks_c_5601-1987?B?x9GxuQ==?= <ann@host.example>", "한국", "ann@host.example"),
    ("=?GB2312?B?1tC5+v8=?= <ann@host.example>", "中国\u{FFFD}", "ann@host.example"),
    ("=?windows_1251?Q?=CC=E8=F0?= <ann@host.example>", "Мир", "ann@host.example"),
    ("=?x-cp1252?Q?=80?= =?iso_8859-15:1998?Q?=A4?= <ann@host.example>", "€€", "ann@host.example"),
    ("=?unknown-8bit?Q?caf=E9?= <ann@host.example>", "café", "ann@host.example"),
    ("=?utf-8?X?no word?= <ann@host.example>", "=?utf-8?X?no word?=", "ann@host.example"),
  ])
  func `a sender has the name that the field means`(field: String, name: String, address: String?) throws {
    let mailbox = "From ann@host.example Tue Jun  1 08:00:00 2004\nFrom: \(field)\n\ntext\n"
    let message = try #require(try picture(mailbox).messages.first)
    #expect(message.sender == name)
    #expect(message.details?.senderID == address)
  }

  @Test(arguments: [
    ("Tea lovers <tea.host.example>", "Tea lovers"), ("\"Tea lovers\" <tea.host.example>", "Tea lovers"),
    ("<tea.host.example>", "tea.host.example"), ("tea.host.example", "tea.host.example"),
    ("Tea <and cake> <tea.host.example>", "Tea <and cake>"),
    ("\"Tea <and> \\\"cake\\\"\" <tea.host.example>", "Tea <and> \"cake\""),
    ("=?utf-8?Q?T=C3=A4glich_=3Ctea=3E?= <tea.host.example>", "Täglich <tea>"),
    ("=?utf-8?Q?=22Tea=22?= <tea.host.example>", "\"Tea\""),
  ])
  func `a list has the name that the field means`(field: String, name: String) throws {
    let mailbox = "From ann@host.example Tue Jun  1 08:00:00 2004\nList-Id: \(field)\n\ntext\n"
    #expect(try picture(mailbox).conversations == [name])
  }

  @Test(arguments: [
    "2013-June.txt", "2013-Jun.txt", "2013-June", "June-2013.mbox", "2013-06.mbox", "201306.txt",
    "2013q2.txt", "2013-Q2",
    "2013.txt", "20130612.txt", "Week-of-Mon-20130610.txt", "2013-06/mails.2013-06-12.txt",
  ])
  func `files of a list that are named by their time alone are one conversation`(name: String) throws {
    try Fixture.withFolder { folder in
      let mailbox = "From ann@host.example Tue Jun  1 08:00:00 2004\nFrom: ann@host.example\n\ntext\n"
      try Fixture.write(Array(mailbox.utf8), to: folder + "/tea/" + name)
      let expected = name.contains("mails") ? "mails" : "tea"
      #expect(try ImportPicture([folder]).conversations == [expected])
    }
  }

  @Test(arguments: [[], [0xFF]] as [[UInt8]])
  func `a text longer than what is converted at once is whole`(wrong: [UInt8]) throws {
    try Fixture.withFolder { folder in
      var bytes = Array("From ann@host.example Tue Jun  1 08:00:00 2004\n".utf8)
      bytes += Array("Content-Type: text/plain; charset=gbk\n\n".utf8)
      for number in 0..<20_000 {
        bytes += Array("\(number) ".utf8)
        bytes += [0xC4, 0xE3, 0x0D, 0x0A]
      }
      bytes += wrong
      bytes += Array("end\r\n".utf8)
      try Fixture.write(bytes, to: folder + "/tea.mbox")
      let text = (0..<20_000).map { "\($0) \u{4F60}\n" }.joined()
      let picture = try ImportPicture([folder])
      #expect(picture.messages.map(\.body) == [text + (wrong.isEmpty ? "" : "\u{FFFD}") + "end"])
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 6))
  func `bytes changed at random never crash the reader`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = try Array(Data(contentsOf: URL(filePath: Fixture.path("mail/harbour.mbox"))))
    for _ in 0..<60 {
      bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
    }
    try Fixture.withFolder { folder in
      try Fixture.write(bytes, to: folder + "/changed.mbox")
      let picture = try ImportPicture([folder], ImportOptions(format: "mbox", timeZone: .gmt))
      #expect(picture.progress.messageCount == picture.messages.count)
    }
  }

  @Test(.enabled(if: Fixture.hasShared("mail"), "needs the shared mails"))
  func `real mails are all read`() throws {
    let picture = try ImportPicture([Fixture.shared("mail")])
    #expect(picture.messages.count == 159)
    #expect(Set(picture.messages.compactMap { $0.details?.source?.id }).count == 141)
    // `Date: Thu Jan 01 00:00:10 +0000`: without a year it is no date.
    #expect(picture.skipped.map(\.reason) == ["it has no date"])
  }

  // MARK: Made-up mailboxes

  private func picture(_ mailbox: String) throws -> ImportPicture {
    try Fixture.withFolder { folder in
      try Fixture.write(Array(mailbox.utf8), to: folder + "/made-up.mbox")
      return try ImportPicture([folder], ImportOptions(format: "mbox", timeZone: .gmt))
    }
  }

  private func bodies(_ mailbox: String) throws -> [String] { try picture(mailbox).messages.map(\.body) }

  private func times(_ mailbox: String) throws -> [String] {
    try picture(mailbox).messages.map { message in
      message.text.split(separator: " ").prefix(2).joined(separator: " ")
    }
  }
}
