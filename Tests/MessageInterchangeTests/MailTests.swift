import Foundation
import MessageInterchange
import MessageModel
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

  @Test(arguments: UInt64(0)..<20)
  func `bytes changed at random never crash the reader`(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
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
}
