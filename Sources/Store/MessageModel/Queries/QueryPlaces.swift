/// The places, in a query as it was typed, of its terms and of what is not understood.
package struct QueryPlaces: Sendable {
  /// The terms with their places, in order.
  package private(set) var terms: [(term: QueryTerm, place: Range<String.Index>)] = []
  /// The place of the first part that is not understood.
  package private(set) var mistake: Range<String.Index>?

  /// Finds them in a query.
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
      // A quote that is not closed goes on to the end.
      let end = error == .openQuote ? nil : rest.firstIndex { $0.properties.isWhitespace }
      mistake = rest.startIndex..<(end ?? rest.endIndex)
    }
  }
}
