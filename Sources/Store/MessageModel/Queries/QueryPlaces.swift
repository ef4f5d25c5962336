/// The places of terms and mistakes in a typed query.
package struct QueryPlaces: Sendable {
  /// In order.
  package private(set) var terms: [(term: QueryTerm, place: Range<String.Index>)] = []
  /// The place of the first mistake.
  package private(set) var mistake: Range<String.Index>?

  package init(of text: String, _ vocabulary: QueryVocabulary) {
    let scalars = text.unicodeScalars
    func range(_ place: Range<Int>) -> Range<String.Index> {
      let start = scalars.index(scalars.startIndex, offsetBy: place.lowerBound)
      return start..<scalars.index(start, offsetBy: place.count)
    }
    var lexer = QueryLexer(text, vocabulary)
    do throws(QueryMistake) {
      for (token, place) in zip(try lexer.run(), lexer.places) {
        if case .term(let term) = token { terms.append((term, range(place))) }
      }
    } catch {
      let rest = scalars[range(lexer.start..<scalars.count)]
      // An open quote extends to the end.
      let end = error == .openQuote ? nil : rest.firstIndex { $0.properties.isWhitespace }
      mistake = rest.startIndex..<(end ?? rest.endIndex)
    }
  }
}
