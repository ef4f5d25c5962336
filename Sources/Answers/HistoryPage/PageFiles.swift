internal import CEmbeddedFiles

/// The page that shows a history in a browser, over a server or over files: one document, one style sheet, one script.
///
/// They are in the program itself, so that it needs no folder beside it.
package enum PageFiles {
  /// The document, in UTF-8.
  ///
  /// It names `page.css`, `page.js` and `icon.svg` beside it. Its line `<meta name="scrollback-source" content="server">` is
  /// another in a folder of files, where `content` is `site`.
  package static let document: [UInt8] = bytes(embedded_page_html())

  /// The style sheet, in UTF-8.
  package static let styleSheet: [UInt8] = lean(bytes(embedded_page_css()))

  /// The picture that browsers show beside its title: without one they ask for another at an address of their own.
  package static let icon: [UInt8] = bytes(embedded_icon_svg())

  /// The script, in UTF-8: a classic one, as modules do not load from files.
  package static let script: [UInt8] = lean(bytes(embedded_page_js()))

  /// The script that is loaded besides in a folder of files, as `site.js`: the reader of `data`.
  package static let siteScript: [UInt8] = lean(bytes(embedded_site_js()))

  /// Returns the bytes of an embedded file.
  static func bytes(_ file: UnsafePointer<CChar>) -> [UInt8] { Array(String(cString: file).utf8) }

  /// A script or a style sheet without what only those want who work on it: lines that are comments, and the space before lines.
  /// No text in it may go on over lines.
  static func lean(_ script: [UInt8]) -> [UInt8] {
    var lean: [UInt8] = []
    lean.reserveCapacity(script.count)
    for line in script.split(separator: UInt8(ascii: "\n")) {
      let line = line.drop { $0 == UInt8(ascii: " ") }
      if line.isEmpty || line.starts(with: "//".utf8) || isComment(line) { continue }
      lean += line
      lean.append(UInt8(ascii: "\n"))
    }
    return lean
  }

  private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "/*".utf8) && line.suffix(2).elementsEqual("*/".utf8)
  }

  /// The page in a folder of files: each of its files under its name.
  package static var site: [(name: String, bytes: [UInt8])] {
    let source = "name=\"scrollback-source\" content="
    let document = String(decoding: document, as: UTF8.self)
      .replacing("\(source)\"server\"", with: "\(source)\"site\"")
    return [
      ("index.html", Array(document.utf8)), ("page.css", styleSheet), ("page.js", script),
      ("site.js", siteScript), ("icon.svg", icon),
    ] + PagePart.allCases.map { ($0.rawValue, $0.bytes) }
  }
}

/// A file that the page loads from beside it when somebody asks for what it shows, under its name.
package enum PagePart: String, CaseIterable, Sendable {
  /// The style of what all others show.
  case style = "more.css"
  /// Days, statistics, links, files and pictures, threads, keys.
  case more = "more.js"
  /// Some of the messages: by sender, by time, and by what they have.
  case filters = "filters.js"
  /// One field for all that can be gone to.
  case palette = "palette.js"
  /// Looking for words.
  case search = "search.js"
  /// The numbers of answers to what is on the screen.
  case threads = "threads.js"
  /// Pictures over the page.
  case viewer = "viewer.js"
  /// A document of a range, to be printed or kept.
  case paper = "paper.js"
  /// The language in which a site is asked: words, times, terms.
  case siteQuery = "sitequery.js"
  /// The answers of a site beyond a conversation as it stands.
  case siteAnswers = "siteanswers.js"

  /// The file, in UTF-8.
  package var bytes: [UInt8] { PageFiles.lean(PageFiles.bytes(source)) }

  /// The file as it was written.
  private var source: UnsafePointer<CChar> {
    switch self {
    case .style: embedded_more_css()
    case .more: embedded_more_js()
    case .filters: embedded_filters_js()
    case .palette: embedded_palette_js()
    case .search: embedded_search_js()
    case .threads: embedded_threads_js()
    case .viewer: embedded_viewer_js()
    case .paper: embedded_paper_js()
    case .siteQuery: embedded_sitequery_js()
    case .siteAnswers: embedded_siteanswers_js()
    }
  }

  /// The media type of the file.
  package var type: String { self == .style ? "text/css" : "text/javascript" }
}
