import Foundation
import MessageInterchange
import Testing

/// Files in other encodings than UTF-8.
@Suite struct EncodingTests {
  private static let table =
    "time,sender,text\r\n2024-05-01 10:00:00,\u{E4}nn,\"tea \u{1F375}\r\n\u{8336}\"\r\n"

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func `a table in UTF-16 is read as one in UTF-8`(encoding: String.Encoding) throws {
    try Fixture.withFolder { folder in
      let bytes = try #require(("\u{FEFF}" + Self.table).data(using: encoding))
      try Fixture.write(bytes, to: folder + "/tea.csv")
      let picture = try ImportPicture([folder])
      #expect(
        picture.messages.map(\.text) == [
          "2024-5-1 10:0:0 second tea text <\u{E4}nn> |tea \u{1F375}␊\u{8336}|"
        ])
    }
  }

  @Test func `a long text in UTF-16 is read whole, and halves of characters become visible`() throws {
    try Fixture.withFolder { folder in
      var units: [UInt16] = [0xFEFF]
      for number in 0..<30_000 { units += Array("[10:00] <ann> \(number) \u{1F375}\r\n".utf16) }
      units += Array("[10:01] <ann> ".utf16) + [0xD83D, 0x61, 0xDC00, 0xD83D]
      var bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      bytes.append(0x61)
      try Fixture.write(bytes, to: folder + "/tea.2024-02-29.txt")
      let picture = try ImportPicture([folder])
      #expect(picture.messages.count == 30_001)
      #expect(picture.messages[29_999].body == "29999 \u{1F375}")
      #expect(picture.messages.last?.body == "\u{FFFD}a\u{FFFD}\u{FFFD}")
    }
  }

  @Test func `lines that are not UTF-8 are in the encoding that the user chose, each for itself`() throws {
    try Fixture.withFolder { folder in
      var bytes = Array("[10:00] <ann> \u{17E}\u{16B}\n[10:01] <ann> ".utf8)
      bytes += [0xFE, 0xFB, 0x0A]
      try Fixture.write(bytes, to: folder + "/tea.2024-02-29.txt")
      func bodies(_ encoding: FallbackEncoding) throws -> [String] {
        try ImportPicture([folder], ImportOptions(timeZone: .gmt, fallbackEncoding: encoding)).messages.map(
          \.body)
      }
      #expect(try bodies(.windows1252) == ["\u{17E}\u{16B}", "\u{FE}\u{FB}"])
      let baltic = try #require(FallbackEncoding(name: "ISO-8859-13"))
      #expect(try bodies(baltic) == ["\u{17E}\u{16B}", "\u{17E}\u{16B}"])
      let russian = try #require(FallbackEncoding(name: "koi8-r"))
      #expect(try bodies(russian) == ["\u{17E}\u{16B}", "\u{427}\u{428}"])
    }
  }

  @Test(arguments: ["shift-jis", "utf-16", "ebcdic-us", "nonsense", "utf-8"])
  func `an encoding of several bytes, or without ASCII, is none to fall back to`(name: String) {
    #expect(FallbackEncoding(name: name) == nil)
  }
}
