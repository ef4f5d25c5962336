import Foundation
import HistoryTransfer
import MessageInterchange
import TestSupport
import Testing

/// docs/formats.md lists what is read, and how one gets it.
@Suite struct FormatPageTests {
  @Test func `each format stands in a row, by the name that --format takes`() throws {
    let page = try String(contentsOf: GoldenFile.root.appending(path: "docs/formats.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
    // Of a row, what stands before the way to get it.
    let names = Set(rows.flatMap { $0.split(separator: "|")[0].split(separator: "`") })
    for format in ImportFormats.names {
      #expect(names.contains(Substring(format.name)), "docs/formats.md has no row of \(format.name)")
    }
  }
}
