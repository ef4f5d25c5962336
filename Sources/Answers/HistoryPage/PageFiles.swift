internal import CEmbeddedFiles

/// The page that shows a history in a browser, served or as a folder of files. Its files are embedded in the
/// program.
package enum PageFiles {
  /// It refers to `page.css`, `page.js` and `icon.svg` beside it. In a folder of files, the `content` of its
  /// line `<meta name="scrollback-source" content="server">` is `site`.
  package static let document: [UInt8] = bytes(embedded_page_html())

  package static let styleSheet: [UInt8] = lean(bytes(embedded_page_css()))

  /// Without an icon, browsers request one at another address.
  package static let icon: [UInt8] = bytes(embedded_icon_svg())

  /// A classic script, as modules do not load from files: those of the folder `First`, in the order of `page.c`.
  package static let script: [UInt8] = lean(bytes(embedded_page_js()))

  /// The additional script of a folder of files, `site.js`: it reads `data`.
  package static let siteScript: [UInt8] = lean(bytes(embedded_site_js()))

  static func bytes(_ file: UnsafePointer<CChar>) -> [UInt8] { Array(String(cString: file).utf8) }

  /// Removes lines of comment and indentation from a script or style sheet, which must have no string literal of
  /// several lines, and nothing behind a comment that begins a line.
  static func lean(_ script: [UInt8]) -> [UInt8] {
    var lean: [UInt8] = []
    lean.reserveCapacity(script.count)
    var isInComment = false
    for line in script.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == UInt8(ascii: " ") }
      if isInComment || line.starts(with: "/*".utf8) {
        isInComment = !line.suffix(2).elementsEqual("*/".utf8)
        continue
      }
      if line.isEmpty || line.starts(with: "//".utf8) { continue }
      lean += line
      lean.append(UInt8(ascii: "\n"))
    }
    return lean
  }

  /// The files of the page in a folder, by name.
  package static var site: [(name: String, bytes: [UInt8])] {
    let source = "name=\"scrollback-source\" content="
    let document = String(decoding: document, as: UTF8.self)
      .replacing("\(source)\"server\"", with: "\(source)\"site\"")
      // Search engines, and browsers without scripts, find the messages by it.
      .replacing(
        "</aside>", with: "  <a id=\"plain\" href=\"pages/index.html\">Pages without scripts</a>\n</aside>")
    return [
      ("index.html", Array(document.utf8)), ("page.css", styleSheet), ("page.js", script),
      ("site.js", siteScript), ("icon.svg", icon),
    ] + PagePart.allCases.map { ($0.rawValue, $0.bytes) }
  }
}

/// A file, by name, that the page loads only when it is needed.
package enum PagePart: String, CaseIterable, Sendable {
  /// The style of all other parts.
  case style = "more.css"
  /// Days, statistics, links, files and pictures, threads, keys.
  case more = "more.js"
  /// Filters by sender, time and features.
  case filters = "filters.js"
  /// A field for going to conversations, people, days and commands.
  case palette = "palette.js"
  /// Search.
  case search = "search.js"
  /// Actions on a message: copy, star, open, select.
  case actions = "actions.js"
  /// The reply counts of messages on the screen.
  case threads = "threads.js"
  /// Marks of the platforms that conversations are from.
  case platforms = "platforms.js"
  /// The picture viewer.
  case viewer = "viewer.js"
  /// What can be imported, where there are no messages.
  case welcome = "welcome.js"
  /// A printable document of a range.
  case paper = "paper.js"
  /// The query language in a folder of files: words, times, terms.
  case siteQuery = "sitequery.js"
  /// The answers in a folder of files beyond whole conversations.
  case siteAnswers = "siteanswers.js"

  package var bytes: [UInt8] { PageFiles.lean(PageFiles.bytes(source)) }

  private var source: UnsafePointer<CChar> {
    switch self {
    case .style: embedded_more_css()
    case .more: embedded_more_js()
    case .filters: embedded_filters_js()
    case .palette: embedded_palette_js()
    case .search: embedded_search_js()
    case .actions: embedded_actions_js()
    case .threads: embedded_threads_js()
    case .platforms: embedded_platforms_js()
    case .viewer: embedded_viewer_js()
    case .welcome: embedded_welcome_js()
    case .paper: embedded_paper_js()
    case .siteQuery: embedded_sitequery_js()
    case .siteAnswers: embedded_siteanswers_js()
    }
  }

  package var type: String { self == .style ? "text/css" : "text/javascript" }
}
