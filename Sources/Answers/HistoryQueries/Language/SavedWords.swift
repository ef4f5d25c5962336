/// The words and names that filters are saved by.
extension MessageQuery {
  /// The word that leaves events out of a filter; in quotes it is looked for.
  package static let textWord = "text"

  /// Returns the words of a filter with `kind:said` for that word alone, which is as old as filters are.
  package static func saying(_ words: String) -> String {
    var isQuoted = false
    return words.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let isWord = word == textWord && !isQuoted
      if !word.count(where: { $0 == "\"" }).isMultiple(of: 2) { isQuoted.toggle() }
      return isWord ? "kind:\(said)" : String(word)
    }.joined(separator: " ")
  }

  /// Whether a name means something else to `/filter`, so that no filter is saved by it.
  package static func isReserved(_ name: String) -> Bool {
    ["save", textWord].contains(name) || name.contains(":") || name.contains("\"")
  }
}
