package import MessageModel
internal import Synchronization

extension SynchronousMessageStore {
  /// Parses a query of words alone.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if it has no letter or digit, or too many words.
  package static func wordQuery(_ text: String) throws(StoreError) -> QueryExpression {
    try SearchQuery(text)
  }
}

/// Finds consecutive words in texts, as a store's search index does.
package struct PhraseFinder: Hashable, Sendable {
  private let query: String

  /// - Parameter isPrefix: Whether the last word may be the beginning of a longer one.
  package init(_ text: String, isPrefix: Bool) {
    query = QueryExpression.phrase(text, isPrefix: isPrefix).expression ?? ""
  }

  /// Returns the indices of the texts with the words.
  package func places(in texts: [String]) throws(StoreError) -> Set<Int> {
    do {
      let indexed = texts.map { IndexedText($0).words }
      return Set(try MarkingTable.shared.get().places(in: indexed, of: "{words} : (\(query))").keys)
    } catch {
      throw StoreError(error, doing: "cannot look for words")
    }
  }
}

/// Finds the matches of a regular expression, for replacing them.
package final class ExpressionFinder: Sendable {
  private let pattern: Mutex<TextPattern>

  /// Compiles an expression in Perl's syntax.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` with the place of the mistake.
  package init(_ pattern: String) throws(StoreError) { self.pattern = Mutex(try TextPattern(pattern)) }

  /// `nil` if matching exceeds the work allowed.
  package func matches(_ text: String) -> Bool? {
    pattern.withLock { pattern in
      var text = text
      return text.withUTF8 { bytes in try? pattern.matches(UnsafeRawBufferPointer(bytes)) }
    }
  }

  /// Returns matches as ranges of UTF-8 bytes; `nil` if matching exceeds the work allowed.
  package func ranges(in text: String) -> [Range<Int>]? {
    pattern.withLock { pattern in
      var ranges: [Range<Int>] = []
      do throws(TooCostly) {
        try pattern.eachRange(in: text) { range in
          ranges.append(range)
          return true
        }
        return ranges
      } catch {
        return nil
      }
    }
  }
}
