import HistoryPage
import Testing

struct PageFilesTests {
  static let files = [PageFiles.document, PageFiles.styleSheet, PageFiles.script]
  static let texts = (files + [PageFiles.siteScript] + PagePart.allCases.map(\.bytes)).map {
    String(decoding: $0, as: UTF8.self)
  }

  @Test func `what a page begins with has at most 96 KB as it is, of a site too`() {
    #expect(Self.files.allSatisfy { !$0.isEmpty })
    #expect((Self.files + [PageFiles.siteScript]).map(\.count).reduce(0, +) <= 96 * 1024)
  }

  @Test func `all files of the page together have at most 90 KB as a server sends them`() {
    let all = Self.files + [PageFiles.icon, PageFiles.siteScript] + PagePart.allCases.map(\.bytes)
    #expect(all.map { Gzip.packed($0).count }.reduce(0, +) <= 90 * 1024)
  }

  @Test(arguments: PagePart.allCases)
  func `each part that is loaded when it is asked for has at most 24 KB`(part: PagePart) {
    #expect((1...24 * 1024).contains(part.bytes.count))
    #expect(!Self.texts[0].contains(part.rawValue))
    #expect(Self.texts[2...].contains { $0.contains("'\(part.rawValue)'") })
  }

  @Test func `scripts lose the space before their lines, so no text in them goes on over lines`() {
    for script in [PageFiles.script, PageFiles.siteScript]
      + PagePart.allCases.filter({ $0 != .style }).map(\.bytes)
    {
      for line in String(decoding: script, as: UTF8.self).split(separator: "\n") {
        // Within `${…}` of a text there is code, which may.
        let isWhole =
          line.count { $0 == "`" }.isMultiple(of: 2) || line.hasSuffix("${") || line.hasPrefix("}")
        #expect(isWhole && !line.hasPrefix(" ") && !line.hasPrefix("//"), "\(line)")
      }
    }
  }

  @Test func `the page names nothing that lies elsewhere`() {
    for text in Self.texts {
      for address in ["http://", "https://", "\"//", "'//", "@import", "url("] {
        #expect(!text.contains(address), "\(address) in \(text.prefix(40))")
      }
    }
  }

  @Test func `the page makes no document of what is text`() {
    let ways = [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval(", "Function(",
    ]
    for text in Self.texts { for way in ways { #expect(!text.contains(way), "\(way)") } }
  }

  @Test func `the document says that a server is behind it, in a line of its own`() {
    let line = "<meta name=\"scrollback-source\" content=\"server\">"
    #expect(Self.texts[0].split(separator: "\n").contains { $0 == line })
  }
}
