package import MessageModel
internal import Synchronization

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
