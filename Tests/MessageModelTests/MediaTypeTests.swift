import MessageModel
import Testing

@Suite struct MediaTypeTests {
  @Test(arguments: [
    ("%PDF-1.7", "application/pdf"), ("OggS", "audio/ogg"), ("fLaC", "audio/flac"), ("ID3", "audio/mpeg"),
    ("PK\u{3}\u{4}", "application/zip"), ("SQLite format 3\u{0}", "application/vnd.sqlite3"),
    ("\u{0}\u{0}\u{0}\u{18}ftypqt  ", "video/quicktime"), ("\u{0}\u{0}\u{0}\u{18}ftypM4A ", "audio/mp4"),
    ("\u{0}\u{0}\u{0}\u{18}ftypavif", "image/avif"), ("RIFF\u{0}\u{0}\u{0}\u{0}WAVE", "audio/wav"),
    (" <!DOCTYPE html><p>", "text/html"), ("<?xml version=\"1.0\"?><svg>", "image/svg+xml"),
    ("tea ☕️\n", "text/plain"), ("", "text/plain"), ("a\u{0}b", "application/octet-stream"),
  ])
  func `a file is what its first bytes show`(start: String, type: String) {
    #expect(MediaType.sniffed(Array(start.utf8)) == type)
  }

  @Test func `a character cut by the end of the sample is no sign against a text, one that is broken is`() {
    let full = Array(repeating: UInt8(ascii: "a"), count: MediaType.sampleByteCount - 1) + [0xC3]
    #expect(MediaType.sniffed(full) == "text/plain")
    #expect(MediaType.sniffed([0x61, 0xC3]) == "application/octet-stream")
    #expect(MediaType.sniffed(Array(full.reversed())) == "application/octet-stream")
  }

  @Test func `a claim is believed only where it says more of the same`() {
    #expect(MediaType.refined("text/plain", by: "text/markdown") == "text/markdown")
    #expect(MediaType.refined("text/plain", by: "Application/JSON") == "application/json")
    #expect(MediaType.refined("text/plain", by: "text/html") == "text/plain")
    #expect(MediaType.refined("text/plain", by: "text/x; charset=\"x\"") == "text/plain")
    #expect(MediaType.refined("image/png", by: "image/jpeg") == "image/png")
    #expect(
      MediaType.refined("application/zip", by: "application/epub+zip") == "application/epub+zip")
    #expect(MediaType.refined("application/zip", by: nil) == "application/zip")
  }
}
