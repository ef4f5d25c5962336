/// One of the two full-text indexes. A message is in one of them, and a query asks both.
enum SearchTable: CaseIterable {
  /// Messages whose words stand apart.
  case words
  /// Messages with characters of ``UnspacedScripts``, which are tokens by themselves there.
  case unspaced

  /// The FTS5 table.
  var name: String { self == .words ? "search" : "sign_search" }
  /// The view it is made of.
  var content: String { self == .words ? "search_text" : "sign_text" }
}
