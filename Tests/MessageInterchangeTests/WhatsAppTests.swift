import Foundation
import MessageInterchange
import MessageModel
import Testing

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
}
