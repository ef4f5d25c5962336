internal import CEmbeddedFiles

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
