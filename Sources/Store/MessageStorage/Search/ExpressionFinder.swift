package import MessageModel
internal import Synchronization

/// Finds all places where a regular expression matches, for those who replace them.
package final class ExpressionFinder: Sendable {
  private let pattern: Mutex<TextPattern>

  /// Compiles an expression in Perl's syntax.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` that says where the expression is wrong.
  package init(_ pattern: String) throws(StoreError) { self.pattern = Mutex(try TextPattern(pattern)) }

  /// Returns whether it matches anywhere; `nil` if the text takes more work than is allowed.
  package func matches(_ text: String) -> Bool? {
    pattern.withLock { pattern in
      var text = text
      return text.withUTF8 { bytes in try? pattern.matches(UnsafeRawBufferPointer(bytes)) }
    }
  }

  /// Returns the places in bytes of UTF-8; `nil` if the text takes more work than is allowed.
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
