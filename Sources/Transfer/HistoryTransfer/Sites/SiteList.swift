internal import MessageInterchange
internal import MessageModel

/// Pages of links, 500 on each: the conversations of a site, or the threads of one.
struct SiteList: Codable {
  private var items: [String] = []
  private var pageCount = 0
  /// The folder of its pages, with a slash, and the beginning of their names.
  private let folder: String
  private let stem: String
  private let title: String
  /// What is linked, for search engines.
  private let about: String

  private static let itemCount = 500

  init(_ title: String, about: String, folder: String = "", stem: String) {
    (self.title, self.about, self.folder, self.stem) = (title, about, folder, stem)
  }

  /// The number of links, as far as one page has them.
  var firstCount: Int { pageCount == 0 ? items.count : Self.itemCount }

  /// The address of its first page, for those in its folder.
  var fileName: String { fileName(1) }

  private func fileName(_ number: Int) -> String {
    number == 1 ? "\(stem).html" : "\(stem)-\(number).html"
  }

  /// Adds a link, and writes the page before if it is full.
  mutating func add(
    _ address: String, _ label: String, _ rest: String, write: (SiteDocument, [UInt8]) throws -> Void
  ) rethrows {
    if items.count == Self.itemCount { try close(hasNext: true, write: write) }
    items.append(
      "<li><a href=\"\(HTMLExport.escapedName(address))\"><bdi>\(HTMLExport.escapedName(label))</bdi></a> "
        + "<small>\(HTMLExport.escapedName(rest))</small></li>\n")
  }

  mutating func finish(write: (SiteDocument, [UInt8]) throws -> Void) rethrows {
    try close(hasNext: false, write: write)
  }

  private mutating func close(
    hasNext: Bool, write: (SiteDocument, [UInt8]) throws -> Void
  ) rethrows {
    pageCount += 1
    let ways = [
      SiteDocument.Way("../index.html", folder.isEmpty ? "With search" : "All conversations"),
      pageCount > 1 ? SiteDocument.Way(fileName(pageCount - 1), "‹ before", relation: "prev") : nil,
      hasNext ? SiteDocument.Way(fileName(pageCount + 1), "next ›", relation: "next") : nil,
    ].compactMap(\.self)
    let number = pageCount == 1 ? "" : " (\(pageCount))"
    let document = SiteDocument(
      title: title + number, description: about + number,
      path: folder + fileName(pageCount),
      ways: ways)
    let heading = "<h1><bdi>\(HTMLExport.escapedName(title + number))</bdi></h1>\n"
    try write(document, Array("\(heading)<ul>\n\(items.joined())</ul>\n".utf8))
    items = []
  }
}
