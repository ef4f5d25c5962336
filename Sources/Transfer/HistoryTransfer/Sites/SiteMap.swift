internal import MessageInterchange

/// The addresses of a site's pages for search engines: `sitemap.xml`, which names files of 10,000 addresses each.
struct SiteMap: Codable {
  private var entries: [String] = []
  private var fileCount = 0

  private static let entryCount = 10_000
  private static let begin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private static let space = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""

  /// - Parameter day: The day of the newest message, as a date; empty if it is not known.
  mutating func add(_ address: String, changed day: String, to site: SiteFolder) throws {
    if entries.count == Self.entryCount { try close(site) }
    // A year of other than four digits is none to them.
    let changed = day.utf8.count == 10 ? "<lastmod>\(day)</lastmod>" : ""
    entries.append("<url><loc>\(HTMLExport.escapedName(address))</loc>\(changed)</url>\n")
  }

  mutating func finish(_ address: String, _ site: SiteFolder) throws {
    try close(site)
    let files = (1...fileCount).map { number in
      "<sitemap><loc>\(HTMLExport.escapedName("\(address)/sitemap-\(number).xml"))</loc></sitemap>\n"
    }
    let text = "\(Self.begin)<sitemapindex \(Self.space)>\n\(files.joined())</sitemapindex>\n"
    try site.write(Array(text.utf8), to: "sitemap.xml")
  }

  private mutating func close(_ site: SiteFolder) throws {
    fileCount += 1
    let text = "\(Self.begin)<urlset \(Self.space)>\n\(entries.joined())</urlset>\n"
    try site.write(Array(text.utf8), to: "sitemap-\(fileCount).xml")
    entries = []
  }
}
