internal import Foundation
internal import MessageModel

#if !PCRE2
  /// A regular expression.
  typealias TextPattern = FoundationPattern
#endif

/// A pattern that has places in texts.
protocol PlacedPattern {
  /// Calls `body` with each place where the pattern matches, in bytes of UTF-8, until it answers `false`; empty ones are left out.
  ///
  /// - Throws: ``TooCostly`` if the text takes more work than is allowed.
  func eachRange(in text: String, _ body: (Range<Int>) -> Bool) throws(TooCostly)
}

extension PlacedPattern {
  /// Returns where the pattern matches in a text, in bytes of UTF-8; at most `limit` places, empty ones left out.
  func ranges(in text: String, limit: Int = 1_000) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    try? eachRange(in: text) { range in
      ranges.append(range)
      return ranges.count < limit
    }
    return ranges
  }
}

/// A regular expression, matched by Foundation: what ``TextPattern`` is where PCRE2 is not built in.
///
/// Its language is ICU's, which is Perl's but for recursion, `\K` and `(?P<name>…)`. Letters, digits and case are Unicode's;
/// what is not UTF-8 in a text is U+FFFD. How long one text may take is bounded. It needs no library besides Swift's, and many
/// times the time of PCRE2.
final class FoundationPattern: PlacedPattern {
  private let expression: NSRegularExpression

  /// The time that the matcher may take for one text before it is stopped.
  private static let timeLimit = Duration.seconds(1)
  /// The matcher reports at each place where it begins, and every 10,000 steps; the clock is looked at at some of these.
  private static let reportsBetweenLooks = 64

  /// Compiles an expression.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest`; Foundation does not tell where the expression is wrong.
  init(_ pattern: String) throws(StoreError) {
    do {
      expression = try NSRegularExpression(pattern: pattern)
    } catch {
      throw StoreError(
        .invalidRequest, "cannot read the regular expression '\(VisibleText.of(pattern))'",
        cause: "Foundation does not accept it")
    }
  }

  /// Whether the expression matches anywhere in UTF-8.
  ///
  /// - Throws: ``TooCostly`` if the text takes more work than is allowed.
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

  /// Calls `body` with one match after the other until it answers `false`.
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
