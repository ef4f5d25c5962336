internal import Foundation
internal import MessageModel

#if !PCRE2
  typealias TextPattern = FoundationPattern
#endif

protocol PlacedPattern {
  /// Calls `body` with each non-empty match, in bytes of UTF-8, until it returns `false`; throws if too
  /// costly.
  func eachRange(in text: String, _ body: (Range<Int>) -> Bool) throws(TooCostly)
}

extension PlacedPattern {
  func ranges(in text: String, limit: Int = 1_000) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    try? eachRange(in: text) { range in
      ranges.append(range)
      return ranges.count < limit
    }
    return ranges
  }
}

/// A regular expression matched by Foundation: ``TextPattern`` in builds without PCRE2.
///
/// Its language is ICU's, which is Perl's without recursion, `\K` and `(?P<name>…)`. Letters, digits and case
/// follow Unicode; invalid UTF-8 becomes U+FFFD. The time for one text is bounded. It needs no library
/// besides Swift's, but is many times slower than PCRE2.
final class FoundationPattern: PlacedPattern {
  private let expression: NSRegularExpression

  private static let timeLimit = Duration.seconds(1)
  /// The matcher reports at each start and every 10,000 steps; the clock is checked once per this number of
  /// reports.
  private static let reportsBetweenLooks = 64

  /// - Throws: ``StoreError`` of kind `invalidRequest`; Foundation does not say where the mistake is.
  init(_ pattern: String) throws(StoreError) {
    do {
      expression = try NSRegularExpression(pattern: pattern)
    } catch {
      throw StoreError(
        .invalidRequest, "cannot read the regular expression '\(VisibleText.of(pattern))'",
        cause: "Foundation does not accept it")
    }
  }

  func matches(_ bytes: UnsafeRawBufferPointer) throws(TooCostly) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    var found = false
    try search(text) { _ in
      found = true
      return false
    }
    return found
  }

  func eachRange(in text: String, _ body: (Range<Int>) -> Bool) throws(TooCostly) {
    var (last, offset) = (text.startIndex, 0)
    try search(text) { found in
      guard let range = Range(found, in: text), !range.isEmpty else { return true }
      let start = offset + text.utf8.distance(from: last, to: range.lowerBound)
      offset = start + text.utf8.distance(from: range.lowerBound, to: range.upperBound)
      last = range.upperBound
      return body(start..<offset)
    }
  }

  private func search(_ text: String, _ body: (NSRange) -> Bool) throws(TooCostly) {
    let start = ContinuousClock.now
    var reportCount = 0
    var isTooCostly = false
    withoutActuallyEscaping(body) { body in
      expression.enumerateMatches(
        in: text, options: [.reportProgress, .reportCompletion], range: NSRange(text.startIndex..., in: text)
      ) { match, flags, stop in
        if let match {
          stop.pointee = ObjCBool(!body(match.range))
        } else if flags.contains(.internalError) {
          isTooCostly = true
        } else if flags.contains(.progress) {
          reportCount += 1
          guard reportCount.isMultiple(of: Self.reportsBetweenLooks),
            start.duration(to: .now) > Self.timeLimit
          else {
            return
          }
          isTooCostly = true
          stop.pointee = true
        }
      }
    }
    if isTooCostly { throw TooCostly() }
  }
}
