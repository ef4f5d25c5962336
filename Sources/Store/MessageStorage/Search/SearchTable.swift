/// The two full-text indexes. Each message is in one of them; a query searches both.
enum SearchTable: CaseIterable {
  /// Messages with spaces between words.
  case words
  /// Messages with characters of ``UnspacedScripts``, each of which is a token.
  case unspaced

  var name: String { self == .words ? "search" : "sign_search" }
  var content: String { self == .words ? "search_text" : "sign_text" }
}
