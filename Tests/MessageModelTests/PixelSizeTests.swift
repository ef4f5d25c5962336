import MessageModel
import Testing

@Suite struct PixelSizeTests {
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0x17, 0x70, 0, 0, 0x0F, 0xA0, 8, 2, 0, 0, 0]
  private static let gif: [UInt8] = Array("GIF89a".utf8) + [0x40, 0x01, 0xF0, 0x00, 0, 0, 0]
  private static let jpeg: [UInt8] =
    [
      0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 3, 0, 0xFF, 0xC2, 0, 17, 8, 0x0F, 0xA0, 0x17,
      0x70,
    ]
  private static let webp: [UInt8] =
    Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8) + [
      10, 0, 0, 0, 0, 0, 0, 0, 0x3F, 1, 0, 0xEF, 0, 0,
    ]
  private static let lossless: [UInt8] =
    Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8L".utf8)
    + [9, 0, 0, 0, 0x2F, 0x3F, 0xC1, 0x3B, 0, 0, 0, 0, 0, 0]

  @Test func `a format is told by its first bytes, whatever the file is called`() {
    #expect(PictureFormat(sniffing: Self.png) == .png)
    #expect(PictureFormat(sniffing: Self.gif) == .gif)
    #expect(PictureFormat(sniffing: Self.jpeg) == .jpeg)
    #expect(PictureFormat(sniffing: Self.webp) == .webp)
    #expect(PictureFormat(sniffing: Array("<html>".utf8)) == nil)
    #expect(PictureFormat(sniffing: []) == nil)
  }

  @Test func `a size is read from the header alone`() {
    #expect(PixelSize(header: Self.png) == PixelSize(width: 6_000, height: 4_000))
    #expect(PixelSize(header: Self.gif) == PixelSize(width: 320, height: 240))
    #expect(PixelSize(header: Self.jpeg) == PixelSize(width: 6_000, height: 4_000))
    #expect(PixelSize(header: Self.webp) == PixelSize(width: 320, height: 240))
    #expect(PixelSize(header: Self.lossless) == PixelSize(width: 320, height: 240))
  }

  @Test func `a header that is cut anywhere has no size, and never traps`() {
    for header in [Self.png, Self.gif, Self.jpeg, Self.webp, Self.lossless] {
      for count in 0..<10 { #expect(PixelSize(header: Array(header.prefix(count))) == nil) }
      for count in 10..<header.count { _ = PixelSize(header: Array(header.prefix(count))) }
    }
  }

  @Test func `segments that lie about their length lead nowhere`() {
    #expect(PixelSize(header: [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xC0, 0, 17, 8, 0, 9, 0, 9]) == nil)
    #expect(PixelSize(header: [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF]) == nil)
  }
}
